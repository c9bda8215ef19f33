"""Checks that a shared library exports Berth's own API and nothing else, and that it is never unmapped.

Usage: exported_symbols.py <libberth.so>; prints each wrong symbol, exit code 1 if there is any.
"""

import re
import subprocess
import sys

# Mangled names of namespace berth: functions and objects, run-time type information, thunks.
OWN = re.compile(r"_Z(T[VIST])?N[KRO]*5berth|_ZT[hv].*_N[KRO]*5berth")
# Libraries whose types must not be part of the API either.
FOREIGN = re.compile(r"\b(spdlog|fmt|toml|flatbuffers|executorch_flatbuffer|boost|Eigen|nlohmann|CLI|xt)::")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    library = arguments[0]
    symbols = exported(library)
    wrong = wrong_symbols(symbols)
    if "NODELETE" not in run("readelf", "--dynamic", library):
        wrong.append("the library can be unmapped: link it with -z nodelete")
    for line in wrong:
        print(line)
    print(f"{len(symbols)} symbols exported, {len(wrong)} findings")
    return 1 if wrong or not symbols else 0


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def exported(library):
    """Mangled name -> demangled name of all symbols that the dynamic symbol table defines."""
    mangled = [line.split()[-1].split("@")[0] for line in run("nm", "--dynamic", "--defined-only", library).splitlines()]
    names = subprocess.run(["c++filt"], input="\n".join(mangled), check=True, capture_output=True, text=True).stdout
    return dict(zip(mangled, names.splitlines()))


def wrong_symbols(symbols):
    wrong = []
    for mangled, name in sorted(symbols.items()):
        if not OWN.match(mangled):
            wrong.append(f"not of namespace berth: {name}")
        elif FOREIGN.search(name):
            wrong.append(f"a library's type in the API: {name}")
        elif re.search(r"\bberth::(\w+::)*detail::\w+(::\w+)*\(", name.split("(")[0] + "("):
            wrong.append(f"an implementation detail: {name}")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
