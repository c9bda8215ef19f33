"""Checks that every #include follows the arrows between folders (docs/architecture.md).

The rules are data: KNOWS says which folders a folder may include, THIRD_PARTY where each library's headers may be
included. Headers of a folder are named berth/<folder>/x.h; anything else in quotes is private and must lie in the folder
itself. Usage: include_arrows.py <source tree>; prints one line for each wrong include, exit code 1 if there is any.
"""

import pathlib
import re
import sys

# Folder -> the other folders whose headers it may include.
KNOWS = {
    "abi": set(),
    "core": set(),
    "loader": {"core", "abi"},
    "program": {"core"},
    "module": {"core", "program"},
    "reference": {"core", "program", "module"},
    "planning": {"core", "program"},
    "conformance": {"core", "abi", "loader"},
    "plugins": {"abi"},
    "adapters": {"core", "loader"},
    "lib": {"core", "loader", "program", "module", "reference"},
    "tools": {"abi", "core", "loader", "program", "module", "reference", "planning", "lib"},
}

# Second word of "berth/<word>/..." where it is not the folder's name, and headers directly below berth/.
OWNER_OF_NAME = {"cli": "tools", "report": "tools"}
OWNER_OF_HEADER = {
    "plugin.h": "abi",
    "plugin_helper.h": "abi",
    "plugin_helper.hpp": "abi",
    "berth.h": "lib",
    "version.h": "lib",
}

# Inside the loader: plugin/ (files, handshake, tables) does not know registry/ (TOML, search, policies), which in turn
# does not know the plugin ABI.
REGISTRY_HEADERS = {"effective_config.h", "load_registry.h", "registry_options.h"}

# Prefix of an included header -> regular expression of the files that may include it.
THIRD_PARTY = {
    "boost/dll": r"loader/src/plugin/",
    "toml++/": r"loader/src/registry/",
    "flatbuffers/": r"program/src/",
    "Eigen/": r"reference/src/",
    "nlohmann/": r"tools/(.*/)?report/",
    "spdlog/": r"core/src/log",
    "fmt/": r"core/src/log",
    "CLI/": r"tools/",
    "xtensor/": r"tools/",
    "openssl/": r"loader/src/",
    "libelf.h": r"loader/src/plugin/",
    "gelf.h": r"loader/src/plugin/",
    "cuda.h": r"plugins/cuda/",
    "CL/": r"plugins/opencl/",
    "vulkan/": r"plugins/vulkan/",
    "gtest/": r"tests/",
    "gmock/": r"tests/",
    "benchmark/": r"benchmarks/",
}
PUBLIC_THIRD_PARTY = {"tl/expected.hpp"}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
SOURCES = {".h", ".hpp", ".c", ".cpp"}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    wrong, files = check_tree(pathlib.Path(arguments[0]))
    for line in wrong:
        print(line)
    print(f"{files} files, {len(wrong)} wrong includes")
    return 1 if wrong or files == 0 else 0


def check_tree(root):
    """All violations below root as text, and the number of files looked at."""
    wrong, files = [], 0
    for folder in KNOWS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in SOURCES and path.is_file():
                files += 1
                wrong += check_file(root, path)
    return wrong, files


def check_file(root, path):
    name = path.relative_to(root).as_posix()
    wrong = []
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            reason = check_include(root, path, name, match.group(1) == '"', match.group(2))
            if reason:
                wrong.append(f"{name}:{number}: {match.group(2)}: {reason}")
    return wrong


def check_include(root, path, name, quoted, header):
    """Why this include is wrong, or None."""
    if header.startswith("berth/"):
        return check_own(name, header)
    if quoted:
        return check_private(root, path, name, header)
    for prefix, allowed in THIRD_PARTY.items():
        if header.startswith(prefix) and not re.match(allowed, name):
            return f"{prefix} is private to {allowed}"
    if re.match(r"[^/]+/include/", name) and "/" in header and header not in PUBLIC_THIRD_PARTY:
        return "a public header includes only the standard library, tl/expected.hpp and Berth"
    return None


def check_own(name, header):
    folder, parts = name.split("/")[0], header.split("/")
    if len(parts) == 2:
        owner = OWNER_OF_HEADER.get(parts[1])
    else:
        owner = OWNER_OF_NAME.get(parts[1], parts[1])
    if owner not in KNOWS:
        return "belongs to no folder of the product"
    if name.startswith("loader/src/plugin/") and parts[1:2] == ["loader"] and parts[-1] in REGISTRY_HEADERS:
        return "loader/plugin does not know loader/registry"
    if name.startswith("loader/src/registry/") and owner == "abi":
        return "loader/registry does not know abi"
    if owner != folder and owner not in KNOWS[folder]:
        return f"{folder} does not know {owner}"
    return None


def check_private(root, path, name, header):
    parts = name.split("/")
    home = root / parts[0] / parts[1] if parts[0] == "plugins" else root / parts[0]
    for base in (path.parent, home / "src", home):
        target = (base / header).resolve()
        if target.is_file():
            if not target.is_relative_to(home.resolve()):
                return "a private header of another folder"
            return check_loader_side(name, target.relative_to(root.resolve()).as_posix())
    if header.endswith("_generated.h"):
        return None if parts[0] == "program" else "generated FlatBuffers code is private to program"
    return "found neither beside the file nor in its folder's src/"


def check_loader_side(name, target):
    if name.startswith("loader/src/plugin/") and target.startswith("loader/src/registry/"):
        return "loader/plugin does not know loader/registry"
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
