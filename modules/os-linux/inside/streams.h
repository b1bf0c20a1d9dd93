/* SPDX-License-Identifier: Apache-2.0
 *
 * A file that is given as a stream for reading only. A descriptor knows the mount that it was opened through, which is the
 * machine's own and writable: through /proc/self/fd it could be opened again for writing, and its mode changed. So the
 * file stands inside once more, on a mount that is read only, and is opened anew there.
 */
#ifndef LNK_INSIDE_STREAMS_H
#define LNK_INSIDE_STREAMS_H

/* `given`: the stream as it came, `number`: 0 to 2. The same file on its read-only mount, open for reading at the same
 * offset; or a negative error number. */
long reopen_stream(int given, int number);

#endif
