#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The SDK as an author has it: installed elsewhere, found by CMake and by pkg-config, and a module built with it alone."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD, SOURCE, CXX, CC = (sys.argv.pop(1) for _ in range(4))
# A module built against a library with sanitizers would need their runtime; the pieces are tested without.
SANITIZED = sys.argv.pop(1) != ""


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300, **options)
    return done.returncode, done.stdout


class Consumer(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.top = tempfile.mkdtemp(prefix="lnk-sdk-")
        cls.prefix = os.path.join(cls.top, "prefix")
        code, words = run("cmake", "--install", BUILD, "--prefix", cls.prefix, "--component", "lnk-sandbox-dev")
        assert code == 0, words

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.top)

    def configure(self, source, name, *options):
        build = os.path.join(self.top, name)
        return build, run(
            "cmake", "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_COMPILER={CXX}", f"-DCMAKE_C_COMPILER={CC}", *options,
        )

    def test_the_template_builds_and_passes_its_own_test(self):
        template = os.path.join(self.prefix, "share", "lnk-sandbox", "template")
        build, (code, words) = self.configure(template, "template")
        self.assertEqual(code, 0, words)
        code, words = run("cmake", "--build", build)
        self.assertEqual(code, 0, words)
        code, words = run("ctest", "--output-on-failure", cwd=build)
        self.assertEqual(code, 0, words)
        module = os.path.join(build, "lib", "lnk-sandbox", "modules", "verb-greeting.so")
        code, words = run("nm", "-D", "--defined-only", "--format=posix", module)
        self.assertEqual([line.split()[0] for line in words.splitlines()], ["lnk_module_v1"])
        code, words = run("cmake", "--install", build, "--prefix", self.prefix)
        self.assertEqual(code, 0, words)
        self.assertTrue(os.path.exists(os.path.join(self.prefix, "lib", "lnk-sandbox", "modules", "verb-greeting.so")))

    def project(self, name, text):
        source = os.path.join(self.top, name + "-source")
        os.mkdir(source)
        with open(os.path.join(source, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.25)\n" + text)
        return source

    def test_another_major_is_refused_and_this_one_is_found(self):
        for version, found in (("1", True), ("1.0", True), ("2.0", False), ("0.9", False)):
            name = "version" + version
            source = self.project(name, f"project(x LANGUAGES C CXX)\nfind_package(LnkSandboxSdk {version} REQUIRED)\n")
            code, words = self.configure(source, name)[1]
            self.assertEqual(code == 0, found, words)

    def test_a_module_in_c_needs_no_cxx_compiler(self):
        source = self.project("plain", "project(x LANGUAGES C)\nfind_package(LnkSandboxSdk 1.0 REQUIRED)\n"
                                       "lnk_add_module(verb-frozen SOURCES verb-frozen.c)\n")
        shutil.copy(os.path.join(SOURCE, "tests", "abi", "frozen", "v1_0", "verb-frozen.c"), source)
        build, (code, words) = self.configure(source, "plain")
        self.assertEqual(code, 0, words)
        code, words = run("cmake", "--build", build)
        self.assertEqual(code, 0, words)

    def test_pkg_config_gives_what_a_makefile_needs(self):
        environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(self.prefix, "share", "pkgconfig"))
        code, words = run("pkg-config", "--cflags", "lnk-sandbox-sdk", env=environment)
        self.assertEqual(code, 0, words)
        flags = words.split()
        code, words = run("pkg-config", "--variable=moduledir", "lnk-sandbox-sdk", env=environment)
        self.assertEqual(os.path.realpath(words.strip()), os.path.join(os.path.realpath(self.prefix), "lib/lnk-sandbox/modules"))
        code, words = run("pkg-config", "--variable=modulemap", "lnk-sandbox-sdk", env=environment)
        module = os.path.join(self.top, "verb-frozen.so")
        frozen = os.path.join(SOURCE, "tests", "abi", "frozen", "v1_0", "verb-frozen.c")
        code, words = run(CC, *flags, "-fPIC", "-shared", "-Wl,--version-script=" + words.strip(), frozen, "-o", module)
        self.assertEqual(code, 0, words)
        code, words = run(os.path.join(self.prefix, "bin", "lnk-modcheck"), "--sequences", "5", module)
        self.assertIn("pass   exports", words)

    @unittest.skipIf(SANITIZED, "the pieces of this build need the sanitizers' runtime")
    def test_the_pieces_link(self):
        source = self.project("pieces", "project(x LANGUAGES C CXX)\nfind_package(LnkSandboxSdk 1.0 REQUIRED)\n"
                                        "add_executable(x x.cpp)\n"
                                        "target_link_libraries(x LnkSandbox::fake LnkSandbox::posix LnkSandbox::secret)\n")
        with open(os.path.join(source, "x.cpp"), "w", encoding="utf-8") as file:
            file.write('#include <lnk/fake/script.hpp>\n#include <lnk/posix/io.hpp>\n'
                       'int main() { return lnk::fake::action_word(1) == "relay" && '
                       'lnk::posix::read_file("/etc/passwd", 1 << 20) ? 0 : 1; }\n')
        build, (code, words) = self.configure(source, "pieces")
        self.assertEqual(code, 0, words)
        code, words = run("cmake", "--build", build)
        self.assertEqual(code, 0, words)
        self.assertEqual(run(os.path.join(build, "x"))[0], 0)


unittest.main()
