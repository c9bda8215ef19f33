"""Checks that what the documentation names is there: relative links, and tests named `Suite.Name` in differences.md.

Usage: documentation.py <source tree>; prints what is not there, exit code 1 if anything is missing.
"""

import pathlib
import re
import sys

FOLDERS = ["abi", "config", "conformance", "docs", "examples", "plugins", "tests"]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(#[^)]*)?\)")
TEST_NAME = re.compile(r"`([A-Z]\w*)\.([A-Z]\w*)`")
TEST_MACRO = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(arguments[0])
    pages = sorted(root.glob("*.md"))
    for folder in FOLDERS:
        pages += sorted((root / folder).rglob("*.md"))
    wrong = [line for page in pages for line in dead_links(root, page)] + missing_tests(root)
    for line in wrong:
        print(line)
    print(f"{len(pages)} pages, {len(wrong)} findings")
    return 1 if wrong or not pages else 0


def dead_links(root, page):
    for target, _ in LINK.findall(page.read_text()):
        if "://" not in target and not (page.parent / target).exists():
            yield f"{page.relative_to(root)}: {target} is not there"


def missing_tests(root):
    page = root / "docs/differences.md"
    if not page.exists():
        return []
    there = set()
    for path in (root / "tests").rglob("*.cpp"):
        there |= set(TEST_MACRO.findall(path.read_text()))
    named = TEST_NAME.findall(page.read_text())
    return [f"docs/differences.md: no test {suite}.{name}" for suite, name in named if (suite, name) not in there]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
