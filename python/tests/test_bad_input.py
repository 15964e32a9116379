# SPDX-License-Identifier: MIT
"""What cannot be done is refused in one sentence, and nothing is left behind."""

import os
import random
import subprocess
import sys
from pathlib import Path

import networkx
import pytest
from common import RING, program

import bellwether
from bellwether import BadInput


@pytest.mark.parametrize(
    ("scenario", "words", "sentence"),
    [
        ("none.toml", {}, "none.toml: there is no such file"),
        ("first-electron", {}, 'unknown scenario "first-electron"; did you mean "first-election"?'),
        ("scenarios", {}, "scenarios: is a folder; name a file in it"),
        ("a = [\n", {}, "scenario:1:"),
        ("[network]\nnods = 3\n", {}, 'scenario:2: network.nods: unknown key; did you mean'),
        ({"network": {"nods": 3}}, {}, 'network.nods: unknown key; did you mean "nodes"?'),
        ({"netwrk": {"nodes": 3}}, {}, "netwrk: unknown table"),
        ({"network": 3}, {}, "network: must be a table, not 3"),
        ({"network": {"nodes": "three"}}, {}, "network.nodes: must be a whole number"),
        ({"network": {"nodes": None}}, {}, "None is no value of any key"),
        ({"network": {"nodes": 10**30}}, {}, ""),
        ({"network": {3: 4}}, {}, "3 is no key"),
        ({"name": "\ud800"}, {}, "is not text that can be written as UTF-8"),
        ({"stop": {"time": 60}}, {}, 'stop.time: 60 has no unit; write for instance "60 ms"'),
        ({"network": {"topology": "file", "file": "none.edges"}}, {}, "none.edges"),
        ({}, {}, "network.nodes"),
        (RING, {"algorithm": "chang"}, 'algorithm: unknown algorithm "chang"; did you mean'),
        (RING, {"algorithm": 5}, 'algorithm: unknown algorithm "5"'),
        (RING, {"seed": -1}, 'seed: must be a whole number from 0 to 2^63-1, not "-1"'),
        (RING, {"seed": "x"}, 'not "x"'),
        (RING, {"seed": 1.5}, 'not "1.5"'),
        (RING, {"set": {"network.nods": 3}}, "set: network.nods: unknown key"),
        (RING, {"set": {"channel.loss": 2}}, "set: channel.loss: must be a number from 0 to 1"),
        (RING, {"set": {"network.nodes": object}}, "is no value of any key"),
        (RING, {"set": ["network.nodes=3"]}, "set: must be a dict"),
        (RING, {"set": {"options.x": 1}}, "options.x"),
        (RING, {"series": True}, "series: this run measures nothing over time"),
        ({**RING, "algorithm": "flood-max"}, {"series": True}, "synchronous rounds"),
        ({"algorithm": "bully", "network": {"topology": "line", "nodes": 3}}, {}, "complete"),
        ({"network": {"graph": 5}}, {}, "network.graph: must be a graph of networkx, not 5"),
        ({"network": {"graph": networkx.Graph()}}, {}, "network.graph: there are no nodes"),
        ({"network": {"graph": networkx.Graph([(1, 1)])}}, {}, "1 is linked to itself"),
        ({"network": {"graph": networkx.path_graph(3), "ids": "random"}}, {}, "network.names"),
        (None, {}, "scenario: must be a path, a TOML text or a dict, not None"),
        (b"x", {}, "scenario: must be a path, a TOML text or a dict"),
    ],
)
def test_bad_scenarios_are_refused_in_one_sentence(scenario, words, sentence, nothing_left):
    with pytest.raises(BadInput) as refused:
        bellwether.run(scenario, **words)
    said = str(refused.value)
    assert sentence in said
    assert "\n" not in said and not said.startswith("--") and "<scenario>" not in said
    assert isinstance(refused.value, ValueError)


def test_the_sentence_is_that_of_the_program(folder):
    (folder / "bad.toml").write_text('name = "\xe9"\n[network]\ntopology = "rng"\nnodes = 3\n')
    said = program("run", "bad.toml", status=2)
    with pytest.raises(BadInput) as refused:
        bellwether.run("bad.toml")
    assert said == f"bellwether: {refused.value}\n"


def test_bytes_that_are_no_text_do_not_matter(folder):
    (folder / "latin.toml").write_bytes(b'algorithm = "\xe9"\n')
    with pytest.raises(BadInput):
        bellwether.run("latin.toml")
    with pytest.raises(BadInput, match="there is no such file"):
        bellwether.run(os.fsdecode(b"\xe9.toml"))


