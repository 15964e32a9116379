# SPDX-License-Identifier: MIT
"""Runs and sweeps against those of the program; Ctrl-C; threads."""

import io
import json
import multiprocessing
import os
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
from common import MOVING, RING, program

import bellwether
from bellwether import BadInput

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


def test_a_scenario_that_is_a_part_of_the_program_has_a_name(folder):
    report = bellwether.run("first-election")
    assert report == json.loads(program("run", "first-election", "--json"))
    (folder / "scenarios").unlink()
    assert report == bellwether.run("scenarios/first-election.toml")
    assert len(bellwether.sweep("first-election", axes={"network.nodes": [4, 8]}, runs=1)) == 2


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
         .reset_index(drop=True))
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
        assert facts["model"]["tolerates_loss"] == row["tolerates_loss"]
    cel = bellwether.describe("cel-2")
    assert cel["elects"] == "closeness" and cel["model"]["tolerates_crashes"]
    assert {"name", "kind", "default", "about"} <= cel["options"][0].keys()
    with pytest.raises(BadInput, match='unknown algorithm "cell"; did you mean "cel"?'):
        bellwether.describe("cell")


# Ctrl-C, and threads.


@pytest.mark.parametrize(
    "work",
    [
        lambda: bellwether.run(MOVING, **ENDLESS),
        lambda: bellwether.run("scenarios/ring-million.toml", algorithm="lelann",
                               set={"network.one_way": False}),
        lambda: bellwether.sweep(MOVING, axes={"radio.range": [90, 120]}, jobs=3, **ENDLESS),
    ],
)
def test_ctrl_c_stops_the_work(work, folder):
    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):  # unless interrupted, the work never ends
        threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        work()
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
    def count():
        for _ in range(100):
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)

    # If they did not, this run would never end.
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(1, count).start()
        bellwether.run(MOVING, **ENDLESS)


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
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=1000)
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


def test_the_source_says_that_it_is_not_built():
    done = subprocess.run(
        [sys.executable, "-c", "import bellwether"], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.path.join(os.path.dirname(__file__), "..")},
    )
    assert done.returncode == 1 and "set PYTHONPATH to build/python" in done.stderr


def test_processes_that_are_forked_run():
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(bellwether.run, [RING, RING]) == [bellwether.run(RING)] * 2


def test_importing_is_cheap():
    code = "import bellwether, sys; print('pandas' in sys.modules, 'networkx' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False False\n"
