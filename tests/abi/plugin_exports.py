"""Checks that a plugin exports berth_plugin_query and nothing else, and carries one note of Berth.

Usage: plugin_exports.py PLUGIN.so; prints each finding, exit code 1 if there is any.
"""

import re
import subprocess
import sys

# What a sanitizer's runtime and the linker define in every module.
ALLOWED = re.compile(r"__(asan|tsan|ubsan|lsan|sancov|sanitizer)_|^(_init|_fini|__bss_start|_edata|_end)$")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    findings = check(arguments[0])
    for finding in findings:
        print(finding)
    print(f"{arguments[0]}: {len(findings)} findings")
    return 1 if findings else 0


def check(plugin):
    symbols = [line.split()[-1].split("@")[0] for line in run("nm", "--dynamic", "--defined-only", plugin).splitlines()]
    findings = [f"exports {name}" for name in symbols if name != "berth_plugin_query" and not ALLOWED.search(name)]
    if "berth_plugin_query" not in symbols:
        findings.append("does not export berth_plugin_query")
    notes = re.findall(r"^\s+Berth\s+0x([0-9a-f]+)", run("readelf", "--notes", plugin), re.MULTILINE)
    if [int(size, 16) for size in notes] != [304]:
        findings.append(f"carries notes of Berth with {notes} bytes, expected one with 0x130")
    return findings


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
