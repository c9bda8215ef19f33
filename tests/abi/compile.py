"""Compiles one file with all warnings as errors, or shows that it does not compile.

Usage: compile.py --compiler=gcc|clang --standard=c11|c++20|... --include=DIR --expect=REGEX [--define=X]... FILE
With a non-empty REGEX the compiler must fail with a message that matches. Exit code 1 on any other outcome. Prints a
line that starts with "SKIPPED: " when the compiler is not installed.
"""

import argparse
import re
import shutil
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
COMPILERS = {
    ("gcc", False): ["gcc", "gcc-12"],
    ("gcc", True): ["g++", "g++-12"],
    ("clang", False): ["clang-14", "clang"],
    ("clang", True): ["clang++-14", "clang++"],
}


def main():
    arguments = parse_arguments()
    is_cxx = arguments.standard.startswith("c++")
    candidates = COMPILERS[arguments.compiler, is_cxx]
    compiler = next(filter(None, map(shutil.which, candidates)), None)
    if compiler is None:
        print(f"SKIPPED: none of {', '.join(candidates)} is installed")
        return 0
    command = [compiler, f"-std={arguments.standard}", *WARNINGS, "-fsyntax-only", f"-I{arguments.include}"]
    command += [f"-D{name}" for name in arguments.define]
    command += ["-x", "c++" if is_cxx else "c", arguments.file]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    print(" ".join(command), result.stderr, sep="\n")
    if arguments.expect:
        return 0 if result.returncode != 0 and re.search(arguments.expect, result.stderr) else 1
    return 0 if result.returncode == 0 else 1


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True, choices=["gcc", "clang"])
    parser.add_argument("--standard", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--expect", default="")
    parser.add_argument("--define", action="append", default=[])
    parser.add_argument("file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