@pytest.mark.parametrize(
    ("experiment", "words", "sentence"),
    [
        ("none.toml", {}, "none.toml: there is no such file"),
        ({"matrix": {"seed": [1]}}, {}, "names no scenario"),
        ({"scenario": "none.toml", "matrix": {"seed": [1]}}, {}, "none.toml: there is no"),
        ({"scenario": RING}, {}, "the matrix is empty"),
        ({"scenario": RING, "matrx": {}}, {}, "matrx"),
        ({"scenario": RING, "matrix": {"network.nodes": 5}}, {}, "must be a list of values"),
        (RING, {"axes": {}}, "the matrix is empty"),
        (RING, {"axes": {"network.nods": [1]}}, "network.nods: unknown key"),
        (RING, {"axes": {"algorithm": ["chang"]}}, 'unknown algorithm "chang"'),
        (RING, {"axes": {"network.nodes": [4, -4]}}, "network.nodes: must be a whole number"),
        (RING, {"axes": {"network.nodes": [4]}, "runs": 0}, "runs: must be a whole number from 1"),
        (RING, {"axes": {"network.nodes": [4]}, "runs": 2.5}, "runs: must be a whole number"),
        (RING, {"axes": {"network.nodes": [4]}, "jobs": True}, "jobs: must be a whole number"),
        (RING, {"axes": {"network.nodes": [4]}, "set": {"network.nodes": 5}}, "is an axis"),
        (RING, {"axes": {"network.nodes": [4]}, "out": "rows.csv"}, "out: names the SQLite file"),
        (RING, {"axes": {"network.nodes": [4]}, "out": "none/rows.sqlite"}, "none/rows.sqlite"),
        ({"network": {"graph": networkx.path_graph(3)}},
         {"axes": {"algorithm": ["cel-2"]}, "out": "rows.sqlite"}, "networkx.write_graphml"),
        (5, {}, "experiment: must be a path, a TOML text or a dict, not 5"),
    ],
)
def test_bad_experiments_are_refused_in_one_sentence(experiment, words, sentence, nothing_left):
    with pytest.raises(BadInput) as refused:
        bellwether.sweep(experiment, **words)
    said = str(refused.value)
    assert sentence in said
    assert "\n" not in said and not said.startswith("--") and "<experiment>" not in said


def test_a_results_file_of_something_else_is_refused(folder):
    (folder / "notes.sqlite").write_text("not a database")
    with pytest.raises(BadInput, match="notes.sqlite"):
        bellwether.sweep(RING, axes={"network.nodes": [4]}, out="notes.sqlite")
    bellwether.sweep(RING, axes={"network.nodes": [4]}, runs=1, out="rows.sqlite")
    with pytest.raises(BadInput, match="holds the results of another experiment"):
        bellwether.sweep(RING, axes={"network.nodes": [5]}, runs=1, out="rows.sqlite")


@pytest.mark.parametrize("at", [-1, "3 parsecs", float("nan"), float("inf"), 1e9, None])
def test_a_moment_is_within_the_run(at):
    with pytest.raises(BadInput, match="^at: "):
        bellwether.to_networkx("scenarios/partition-heals.toml", at=at)


def test_whoever_leads_only_a_run_can_tell():
    with pytest.raises(BadInput, match="crashes.leader_every"):
        bellwether.to_networkx("scenarios/thesis-fault-injection.toml", at=500)


def test_nothing_that_is_handed_over_ends_the_interpreter():
    draw = random.Random(1)
    atoms = [None, True, -1, 0, 2**31, 2**63, 1e308, float("nan"), "", "1 s", "all", "\0", "{",
             "é", b"", [], [[]], [[1, 2]], {}, {"x": {}}, "height", object(), RING]
    keys = ["network", "network.nodes", "stop", "algorithm", "change", "options", "nodes", "x", ""]
    values = [*atoms, {"topology": "ring", "nodes": 5}, {"topology": "grid", "nodes": 9}]
    limits = {"stop.events": 10_000, "network.spares": 0}
    for _ in range(2000):
        scenario = {draw.choice(keys): draw.choice(values) for _ in range(draw.randrange(4))}
        # Networks too large for this machine are another matter.
        if any(2**31 <= v for v in scenario.values() if isinstance(v, int)):
            continue
        try:
            bellwether.run(scenario, set=limits, seed=draw.choice(atoms))
        except BadInput as refused:
            assert "\n" not in str(refused)


@pytest.mark.parametrize(
    ("beside", "hint"),
    [((), "the module is not built yet: make build"), (("CMakeLists.txt",), "set PYTHONPATH")],
)
def test_without_the_compiled_part_the_import_says_what_to_do(folder, beside, hint):
    package = folder / "python" / "bellwether"
    package.mkdir(parents=True)
    source = Path(bellwether.__file__).parent
    for name in ("__init__.py", "_forms.py"):
        (package / name).write_text((source / name).read_text())
    for name in beside:
        (package.parent / name).touch()
    done = subprocess.run(
        [sys.executable, "-c", "import bellwether"],
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("ImportError: bellwether: ")
    assert hint in done.stderr
