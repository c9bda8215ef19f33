"""Checks that berth/berth.h includes every public header of the components in libberth.so, and only those.

Usage: umbrella_header.py <source tree>; prints what differs, exit code 1 if anything does.
"""

import pathlib
import re
import sys

COMPONENTS = ["core", "loader", "program", "module", "reference"]


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0])
    text = (root / "lib/include/berth/berth.h").read_text()
    included = set(re.findall(r'#include "([^"]+)"', text))
    wanted = {"berth/version.h"}
    for component in COMPONENTS:
        folder = root / component / "include"
        wanted |= {path.relative_to(folder).as_posix() for path in folder.rglob("*.h")}
    for header in sorted(wanted - included):
        print(f"missing: #include \"{header}\"")
    for header in sorted(included - wanted):
        print(f"not a public header: {header}")
    print(f"{len(included)} headers included")
    return 1 if wanted != included else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
