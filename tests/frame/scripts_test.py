"""Tests of scripts/common.sh with stand-ins for apt-get, dpkg-query and python3, and of the package list itself."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GROUPS = {"build", "test", "lanes", "fresh"}


class ScriptTest(unittest.TestCase):
    """A copy of scripts/ in a tree of its own, and a folder of commands that stand in for the real ones."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        shutil.copytree(ROOT / "scripts", self.root / "scripts")
        (self.root / "bin").mkdir()
        self.log = self.root / "log"
        self.log.write_text("")
        self.stand_in("id", "echo 0")

    def stand_in(self, name, body):
        """Makes `name` a command that notes its arguments and then does `body`."""
        path = self.root / "bin" / name
        path.write_text(f'#!/bin/bash\necho "{name} $*" >>"{self.log}"\n{body}\n')
        path.chmod(0o755)

    def packages(self, text):
        (self.root / "scripts/packages.txt").write_text(text)

    def run_shell(self, command, **environment):
        """Runs `command` after sourcing common.sh; returns the finished process."""
        variables = {"PATH": f"{self.root}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.root), **environment}
        return subprocess.run(["bash", "-c", f'source scripts/common.sh; {command}'], cwd=self.root, env=variables,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def calls(self, name):
        return [line for line in self.log.read_text().splitlines() if line.startswith(name + " ")]


class InstallPackagesTest(ScriptTest):
    def setUp(self):
        super().setUp()
        self.packages("# a comment build\nmake build\ngcc build\ngtest test\n")

    def test_asks_nobody_when_all_are_installed(self):
        self.stand_in("dpkg-query", "echo installed")
        self.stand_in("apt-get", "exit 1")
        self.assertEqual(self.run_shell("install_packages build test").returncode, 0)
        self.assertEqual(self.calls("apt-get"), [])

    def test_installs_what_is_missing_of_the_groups_asked_for(self):
        self.stand_in("dpkg-query", '[ "$4" = make ] && echo installed || exit 1')
        self.stand_in("apt-get", "")
        self.assertEqual(self.run_shell("install_packages build").returncode, 0)
        self.assertEqual(self.calls("apt-get"),
                         ["apt-get update -qq", "apt-get install -y -qq --no-install-recommends gcc"])

    def test_counts_a_removed_package_as_missing(self):
        self.stand_in("dpkg-query", "echo config-files")
        self.stand_in("apt-get", "")
        self.run_shell("install_packages test")
        self.assertEqual(self.calls("apt-get")[-1], "apt-get install -y -qq --no-install-recommends gtest")

    def test_shows_what_apt_said_when_it_fails(self):
        self.stand_in("dpkg-query", "exit 1")
        self.stand_in("apt-get", '[ "$1" = update ] || { echo no such package; exit 100; }')
        result = self.run_shell("install_packages test; echo went on")
        self.assertEqual(result.returncode, 1)
        self.assertNotIn("went on", result.stdout)
        self.assertEqual(result.stderr,
                         "no such package\nbash: apt-get install failed; all of its output: build/apt.log\n")

    def test_says_that_it_needs_root_without_sudo(self):
        self.stand_in("id", "echo 1000")
        self.stand_in("dpkg-query", "exit 1")
        self.stand_in("apt-get", "")
        result = self.run_shell('command() { [ "$2" != sudo ] && builtin command "$@"; }; install_packages test')
        self.assertEqual(result.returncode, 1)
        self.assertIn("bash: 'apt-get update -qq' needs root: run this script as root, or install sudo\n", result.stderr)


class FindCudaHeadersTest(ScriptTest):
    def find(self, **environment):
        # Only the folders of the test: a Toolkit of this host must not answer.
        return self.run_shell("toolkit_folders() { echo \"${CUDA_HOME:-}/include\"; }; find_cuda_headers", **environment)

    def test_takes_an_installed_toolkit(self):
        (self.root / "toolkit/include").mkdir(parents=True)
        (self.root / "toolkit/include/cuda.h").write_text("")
        self.stand_in("python3", "exit 1")
        result = self.find(CUDA_HOME=str(self.root / "toolkit"))
        self.assertEqual((result.returncode, result.stdout), (0, f"{self.root}/toolkit/include\n"))
        self.assertEqual(self.calls("python3"), [])

    def test_fetches_the_wheel_once(self):
        self.stand_in("python3", 'case "$*" in *download*) mkdir -p "${@: -2:1}"; touch "${@: -2:1}/x.whl";;'
                                 ' *zipfile*) mkdir -p "$5/nvidia/include"; touch "$5/nvidia/include/cuda.h";; esac')
        folder = f"{self.root}/build/third_party/cuda/nvidia/include\n"
        for _ in range(2):
            result = self.find()
            self.assertEqual((result.returncode, result.stdout), (0, folder), result.stderr)
        self.assertEqual(len(self.calls("python3")), 2)  # one download, one unpacking

    def test_goes_on_with_one_line_when_offline(self):
        self.stand_in("python3", "exit 1")
        result = self.find()
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertEqual(result.stderr,
                         "no cuda.h: no CUDA Toolkit and no network; going on without the cuda plugin\n")


class PackageListTest(unittest.TestCase):
    def test_each_line_is_a_package_and_a_group(self):
        names = []
        for line in (ROOT / "scripts/packages.txt").read_text().splitlines():
            if not line.startswith("#"):
                self.assertRegex(line, r"^[a-z0-9.+-]+ +[a-z]+$")
                name, group = line.split()
                self.assertIn(group, GROUPS, line)
                names.append(name)
        self.assertEqual(len(names), len(set(names)), "a package is listed twice")

    def test_lists_what_the_build_files_look_for(self):
        provides = {"GTest": "libgtest-dev", "Boost": "libboost-dev", "Eigen3": "libeigen3-dev", "OpenSSL": "libssl-dev",
                    "CLI11": "libcli11-dev", "nlohmann_json": "nlohmann-json3-dev", "xtensor": "libxtensor-dev",
                    "FlatBuffers": "libflatbuffers-dev", "spdlog": "libspdlog-dev", "tl-expected": "libexpected-dev",
                    "PkgConfig": "pkg-config", "benchmark": "libbenchmark-dev", "Python3": "python3",
                    "tomlplusplus": "libtomlplusplus-dev", "Threads": None, "berth": None}
        listed = {line.split()[0] for line in (ROOT / "scripts/packages.txt").read_text().splitlines()}
        for path in ROOT.glob("*/**/CMakeLists.txt"):
            if path.relative_to(ROOT).parts[0] == "build":
                continue
            for wanted in re.findall(r"find_package\((\S+)", path.read_text()):
                with self.subTest(f"{path}: {wanted}"):
                    self.assertIn(wanted, provides)
                    self.assertIn(provides[wanted], listed | {None})


if __name__ == "__main__":
    unittest.main()
