"""Checks that a shared library exports Berth's own API, all of it and nothing else, and that it is never unmapped.

Usage: exported_symbols.py <libberth.so> <component archive>...; prints each wrong symbol, exit code 1 if there is any.
All of it: every function of the archives that is not inline and lies outside a namespace `detail` or without a name.
"""

import re
import subprocess
import sys

# Mangled names of namespace berth: functions and objects, run-time type information, thunks.
OWN = re.compile(r"_Z(T[VIST])?N[KRO]*5berth|_ZT[hv].*_N[KRO]*5berth")
DETAIL = re.compile(r"(non-virtual thunk to )?berth::(\w+::)*(detail|\(anonymous namespace\))::")
# Libraries whose types must not be part of the API either.
FOREIGN = re.compile(r"\b(spdlog|fmt|toml|flatbuffers|executorch_flatbuffer|boost|Eigen|nlohmann|CLI|xt)::")


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    library, *archives = arguments
    symbols = defined("--dynamic", library)
    wrong = wrong_symbols(symbols) + missing_symbols(symbols, archives)
    if "NODELETE" not in run("readelf", "--dynamic", library):
        wrong.append("the library can be unmapped: link it with -z nodelete")
    for line in wrong:
        print(line)
    print(f"{len(symbols)} symbols exported, {len(wrong)} findings")
    return 1 if wrong or not symbols else 0


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def defined(option, file, kinds=""):
    """Mangled name -> demangled name of the symbols that nm lists, of these kinds ("": all)."""
    lines = [line.split() for line in run("nm", option, "--defined-only", file).splitlines()]
    mangled = [line[2].split("@")[0] for line in lines if len(line) == 3 and (not kinds or line[1] in kinds)]
    names = subprocess.run(["c++filt"], input="\n".join(mangled), check=True, capture_output=True, text=True).stdout
    return dict(zip(mangled, names.splitlines()))


def wrong_symbols(symbols):
    wrong = []
    for mangled, name in sorted(symbols.items()):
        if not OWN.match(mangled):
            wrong.append(f"not of namespace berth: {name}")
        elif FOREIGN.search(name):
            wrong.append(f"a library's type in the API: {name}")
        elif DETAIL.match(name):
            wrong.append(f"an implementation detail: {name}")
    return wrong


def missing_symbols(symbols, archives):
    """Functions of the archives, as far as they are users' business, that the library keeps to itself."""
    missing = set()
    for archive in archives:
        for mangled, name in defined("--extern-only", archive, "T").items():
            if OWN.match(mangled) and mangled not in symbols and not DETAIL.match(name):
                missing.add(f"public, but not exported (BERTH_API is missing): {name}")
    return sorted(missing)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
