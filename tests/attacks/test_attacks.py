# SPDX-License-Identifier: Apache-2.0
"""Attempts to leave a sandbox as it is shipped, on the kernel that runs; each with a twin that shows that it works elsewhere."""

import unittest

import core_calls
import core_paths
import core_processes


class Paths(core_paths.PathAttacks):
    pass


class Calls(core_calls.CallAttacks):
    pass


class Processes(core_processes.ProcessAttacks):
    pass


if __name__ == "__main__":
    unittest.main()
