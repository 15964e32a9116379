# SPDX-License-Identifier: MIT
"""The package against the program, whose path is in BELLWETHER_PROGRAM."""

import io
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import networkx
import numpy
import pandas
import pytest

import bellwether
from bellwether import BadInput

RING = {"algorithm": "chang-roberts", "network": {"topology": "ring", "nodes": 8}}
MOVING = "scenarios/thesis-random-waypoint.toml"
ENDLESS = {"set": {"stop.time": "1000000 s", "network.nodes": 400, "metrics.on": "off"}}

EXPERIMENT = """
scenario = "scenarios/thesis-random-waypoint.toml"
[set]
stop.time = "5 s"
network.nodes = 30
[matrix]
algorithm = ["flooding", "cel-2"]
radio.range = [90, 180]
[repeat]
runs = 3
"""


def program(*words, status=0):
    done = subprocess.run(
        [os.environ["BELLWETHER_PROGRAM"], *words], capture_output=True, text=True, check=False
    )
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


def read_csv(text):
    return pandas.read_csv(
        io.StringIO(text), dtype={"fingerprint": str}, float_precision="round_trip"
    )


def same(rows, others):
    pandas.testing.assert_frame_equal(rows, others, check_dtype=False, check_exact=True)


# Runs.


@pytest.mark.parametrize(
    ("scenario", "seed", "changes"),
    [
        ("first-election", None, {}),
        ("first-election", 7, {"network.nodes": 100}),
        ("partition-heals", None, {"stop.time": "3s"}),
        ("bully-crash", 2, {"channel.max": "20 ms"}),
        ("flood-max", None, {"network.rows": 5}),
        ("itai-rodeh", None, {}),
        ("adversary", None, {"start.nodes": [3, 4]}),
        ("thesis-random-waypoint", 3, {"stop.time": "10 s", "options.range": 120.5}),
    ],
)
def test_a_run_is_that_of_the_program(scenario, seed, changes):
    path = f"scenarios/{scenario}.toml"
    words = [word for k, v in changes.items() for word in ("--set", f"{k}={v}")]
    words += [] if seed is None else ["--seed", str(seed)]
    printed = json.loads(program("run", path, "--json", *words))
    assert bellwether.run(path, seed=seed, set=changes) == printed


def test_an_algorithm_can_be_another():
    printed = program("run", "scenarios/ring-field.toml", "--json", "--algorithm", "franklin")
    report = bellwether.run("scenarios/ring-field.toml", algorithm="franklin")
    assert report == json.loads(printed)


def test_a_scenario_is_a_path_a_text_or_a_dict(folder):
    text = 'algorithm = "chang-roberts"\n[network]\ntopology = "ring"\nnodes = 8\n'
    (folder / "ring.toml").write_text(text)
    reports = [bellwether.run(s) for s in (text, RING, "ring.toml", folder / "ring.toml")]
    assert all(report == reports[0] for report in reports)
    assert reports[0]["leaders"] == [{"component": 0, "size": 8, "leader": 8, "agreed": True}]


def test_a_dict_says_all_that_toml_says():
    scenario = {
        "name": 'a "quoted" näme 🐏 \x7f\n',
        "algorithm": "height",
        "properties": ["agreement"],
        "network": {"topology": "line", "nodes": numpy.int64(5), "names": numpy.arange(2, 7)},
        "channel": {"loss": numpy.float64(0.0), "delay": "uniform"},
        "change": [
            {"at": "1 s", "cut": [[3, 4]]},
            {"at": "2 s", "crash": 6},
            {"at": "3 s", "restart": 6, "memory": True},
        ],
        "stop.time": "10 s",
    }
    report = bellwether.run(scenario)
    assert report["scenario"] == scenario["name"]
    assert [row["size"] for row in report["leaders"]] == [2, 3]
    assert report["ended"] == "quiescent"


def test_the_same_seed_gives_the_same_run():
    one, again, other = (bellwether.run("scenarios/swarm.toml", seed=s, set={"stop.time": "2 s"})
                         for s in (5, 5, 6))
    assert one == again
    assert one["fingerprint"] != other["fingerprint"]


def test_what_is_measured_over_time_is_a_table(folder):
    report = bellwether.run(MOVING, set={"stop.time": "10 s"}, series=True)
    program("run", MOVING, "--set", "stop.time=10s", "--series", "run.csv")
    assert isinstance(report["series"], pandas.DataFrame)
    same(report["series"], read_csv((folder / "run.csv").read_text()))
    assert all(kind == float for kind in report["series"].dtypes)


