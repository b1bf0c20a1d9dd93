/* SPDX-License-Identifier: Apache-2.0
 *
 * Executes a program by name, as execvp(3) looks one up, on the PATH of the environment given.
 */
#ifndef LNK_INSIDE_EXECUTE_H
#define LNK_INSIDE_EXECUTE_H

/* Returns only where it failed: a negative error number. argv[-1] must be writable. */
long execute(char** argv, char** env);

#endif
