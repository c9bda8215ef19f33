"""Shows each check of this folder red on a planted mistake: a check that cannot fail checks nothing."""

import contextlib
import io
import os
import pathlib
import tempfile
import unittest

import documentation
import exported_symbols
import file_sizes
import include_arrows
import readme_commands
import umbrella_header


def run(check, *arguments):
    """Exit code and printed lines of a check."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        code = check.main([str(argument) for argument in arguments])
    return code, out.getvalue().splitlines()


class TreeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def arrows_of(self, name, header):
        """What include_arrows says about one file with one include."""
        self.write(name, f"#include {header}\n")
        code, lines = run(include_arrows, self.root)
        self.assertEqual(code, 1 if len(lines) > 1 else 0)
        return lines[:-1]


class IncludeArrowsTest(TreeTest):
    def test_accepts_right_arrows(self):
        self.write("module/src/a.cpp", '#include "berth/program/program.h"\n#include "b.h"\n#include <vector>\n')
        self.write("module/src/b.h", '#include "berth/core/status.h"\n')
        self.write("core/include/berth/core/result.h", "#include <tl/expected.hpp>\n")
        self.write("reference/src/kernels/mm.cpp", "#include <Eigen/Core>\n")
        self.write("tools/src/report/json.cpp", "#include <nlohmann/json.hpp>\n")
        self.assertEqual(run(include_arrows, self.root), (0, ["5 files, 0 wrong includes"]))

    def test_refuses_module_that_sees_loader(self):
        self.assertEqual(self.arrows_of("module/src/a.cpp", '"berth/loader/load_registry.h"'),
                         ["module/src/a.cpp:1: berth/loader/load_registry.h: module does not know loader"])

    def test_refuses_core_that_sees_the_plugin_abi(self):
        self.assertEqual(self.arrows_of("core/src/a.cpp", "<berth/plugin.h>"),
                         ["core/src/a.cpp:1: berth/plugin.h: core does not know abi"])

    def test_refuses_plugin_that_sees_core(self):
        self.assertEqual(self.arrows_of("plugins/mock/a.cpp", '"berth/core/status.h"'),
                         ["plugins/mock/a.cpp:1: berth/core/status.h: plugins does not know core"])

    def test_refuses_product_that_sees_tests(self):
        self.assertEqual(self.arrows_of("tools/src/a.cpp", '"berth/test/temp_dir.h"'),
                         ["tools/src/a.cpp:1: berth/test/temp_dir.h: belongs to no folder of the product"])

    def test_refuses_private_header_of_another_folder(self):
        self.write("core/src/ledger.h", "")
        self.assertEqual(self.arrows_of("module/src/a.cpp", '"../../core/src/ledger.h"'),
                         ["module/src/a.cpp:1: ../../core/src/ledger.h: a private header of another folder"])

    def test_refuses_header_that_is_not_there(self):
        self.assertEqual(self.arrows_of("module/src/a.cpp", '"ledger.h"'),
                         ["module/src/a.cpp:1: ledger.h: found neither beside the file nor in its folder's src/"])

    def test_refuses_wrong_arrows_inside_the_loader(self):
        self.write("loader/src/registry/policy.h", "")
        self.assertEqual(self.arrows_of("loader/src/plugin/a.cpp", '"registry/policy.h"'),
                         ["loader/src/plugin/a.cpp:1: registry/policy.h: loader/plugin does not know loader/registry"])
        self.write("loader/src/plugin/a.cpp", "")
        self.assertEqual(self.arrows_of("loader/src/registry/b.cpp", '"berth/plugin.h"'),
                         ["loader/src/registry/b.cpp:1: berth/plugin.h: loader/registry does not know abi"])

    def test_refuses_each_library_outside_its_folder(self):
        for prefix in include_arrows.THIRD_PARTY:
            header = prefix + "x.h" if prefix.endswith("/") else prefix
            with self.subTest(header):
                found = self.arrows_of("module/src/a.cpp", f"<{header}>")
                self.assertEqual(len(found), 1)
                self.assertIn(f"module/src/a.cpp:1: {header}: {prefix} is private to ", found[0])

    def test_refuses_library_in_a_public_header(self):
        self.assertEqual(self.arrows_of("core/include/berth/core/a.h", "<boost/intrusive/list.hpp>"),
                         ["core/include/berth/core/a.h:1: boost/intrusive/list.hpp: a public header includes only the "
                          "standard library, tl/expected.hpp and Berth"])

    def test_refuses_a_tree_without_sources(self):
        self.assertEqual(run(include_arrows, self.root), (1, ["0 files, 0 wrong includes"]))


class FileSizesTest(TreeTest):
    def test_refuses_a_long_file_only(self):
        self.write("core/src/fits.cpp", "\n" * 300)
        self.write("core/src/long.cpp", "\n" * 301)
        self.assertEqual(run(file_sizes, self.root),
                         (1, ["core/src/long.cpp: 301 lines, at most 300", "2 files, 1 too long"]))


class UmbrellaHeaderTest(TreeTest):
    def test_names_what_is_missing_and_what_is_stale(self):
        self.write("lib/include/berth/berth.h", '#include "berth/core/old.h"\n#include "berth/version.h"\n')
        self.write("core/include/berth/core/new.h", "")
        self.assertEqual(run(umbrella_header, self.root),
                         (1, ['missing: #include "berth/core/new.h"', "not a public header: berth/core/old.h",
                              "2 headers included"]))


class DocumentationTest(TreeTest):
    def test_names_dead_links_and_tests_that_are_not_there(self):
        self.write("README.md", "[good](docs/differences.md) [dead](docs/gone.md#x) [far](https://example.org/x)\n")
        self.write("docs/differences.md", "`BufferTest.FreesOnce` `BufferTest.Gone`\n")
        self.write("tests/unit/core/buffer_test.cpp", "TEST(BufferTest, FreesOnce) {}\n")
        self.assertEqual(run(documentation, self.root),
                         (1, ["README.md: docs/gone.md is not there", "docs/differences.md: no test BufferTest.Gone",
                              "2 pages, 2 findings"]))


class ReadmeCommandsTest(TreeTest):
    def check(self, readme, program="#!/bin/sh\necho file: $0\necho took 17 ms\necho done\n"):
        self.write("README.md", "```console\n" + readme + "```\n")
        self.write("out/bin/berth", program)
        (self.root / "out/bin/berth").chmod(0o755)
        return run(readme_commands, self.root, self.root / "out")

    def test_accepts_what_is_printed_apart_from_folders_and_durations(self):
        self.assertEqual(self.check("$ build/release/bin/berth x\nfile: /home/me/berth/build/release/bin/berth\n"
                                    "took 3.5 ms\ndone\n"), (0, ["1 commands, 0 wrong"]))

    def test_accepts_left_out_lines(self):
        self.assertEqual(self.check("$ build/release/bin/berth\n...\ndone\n"), (0, ["1 commands, 0 wrong"]))

    def test_refuses_other_output(self):
        code, lines = self.check("$ build/release/bin/berth x\nall is well\n")
        self.assertEqual((code, lines[0]),
                         (1, "build/release/bin/berth x: README.md shows other output than it prints:"))

    def test_refuses_a_command_that_fails(self):
        self.assertEqual(self.check("$ build/release/bin/berth x\n", "#!/bin/sh\necho no >&2; exit 4\n"),
                         (1, ["build/release/bin/berth x: exit code 4: no", "1 commands, 1 wrong"]))

    def test_refuses_a_script_that_is_not_there(self):
        self.assertEqual(self.check("$ scripts/gone\n"),
                         (1, ["scripts/gone: not a program of this tree", "1 commands, 1 wrong"]))

    def test_refuses_a_readme_without_commands(self):
        self.assertEqual(self.check(""), (1, ["0 commands, 0 wrong"]))


class ExportedSymbolsTest(unittest.TestCase):
    def test_names_each_wrong_symbol(self):
        self.assertEqual(run(exported_symbols, os.environ["BERTH_LEAKY_LIBRARY"], os.environ["BERTH_LEAKY_ARCHIVE"]), (1, [
            "a library's type in the API: berth::parse(toml::table const&)",
            "an implementation detail: berth::detail::inner()",
            "not of namespace berth: spdlog::drop_all()",
            "public, but not exported (BERTH_API is missing): berth::forgotten()",
            "the library can be unmapped: link it with -z nodelete",
            "4 symbols exported, 5 findings"]))


if __name__ == "__main__":
    unittest.main()