def test_a_broken_property_is_part_of_the_report():
    scenario = {
        "algorithm": "vasudevan",
        "network": {"topology": "line", "nodes": 4},
        "channel": {"loss": 1},
        "beyond_model": True,
        "properties": "all",
    }
    report = bellwether.run(scenario)
    assert report["ended"] == "violation"
    assert report["violation"].startswith("agreement: ")
    assert report["last_steps"]


# Sweeps.


@pytest.fixture(scope="module")
def program_rows(tmp_path_factory):
    """The rows of the program, by point, then seed."""
    folder = tmp_path_factory.mktemp("program")
    here = os.path.dirname(__file__)
    (folder / "scenarios").symlink_to(os.path.join(here, "..", "..", "scenarios"))
    (folder / "experiment.toml").write_text(EXPERIMENT)
    program("sweep", str(folder / "experiment.toml"), "--out", str(folder / "rows.sqlite"))
    rows = read_csv((folder / "rows.csv").read_text())
    order = {"flooding": 0, "cel-2": 1}
    return rows.sort_values(
        ["algorithm", "radio.range", "seed"],
        key=lambda column: column.map(order) if column.name == "algorithm" else column,
    ).reset_index(drop=True)


@pytest.mark.parametrize("jobs", [None, 1, 3])
def test_a_sweep_has_the_rows_of_the_program(program_rows, nothing_left, jobs):
    rows = bellwether.sweep(EXPERIMENT, jobs=jobs)
    same(rows, program_rows)
    assert rows["fingerprint"].map(type).eq(str).all()
    assert rows["messages"].dtype == "int64"
    assert rows["instability"].dtype == "float64"
    assert rows["radio.range"].dtype == "int64"


def test_an_experiment_is_a_path_a_text_or_a_dict(program_rows, folder):
    (folder / "experiment.toml").write_text(EXPERIMENT)
    same(bellwether.sweep(folder / "experiment.toml"), program_rows)
    axes = {"algorithm": ["flooding", "cel-2"], "radio.range": numpy.array([90, 180])}
    less = {"stop.time": "5 s", "network.nodes": 30}
    whole = {"scenario": MOVING, "set": less, "matrix": axes, "repeat": {"runs": 3}}
    same(bellwether.sweep(whole), program_rows)
    same(bellwether.sweep(MOVING, axes=axes, runs=3, set=less), program_rows)
    text = (folder / MOVING).read_text()
    same(bellwether.sweep(text, axes=axes, runs=3, set=less), program_rows)


def test_a_sweep_of_a_dict_and_a_graph(nothing_left):
    scenario = {**RING, "network": {"graph": networkx.cycle_graph(6)}}
    rows = bellwether.sweep(scenario, axes={"algorithm": ["chang-roberts", "franklin"]}, runs=2)
    assert list(rows["algorithm"]) == ["chang-roberts"] * 2 + ["franklin"] * 2
    assert (rows["nodes"] == 6).all()


def test_a_stopped_sweep_goes_on(folder):
    class Enough(Exception):
        pass

    def stop(done, planned):
        if done >= 3:
            raise Enough

    scenario = {**RING, "channel": {"delay": "uniform"}}
    kept = {"axes": {"network.nodes": [200, 400, 800]}, "runs": 5, "out": folder / "kept.sqlite"}
    with pytest.raises(Enough):
        bellwether.sweep(scenario, **kept, jobs=1, progress=stop)
    seen = []
    rows = bellwether.sweep(scenario, **kept, progress=lambda *told: seen.append(told))
    assert 3 <= seen[0][0] < 15 and seen[-1] == (15, 15)
    assert len(rows) == 15
    kept.pop("out")
    same(rows, bellwether.sweep(scenario, **kept))
    same(rows, read_csv((folder / "kept.csv").read_text()).sort_values(["network.nodes", "seed"])
         .reset_index(drop=True))  # fmt: skip
    program("report", str(folder / "kept.sqlite"), "--out", str(folder / "page.html"))


def test_the_program_goes_on_where_python_was(folder):
    (folder / "experiment.toml").write_text(EXPERIMENT)
    bellwether.sweep("experiment.toml", runs=1, out="both.sqlite")
    program("sweep", "experiment.toml", "--out", "both.sqlite")
    assert len(bellwether.sweep("experiment.toml", out="both.sqlite")) == 12


def test_progress_is_a_line(capsys):
    bellwether.sweep(RING, axes={"seed": [1]}, runs=2, progress=True)
    assert capsys.readouterr().err.endswith("\r2 of 2 runs\n")


