# SPDX-License-Identifier: MIT
"""Bellwether from Python: leader election in networks that move.

>>> import bellwether
>>> report = bellwether.run("first-election", seed=7)
>>> rows = bellwether.sweep("thesis-random-waypoint",
...                         axes={"algorithm": ["cel-2", "flooding"], "radio.range": [60, 90]})

A scenario is a path or the name of one that is a part of the program, a TOML text, or a dict with
the same keys; an experiment is a path, a TOML text or a dict. The same scenario and the same seed
give the same run as with the program `bellwether`, to the byte. Bad input raises
BadInput, with one sentence. docs/python.md says more.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Union

try:
    from ._core import BadInput
except ModuleNotFoundError:
    from pathlib import Path

    # The sources have CMakeLists.txt beside them; the copy in the build folder has not.
    if (Path(__file__).resolve().parents[1] / "CMakeLists.txt").exists():
        hint = "this is the source: run `make build`, and set PYTHONPATH to build/python"
    else:
        hint = "the module is not built yet: make build"
    raise ImportError("bellwether: " + hint) from None
from . import _core, _forms
from ._forms import Given

if TYPE_CHECKING:
    import os

    import networkx
    import pandas

__all__ = [
    "BadInput",
    "algorithms",
    "central",
    "describe",
    "estimate",
    "network",
    "run",
    "sweep",
    "to_networkx",
]

Settings = Mapping[str, Any]
Progress = Union[bool, Callable[[int, int], object]]


def run(
    scenario: Given,
    *,
    algorithm: str | None = None,
    seed: int | None = None,
    set: Settings | None = None,
    series: bool = False,
) -> dict[str, Any]:
    """One run, and what `bellwether run --json` prints of it.

    `algorithm`, `seed` and `set`, a dict such as {"network.nodes": 100}, are other than in the
    scenario. With `series`, what was measured over time is a DataFrame, a row for each interval.
    A broken property is no exception: then "ended" is "violation", and "violation" says which.
    Ctrl-C ends the run with KeyboardInterrupt. Other threads go on meanwhile.
    """
    pandas = _forms.need("pandas", "python3-pandas") if series else None
    with _forms.reading(scenario, "scenario") as read:
        wanted = _wanted(read, algorithm, seed, set)
        report = json.loads(_forms.ask(_core.run, wanted, bool(series)))
    for row in report["leaders"] if read.names else ():
        if row["leader"]:  # 0 is the leader of an anonymous network
            row["leader"] = read.names[row["leader"] - 1]
    if pandas:
        measured = report["series"]
        report["series"] = pandas.DataFrame(
            measured["rows"], columns=measured["columns"], dtype=float
        )
    return report


def _wanted(
    read: _forms.Read, algorithm: str | None, seed: int | None, set: Settings | None
) -> _core.Wanted:
    return _core.Wanted(
        read.source,
        "" if algorithm is None else str(algorithm),
        _forms.settings(set),
        "" if seed is None else str(seed),
    )


def sweep(
    experiment: Given,
    *,
    axes: Mapping[str, Sequence[Any]] | None = None,
    runs: int | None = None,
    set: Settings | None = None,
    jobs: int | None = None,
    out: str | os.PathLike[str] | None = None,
    progress: Progress = False,
) -> pandas.DataFrame:
    """Many runs, as `bellwether sweep` makes them: a row each, by point of the matrix, then seed.

    With `axes`, the first argument is a scenario and `axes` are the matrix. `runs` is how often
    every point is repeated, `jobs` how many runs are made at once; without it, one for each core.
    `out` is a results file (SQLite, with the CSV beside it): what it has is not made again, and a
    sweep that was stopped goes on. Without it nothing is left on the disk. `progress` is True for a
    line on standard error, or a function that is called with how many there are of how many.
    """
    pandas = _forms.need("pandas", "python3-pandas")
    if axes is not None:
        experiment = {"scenario": experiment, "matrix": axes}
    with ExitStack() as stack:
        base = None
        if isinstance(experiment, Mapping) and "scenario" in experiment:
            base = stack.enter_context(_forms.reading(experiment["scenario"], "scenario"))
            if base.names and out is not None:
                raise BadInput(
                    "out: a sweep that goes on must find its network again; write the graph to a "
                    "file with networkx.write_graphml, and name that in network.file"
                )
            experiment = {**experiment, "scenario": "scenario"}
        read = stack.enter_context(_forms.reading(experiment, "experiment"))
        csv = _forms.ask(
            _core.sweep,
            read.source,
            base and base.source,
            _forms.settings(set),
            _forms.whole("runs", runs, 1_000_000),
            _forms.whole("jobs", jobs, 4096),
            "" if out is None else _results_file(out),
            _line if progress is True else progress or None,
        )
    rows = pandas.read_csv(
        io.StringIO(csv),
        dtype={"fingerprint": str},  # one of digits alone is no number
        keep_default_na=False,
        na_values=[""],
        float_precision="round_trip",
    )
    counts = ("nodes", "links", "events", "messages", "bytes", "agreed")
    return rows.astype(dict.fromkeys(counts, "int64"))  # a million is written 1e+06


def _results_file(out: str | os.PathLike[str]) -> bytes:
    import os

    if os.fspath(out).endswith(".csv"):
        raise BadInput("out: names the SQLite file; the CSV is put beside it")
    return os.fsencode(out)


def _line(done: int, planned: int) -> None:
    end = "\n" if done == planned else ""
    print(f"\r{done} of {planned} runs", end=end, file=sys.stderr, flush=True)


def estimate(
    values: Iterable[float], *, confidence: float = 0.95, bootstrap: bool = False
) -> tuple[float, float, float]:
    """The mean, and from where to where its confidence interval reaches, as in reports.

    The interval is Student's, or of means of samples drawn anew (`bootstrap`). Values that are not
    a number do not count; the interval of one value is that value.

    >>> rows.groupby("radio.range")["instability"].agg(bellwether.estimate)
    """
    return _forms.ask(_core.estimate, list(values), confidence, bootstrap)


def algorithms() -> list[dict[str, Any]]:
    """All elections, a dict each: name, title, source, and what its model needs and tolerates.

    >>> pandas.DataFrame(bellwether.algorithms()).set_index("name")
    """
    facts = map(_core.describe, _core.algorithms())
    return [{key: f[key] for key in ("name", "title", "source")} | f["model"] for f in facts]


def describe(name: str) -> dict[str, Any]:
    """All that is known about one election, as `bellwether describe` prints it."""
    return _forms.ask(_core.describe, str(name))


def to_networkx(
    scenario: Given,
    at: float | str = 0,
    *,
    seed: int | None = None,
    set: Settings | None = None,
) -> networkx.Graph:
    """The network of a scenario at a moment: in seconds, or text such as "250 ms".

    Who is crashed then is not in it. A node is called by its id, or as in the graph that the
    scenario is made of; in an anonymous network by its number, from 1. Attributes are `id` and,
    where it has a place, `pos`: in metres where nodes move, else in the unit square.
    """
    networkx = _forms.need("networkx", "python3-networkx")
    with _forms.reading(scenario, "scenario") as read:
        wanted = _wanted(read, None, seed, set)
        one_way, nodes, links = _forms.ask(
            _core.network, wanted, at if isinstance(at, str) else f"{at} s"
        )
    graph = networkx.DiGraph() if one_way else networkx.Graph()
    names = {}
    for index, id, place in nodes:
        names[index] = read.names[index] if read.names else id or index + 1
        graph.add_node(names[index], id=id or None)
        if place:
            graph.nodes[names[index]]["pos"] = place
    graph.add_edges_from((names[a], names[b]) for a, b in links)
    return graph


def network(graph: networkx.Graph) -> dict[str, Any]:
    """A table `network` for a scenario: {"network": bellwether.network(graph)}.

    Links that are there twice count once; arrows of a directed graph are one-way links; in a cycle
    all agree which way is clockwise. Nodes get the ids 1, 2, ... in the order of graph.nodes, or
    ascending where all are integers. The scenario names them as the graph does, in `change` and
    `start.nodes`, and so does the report.
    """
    return {"topology": "file", "graph": _forms.checked(graph)}


def central(graph: networkx.Graph) -> dict[Any, dict[str, Any]]:
    """The node nearest to all others, exactly, in each component; the largest component first.

    For each such node: how many `nodes` it reaches, itself among them, the `distance_sum` to them
    in hops, and the `mean_distance`, which is None for a node alone. Of equals it is the last, in
    the order of `network`. In a directed graph distances follow the arrows, there is one answer,
    and who reaches more comes first.
    """
    nodes = _forms.numbered(graph)
    found = _core.central(len(nodes), _forms.links(graph, nodes), graph.is_directed())
    return {
        nodes[node]: {
            "nodes": reached,
            "distance_sum": total,
            "mean_distance": total / (reached - 1) if reached > 1 else None,
        }
        for node, reached, total in sorted(found, key=lambda each: -each[1])
    }
