# SPDX-License-Identifier: MIT
"""What scripts/weight makes of the logs of a build that never was."""
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "weight"

LOG = """# ninja log v5
0\t60000\t1\tsrc/bellwether/CMakeFiles/bellwether_cli.dir/cli/run.cpp.o\taa
0\t4000\t1\tsrc/bellwether/CMakeFiles/bellwether_algorithms.dir/algorithms/complete/bully.cpp.o\tab
100\t3100\t2\tsrc/bellwether/CMakeFiles/bellwether_cli.dir/cli/run.cpp.o\tac
3100\t5100\t3\tsrc/bellwether/CMakeFiles/bellwether_cli.dir/cli/list.cpp.o\tad
0\t7500\t4\tsrc/bellwether/CMakeFiles/bellwether_catalogue.dir/__/__/algorithms/bully.cpp.o\tae
0\t1500\t5\tCMakeFiles/cli_test.dir/src/bellwether/cli/run_test.cpp.o\taf
0\t9000\t6\ttests/claims/CMakeFiles/claims_test.dir/bully_test.cpp.o\tag
0\t6000\t7\ttests/check/CMakeFiles/searches_test.dir/mutants/bully_forgets.cpp.o\tah
0\t1000\t8\tsrc/bellwether/CMakeFiles/bellwether_cli_verify_interface_header_sets.dir/x.cxx.o\tai
0\t2500\t9\tCMakeFiles/test_headers.dir/cmake_pch.hxx.gch\taj
0\t500\t10\tpython/CMakeFiles/bellwether_python.dir/facts.cpp.o\tan
0\t700\t10\tbellwether\tak
0\t300\t11\tsrc/bellwether/libbellwether_cli.a\tal
0\t90000\t12\tviewer/modules.stamp\tam
"""
FUZZ_LOG = "# ninja log v5\n0\t5500\t1\tCMakeFiles/house.dir/node/api.cpp.o\tba\n"


class Weight(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build = pathlib.Path(self.folder.name)

    def write_logs(self):
        (self.build / ".ninja_log").write_text(LOG)
        fuzz = self.build / "tests" / "fuzz" / "built"
        fuzz.mkdir(parents=True)
        (fuzz / ".ninja_log").write_text(FUZZ_LOG)

    def weight(self, *arguments):
        return subprocess.run([SCRIPT, *arguments], capture_output=True, text=True, check=False)

    def test_kinds_heaviest_first_with_the_newest_entry_of_each_output(self):
        self.write_logs()
        lines = self.weight(self.build).stdout.splitlines()
        rows = [line.rsplit(maxsplit=2) for line in lines[1 : lines.index("")]]
        self.assertEqual(
            [(kind, int(number), float(seconds)) for kind, number, seconds in rows],
            [
                ("tests: claims", 1, 9.0),
                ("generated: catalogue", 1, 7.5),
                ("tests: mutants", 1, 6.0),
                ("tests: fuzz", 1, 5.5),
                ("sources: cli", 2, 5.0),
                ("sources: algorithms", 1, 4.0),
                ("precompiled headers", 1, 2.5),
                ("unit tests: cli", 1, 1.5),
                ("headers alone", 1, 1.0),
                ("links", 2, 1.0),
                ("python", 1, 0.5),
            ],
        )

    def test_the_ten_heaviest_units(self):
        self.write_logs()
        lines = self.weight(self.build).stdout.splitlines()
        first = lines.index("the 10 heaviest units, in seconds") + 1
        units = lines[first : lines.index("", first)]
        self.assertEqual(len(units), 10)
        self.assertEqual(units[0].split(), ["9.0", "tests/claims/claims_test/bully_test.cpp"])
        self.assertEqual(units[-1].split()[0], "1.0")

    def test_the_last_line_is_the_total_of_what_was_compiled(self):
        self.write_logs()
        total = "weight: 11 units, 0.7 CPU-ish minutes of compilation"
        self.assertEqual(self.weight(self.build).stdout.splitlines()[-1], total)
        self.assertEqual(self.weight("--total", self.build).stdout, total + "\n")

    def test_without_a_build_it_says_what_to_do(self):
        done = self.weight(self.build)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(".ninja_log: not found; run make build first", done.stderr)

    def test_other_words_are_refused(self):
        self.write_logs()
        for words in (["--sum"], [self.build, self.build]):
            done = self.weight(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("scripts/weight [--total] [FOLDER]", done.stderr)


if __name__ == "__main__":
    unittest.main()