def test_an_estimate_is_that_of_the_reports():
    mean, low, high = bellwether.estimate([1, 2, 3, 4, float("nan")])
    assert mean == 2.5
    assert high - mean == pytest.approx(3.182446 * 1.290994 / 2, abs=1e-5)
    assert low == pytest.approx(5 - high)
    assert bellwether.estimate([7.0]) == (7, 7, 7)
    _, low, high = bellwether.estimate(pandas.Series(range(100)), bootstrap=True)
    assert 40 < low < 49.5 < high < 60
    with pytest.raises(BadInput, match="confidence"):
        bellwether.estimate([1, 2], confidence=1)


# What there is.


def test_all_algorithms_are_described():
    listed = program("list", "models")
    rows = bellwether.algorithms()
    assert len(rows) > 30
    for row in rows:
        assert f"  {row['name']} " in listed
        facts = bellwether.describe(row["name"])
        assert facts["title"] == row["title"] and facts["guarantee"]
        assert facts["model"]["bears_loss"] == row["bears_loss"]
    cel = bellwether.describe("cel-2")
    assert cel["elects"] == "closeness" and cel["model"]["bears_crashes"]
    assert {"name", "kind", "default", "about"} <= cel["options"][0].keys()
    with pytest.raises(BadInput, match='unknown algorithm "cell"; did you mean "cel"?'):
        bellwether.describe("cell")


# Graphs.


def graphs():
    yield networkx.karate_club_graph()
    yield networkx.grid_2d_graph(3, 4)
    yield networkx.relabel_nodes(networkx.path_graph(4), dict(enumerate("dbca")))
    alone = networkx.Graph()
    alone.add_nodes_from(["a", "b", 3, -1.5, ("x", "y")])
    alone.add_edge("a", 3)
    yield alone
    yield networkx.gnp_random_graph(40, 0.05, seed=2)
    yield networkx.DiGraph([(0, 1), (1, 2), (2, 0)])


@pytest.mark.parametrize("graph", graphs())
def test_a_graph_comes_back_as_it_was(graph, nothing_left):
    back = bellwether.to_networkx({"network": bellwether.network(graph)})
    assert set(back.nodes) == set(graph.nodes)
    assert back.is_directed() == graph.is_directed()
    assert networkx.utils.edges_equal(list(back.edges), list(graph.edges()))
    assert sorted(back.nodes[node]["id"] for node in back) == list(range(1, len(graph) + 1))


def test_all_agree_which_way_a_cycle_is_walked():
    graph = networkx.relabel_nodes(networkx.cycle_graph(7), dict(enumerate("dbfcage")))
    report = bellwether.run({**RING, "network": bellwether.network(graph)})
    assert report["leaders"] == [{"component": 0, "size": 7, "leader": "e", "agreed": True}]
    two = networkx.disjoint_union(networkx.cycle_graph(3), networkx.cycle_graph(4))
    with pytest.raises(BadInput, match="ring"):
        bellwether.run({**RING, "network": bellwether.network(two)})


@pytest.mark.parametrize("graph", list(graphs())[:5])
def test_the_leader_of_a_graph_is_its_most_central_node(graph):
    report = bellwether.run({"algorithm": "cel-2", "network": bellwether.network(graph)})
    found = bellwether.central(graph)
    assert {row["leader"] for row in report["leaders"]} == set(found)
    for row in report["leaders"]:
        assert row["size"] == found[row["leader"]]["nodes"]


def test_a_scenario_names_nodes_as_its_graph_does():
    graph = networkx.path_graph(["north", "east", ("so", "uth"), "west"])
    scenario = {
        "algorithm": "height",
        "network": bellwether.network(graph),
        "start": {"nodes": ["east"]},
        "change": [
            {"at": "1 s", "cut": [["north", "east"]]},
            {"at": "2 s", "crash": ("so", "uth")},
            {"at": "3 s", "join": [("north", "west")]},
        ],
    }
    assert set(bellwether.to_networkx(scenario, at=2.5).edges) == set()
    late = bellwether.to_networkx(scenario, at="3 s")
    assert set(late.nodes) == {"north", "east", "west"}
    assert set(late.edges) == {("north", "west")}
    sizes = {row["leader"]: row["size"] for row in bellwether.run(scenario)["leaders"]}
    assert sizes["east"] == 1 and sorted(sizes.values()) == [1, 2]
    with pytest.raises(BadInput, match="'south' is no node of network.graph"):
        bellwether.run({**scenario, "change": [{"at": "1 s", "crash": "south"}]})


