# SPDX-License-Identifier: Apache-2.0
"""A machine and an internet of the tests' own, in namespaces. README.md says how to use it."""
