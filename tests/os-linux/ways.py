# SPDX-License-Identifier: Apache-2.0
"""The ways of inside/run_tries.c to run a program, by what holds them, and what each is answered under a list that hasn't got it."""

BY_PATH = ("path_plain", "path_at", "path_relative", "path_below_descriptor", "path_by_root", "path_by_link")
BY_NAME_OF_DESCRIPTOR = ("descriptor_fexecve", "descriptor_proc", "descriptor_dev", "descriptor_thread")
BY_DESCRIPTOR = ("descriptor_plain", "descriptor_path")
MADE_INSIDE = ("path_copied", "path_renamed", "path_script", "descriptor_unnamed", "descriptor_deleted", "shared_memory")
IN_MEMORY = ("memory_plain", "memory_cloexec", "memory_sealing", "memory_exec", "memory_inherited")
# Memory files as programs use them that run none: made, mapped to be executed, sealed; and what the kernel refuses of itself.
OF_MEMORY = {"memory_made": "ok", "memory_mapped": "ok", "memory_seals": "ok", "memory_keeps_cloexec": "ok",
             "memory_no_number": "EMFILE", "memory_flag_unknown": "EINVAL", "memory_name_long": "EINVAL",
             "memory_name_nowhere": "EFAULT"}


def expect(answer, *ways):
    return {way: answer for way in ways}


def unlisted(seals):
    """With sealed memory, or without, where none is made."""
    of_files = {**expect("EACCES", *BY_PATH, *BY_NAME_OF_DESCRIPTOR, *MADE_INSIDE), **expect("ENOSYS", *BY_DESCRIPTOR)}
    if not seals:
        return {**of_files, **expect("ENOSYS", *IN_MEMORY, "memory_sealed", "memory_made", "memory_mapped", "memory_huge",
                                     "memory_huge_sealed")}
    return {**of_files, **OF_MEMORY, **expect("EACCES", *IN_MEMORY, "memory_sealed"), "memory_descriptor": "ENOSYS",
            "memory_chmod": "EPERM", "memory_huge": "EINVAL", "memory_huge_sealed": "EINVAL"}
