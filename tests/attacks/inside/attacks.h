// SPDX-License-Identifier: Apache-2.0
//
// Attempts to do what a sandbox must refuse. Each runs in a process of its own and ends as one line: its name, and 0
// where it was done, else the error number. Nothing is written to what an attempt opened, unless that is the attempt.
#pragma once

#include <errno.h>
#include <stddef.h>

enum { kPathMax = 8192 };

// What a group may be told. `at` is the first word after the group's name; the words end with NULL.
typedef void group(char** words);

group attack_paths, attack_reads, attack_calls, attack_tries, attack_sockets, attack_connect, attack_processes,
    attack_writable, attack_descriptors, attack_all_calls, attack_look;

// Runs `act` in a child and prints "NAME ERRNO", or "NAME signal N".
void attempt(const char* name, int (*act)(void* data), void* data);

// The same in this process, which is put back to its root folder with its streams alone: for what can't harm the
// caller.
void attempt_here(const char* name, int (*act)(void* data), void* data);

// -1 with errno kept, where `result` is below zero; 0 otherwise. A descriptor made is closed.
int opened(int fd);