def test_an_anonymous_graph_has_no_names():
    network = {**bellwether.network(networkx.cycle_graph(5)), "anonymous": True}
    report = bellwether.run({"algorithm": "itai-rodeh", "network": network})
    assert report["agreed"] and report["leaders"][0]["leader"] == 0
    graph = bellwether.to_networkx({"algorithm": "itai-rodeh", "network": network})
    assert set(graph) == set(range(5))


@pytest.mark.parametrize("seed", range(30))
def test_central_is_what_networkx_finds_by_closeness(seed):
    graph = networkx.gnp_random_graph(3 * seed + 1, 1.5 / (3 * seed + 1), seed=seed)
    closeness = networkx.closeness_centrality(graph, wf_improved=False)
    expected = {}
    for part in networkx.connected_components(graph):
        best = max(closeness[node] for node in part)
        winner = max(node for node in part if closeness[node] > best - 1e-12)
        distances = networkx.single_source_shortest_path_length(graph, winner)
        expected[winner] = (len(part), sum(distances.values()))
    found = bellwether.central(graph)
    assert {n: (f["nodes"], f["distance_sum"]) for n, f in found.items()} == expected
    assert [f["nodes"] for f in found.values()] == sorted(
        (f["nodes"] for f in found.values()), reverse=True
    )


def test_central_bears_loops_arrows_and_nothing():
    looped = networkx.MultiGraph([(1, 1), (1, 2), (1, 2), (2, 3)])
    assert bellwether.central(looped) == {
        2: {"nodes": 3, "distance_sum": 2, "mean_distance": 1.0}
    }
    arrows = networkx.DiGraph([("a", "b"), ("b", "c")])
    assert bellwether.central(arrows) == {
        "a": {"nodes": 3, "distance_sum": 3, "mean_distance": 1.5}
    }
    assert bellwether.central(networkx.Graph()) == {}


def test_a_network_at_a_moment():
    at = [bellwether.to_networkx("scenarios/partition-heals.toml", at=t) for t in (0, 3, "5 s")]
    assert [networkx.number_connected_components(graph) for graph in at] == [1, 2, 1]
    assert set(at[0].edges) == set(at[2].edges)


@pytest.mark.parametrize("at", [0, 12.5, "90 s"])
def test_who_is_in_range_is_linked(at):
    graph = bellwether.to_networkx(MOVING, at, seed=5)
    pos = networkx.get_node_attributes(graph, "pos")
    assert len(pos) == 60
    near = {(a, b) for a in pos for b in pos
            if a < b and numpy.hypot(*numpy.subtract(pos[a], pos[b])) <= 90}  # fmt: skip
    assert {tuple(sorted(edge)) for edge in graph.edges} == near


def test_the_network_at_the_end_is_that_of_the_run():
    for scenario in (MOVING, "scenarios/highway.toml", "scenarios/edge-markovian.toml"):
        changes = {"stop.time": "20 s", "metrics.on": "off"}
        report = bellwether.run(scenario, set=changes)
        graph = bellwether.to_networkx(scenario, at=20, set=changes)
        assert sorted(row["size"] for row in report["leaders"]) == sorted(
            map(len, networkx.connected_components(graph))
        )


# What cannot be done.


@pytest.mark.parametrize(
    ("scenario", "words", "sentence"),
    [
        ("none.toml", {}, "none.toml: there is no such file"),
        ("scenarios", {}, "scenarios: is a folder; name a file in it"),
        ("a = [\n", {}, "scenario:1:"),
        ("[network]\nnods = 3\n", {}, 'scenario:2: network.nods: unknown key; did you mean "nodes"'),
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
        (RING, {"set": {"channel.loss": 2}}, "set: channel.loss: must be a number from 0 to 1, not 2"),
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
)  # fmt: skip
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
        ({"scenario": "none.toml", "matrix": {"seed": [1]}}, {}, "none.toml: there is no such file"),
        ({"scenario": RING}, {}, "the matrix is empty"),
        ({"scenario": RING, "matrx": {}}, {}, "matrx"),
        ({"scenario": RING, "matrix": {"network.nodes": 5}}, {}, "must be a list of values"),
        (RING, {"axes": {}}, "the matrix is empty"),
        (RING, {"axes": {"network.nods": [1]}}, "network.nods: unknown key"),
        (RING, {"axes": {"algorithm": ["chang"]}}, 'unknown algorithm "chang"'),
        (RING, {"axes": {"network.nodes": [4, -4]}}, "network.nodes: must be a whole number"),
        (RING, {"axes": {"network.nodes": [4]}, "runs": 0}, "runs: must be a whole number from 1"),
        (RING, {"axes": {"network.nodes": [4]}, "runs": 2.5}, "runs: must be a whole number from 1"),
        (RING, {"axes": {"network.nodes": [4]}, "jobs": True}, "jobs: must be a whole number"),
        (RING, {"axes": {"network.nodes": [4]}, "set": {"network.nodes": 5}}, "is an axis"),
        (RING, {"axes": {"network.nodes": [4]}, "out": "rows.csv"}, "out: names the SQLite file"),
        (RING, {"axes": {"network.nodes": [4]}, "out": "none/rows.sqlite"}, "none/rows.sqlite"),
        ({"network": {"graph": networkx.path_graph(3)}},
         {"axes": {"algorithm": ["cel-2"]}, "out": "rows.sqlite"}, "networkx.write_graphml"),
        (5, {}, "experiment: must be a path, a TOML text or a dict, not 5"),
    ],
)  # fmt: skip
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


