"""Runs the commands that README.md shows and compares what they print with what it shows.

Commands stand in ```console blocks, on lines that start with "$ " (a backslash at the end goes on); what follows, up to
the next command, is the output.
Commands of bin/berth run in the source tree with the program of this build; scripts must be there, and are run by
scripts/check-fresh. Differences that do not count: the folder of the source tree (README: /home/me/berth), the build
folder, durations. A line "..." in the README stands for any lines.
Usage: readme_commands.py <source tree> <build tree>; prints what differs, exit code 1 if anything does.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

README_ROOT = "/home/me/berth"
README_BUILD = "build/release"
DURATION = re.compile(r"\b\d+(\.\d+)? ?(ns|us|µs|ms|s)\b")


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    root, build = (pathlib.Path(argument).resolve() for argument in arguments)
    commands = commands_of((root / "README.md").read_text())
    wrong = []
    for command, shown in commands:
        wrong += check(root, build, command, shown)
    for line in wrong:
        print(line)
    print(f"{len(commands)} commands, {len(wrong)} wrong")
    return 1 if wrong or not commands else 0


def commands_of(text):
    """All (command, [lines of output]) of the console blocks."""
    commands = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        for line in block.replace("\\\n", "").splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            elif commands:
                commands[-1][1].append(line)
    return commands


def check(root, build, command, shown):
    """What is wrong with one command, as a list of texts."""
    program, *arguments = shlex.split(command)
    if program.startswith("scripts/"):
        return [] if os.access(root / program, os.X_OK) else [f"{program}: not a program of this tree"]
    if not program.startswith(README_BUILD + "/"):
        return [f"{command}: starts with neither scripts/ nor {README_BUILD}/"]
    program = build / program.removeprefix(README_BUILD + "/")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BERTH_")}
    result = subprocess.run([program, *arguments], cwd=root, env=environment, capture_output=True, text=True)
    if result.returncode != 0:
        return [f"{command}: exit code {result.returncode}: {result.stderr.strip()}"]
    return compare(command, shown, result.stdout, root, build)


def compare(command, shown, printed, root, build):
    if not shown:
        return []
    printed = printed.replace(str(build), f"{README_ROOT}/{README_BUILD}").replace(str(root), README_ROOT)
    expected = [re.escape(normal(line)) if line != "..." else "(.*\n)*?.*" for line in shown]
    text = "\n".join(normal(line) for line in printed.rstrip("\n").splitlines())
    if re.fullmatch("\n".join(expected), text):
        return []
    return [f"{command}: README.md shows other output than it prints:\n{printed}"]


def normal(line):
    return DURATION.sub("<time>", line).rstrip()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
