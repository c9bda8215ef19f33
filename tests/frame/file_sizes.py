"""Checks that no file of ours is longer than 300 lines, apart from those listed here with a reason.

Usage: file_sizes.py <source tree>; prints each file that is too long, exit code 1 if there is any.
"""

import pathlib
import sys

LIMIT = 300
LONGER = {
    # path: (limit, reason)
    "abi/include/berth/plugin.h": (1200, "the contract is one document, and an author reads it whole"),
    "abi/include/berth/plugin_helper.h": (400, "the helper is one header: what a plugin in C needs beside the contract"),
}
FOLDERS = ["abi", "core", "loader", "program", "module", "reference", "planning", "conformance", "plugins", "adapters",
           "lib", "tools", "tests", "benchmarks", "fuzz", "examples", "cmake", "scripts", ".ci"]
SUFFIXES = {".h", ".hpp", ".c", ".cpp", ".py", ".cmake", ".sh", ""}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    too_long, files = check_tree(pathlib.Path(arguments[0]))
    for line in too_long:
        print(line)
    print(f"{files} files, {len(too_long)} too long")
    return 1 if too_long or files == 0 else 0


def check_tree(root):
    """All files that are too long as text, and the number of files looked at."""
    too_long, files = [], 0
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if not path.is_file() or not (path.suffix in SUFFIXES or path.name == "CMakeLists.txt"):
                continue
            name = path.relative_to(root).as_posix()
            limit, _ = LONGER.get(name, (LIMIT, ""))
            lines = len(path.read_bytes().splitlines())
            files += 1
            if lines > limit:
                too_long.append(f"{name}: {lines} lines, at most {limit}")
    return too_long, files


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