@pytest.mark.parametrize("at", [-1, "3 parsecs", float("nan"), float("inf"), 1e9])
def test_a_moment_is_within_the_run(at):
    with pytest.raises(BadInput, match="^at: "):
        bellwether.to_networkx("scenarios/partition-heals.toml", at=at)


def test_whoever_leads_only_a_run_can_tell():
    with pytest.raises(BadInput, match="crashes.leader_every"):
        bellwether.to_networkx("scenarios/thesis-fault-injection.toml", at=500)


def test_nothing_that_is_handed_over_ends_the_interpreter():
    draw = random.Random(1)
    atoms = [None, True, -1, 0, 2**31, 2**63, 1e308, float("nan"), "", "1 s", "all", "\0", "{", "é",
             b"", [], [[]], [[1, 2]], {}, {"x": {}}, "height", object(), RING]  # fmt: skip
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


# Ctrl-C, and threads.


@pytest.mark.parametrize(
    "work",
    [
        lambda: bellwether.run(MOVING, **ENDLESS),
        lambda: bellwether.run("scenarios/ring-million.toml", algorithm="lelann",
                               set={"network.one_way": False}),
        lambda: bellwether.sweep(MOVING, axes={"radio.range": [90, 120]}, jobs=3, **ENDLESS),
    ],
)  # fmt: skip
def test_ctrl_c_stops_the_work(work, folder):
    handler = signal.getsignal(signal.SIGINT)
    threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        work()
    assert time.monotonic() - begin < 20
    assert signal.getsignal(signal.SIGINT) is handler
    assert bellwether.run(RING)["agreed"]


def test_what_a_sweep_had_before_ctrl_c_is_kept():
    kept = {"axes": {"stop.time": ["1 s", "1000000 s"]}, "runs": 2, "out": "kept.sqlite"}

    def enough(done, planned):
        if done == 1:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        bellwether.sweep(MOVING, **kept, jobs=1, progress=enough)
    assert len(pandas.read_csv("kept.csv")) == 1


def test_other_threads_go_on_during_a_run():
    counted = 0
    done = threading.Event()

    def count():
        nonlocal counted
        while not done.is_set():
            counted += 1
            time.sleep(0.001)

    counter = threading.Thread(target=count)
    counter.start()
    begin = time.monotonic()
    bellwether.run(MOVING, set={"stop.time": "120 s"})
    spent = time.monotonic() - begin
    done.set()
    counter.join()
    assert counted > 50 * spent


def test_runs_in_threads_are_those_of_one():
    def go(seed):
        return bellwether.run(MOVING, seed=seed, set={"stop.time": "5 s"})

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(go, range(8))) == [go(seed) for seed in range(8)]


def test_a_process_ends_while_a_thread_runs():
    code = f"""
import bellwether, threading, time
threading.Thread(target=bellwether.run, args=({MOVING!r},), kwargs={ENDLESS!r}, daemon=True).start()
time.sleep(0.5)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("missing", "package", "call"),
    [
        ("pandas", "python3-pandas", "sweep({}, axes={})"),
        ("networkx", "python3-networkx", "to_networkx({})"),
    ],
)
def test_what_is_missing_is_named(missing, package, call):
    code = f"""
import sys
sys.modules[{missing!r}] = None
import bellwether
assert bellwether.run({RING!r})["agreed"]
try:
    bellwether.{call}
except ImportError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert package in done.stdout


def test_importing_is_cheap():
    code = "import bellwether, sys; print('pandas' in sys.modules, 'networkx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
