# SPDX-License-Identifier: MIT
"""From what people hand over (paths, texts, dicts, graphs) to what the module _core takes."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import tempfile
from collections.abc import Callable, Hashable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, Union

from ._core import BadInput, Source

Given = Union[str, "os.PathLike[str]", Mapping[str, Any]]
"""A path or a name, a TOML text, or a dict with the same keys."""

T = TypeVar("T")


def need(module: str, package: str) -> Any:
    """A module that only some functions need."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"this needs {module}, which cannot be imported ({error}); "
            f"Debian has it as package {package}"
        ) from None


def ask(function: Callable[..., T], *args: Any) -> T:
    """Calls _core. The program speaks of its flags, and of lines that a dict does not have."""
    try:
        return function(*args)
    except BadInput as error:
        sentence = re.sub(r"<\w+>(:\d+)*: ", "", str(error)).removeprefix("--")
        raise BadInput(sentence) from None


def toml(value: Any) -> str:
    """A value as TOML, on one line."""
    if hasattr(value, "tolist"):  # of numpy or pandas
        value = value.tolist()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (str, os.PathLike)):
        return _quoted(os.fspath(value))
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quoted(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple, range, set, frozenset)):
        return "[" + ", ".join(map(toml, value)) + "]"
    raise BadInput(
        f"{value!r} is no value of any key; write text, a number, True or False, a list or a dict"
    )


def _quoted(text: Any) -> str:
    if not isinstance(text, str):
        raise BadInput(f"{text!r} is no key; keys are text, such as 'network' or 'seed'")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadInput(f"{text!r} is not text that can be written as UTF-8") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def settings(changes: Mapping[str, Any] | None) -> list[str]:
    """As on the command line: key=value."""
    if changes is None:
        return []
    if not isinstance(changes, Mapping):
        raise BadInput(f"set: must be a dict such as {{'network.nodes': 100}}, not {changes!r}")
    return [f"{k}={v if isinstance(v, str) else toml(v)}" for k, v in changes.items()]


def whole(name: str, value: Any, most: int) -> int:
    """0 where nothing is given."""
    if value is None:
        return 0
    if isinstance(value, bool) or not hasattr(value, "__index__") or not 1 <= value <= most:
        raise BadInput(f"{name}: must be a whole number from 1 to {most}, not {value!r}")
    return int(value)


class Read(NamedTuple):
    """A scenario or an experiment for _core, and how the nodes of its graph are called."""

    source: Source
    names: list[Any] | None = None


@contextlib.contextmanager
def reading(what: Given, kind: str) -> Iterator[Read]:
    """`kind` is what complaints call it. A graph is a file as long as this lasts."""
    if isinstance(what, Mapping):
        with _graph_written(what) as (mapping, names):
            text = "\n".join(f"{_quoted(k)} = {toml(v)}" for k, v in mapping.items())
            yield Read(Source(f"<{kind}>", text), names)
    elif isinstance(what, str) and _is_text(what):
        yield Read(Source(kind, what))
    elif isinstance(what, (str, os.PathLike)):
        yield Read(Source(os.fsencode(what), None))
    else:
        raise BadInput(f"{kind}: must be a path, a TOML text or a dict, not {what!r}")


def _is_text(what: str) -> bool:
    return "\n" in what or ("=" in what and not os.path.exists(what))


def numbered(graph: Any) -> list[Any]:
    """The nodes in the order of their ids: as the graph has them, but integers ascend."""
    nodes = list(graph.nodes)
    return sorted(nodes) if all(type(node) is int for node in nodes) else nodes


def _walked(pairs: list[tuple[int, int]], nodes: int) -> list[tuple[int, int]]:
    """The links of a ring one after the other, so that all agree which way is clockwise."""
    beside: list[list[int]] = [[] for _ in range(nodes)]
    for a, b in pairs:
        beside[a].append(b)
        beside[b].append(a)
    if any(len(ends) != 2 for ends in beside):
        return pairs
    way = [(0, beside[0][0])]
    while way[-1][1] != 0:
        before, here = way[-1]
        way.append((here, sum(beside[here]) - before))
    return way if len(way) == nodes else pairs


def links(graph: Any, nodes: list[Any]) -> list[tuple[int, int]]:
    """By the places of their ends in `nodes`. Links that are there twice count once."""
    place = {node: i for i, node in enumerate(nodes)}
    pairs = ((place[a], place[b]) for a, b in graph.edges())
    if not graph.is_directed():
        pairs = ((min(pair), max(pair)) for pair in pairs)
    return list(dict.fromkeys(pairs))


@contextlib.contextmanager
def _graph_written(scenario: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Any]]:
    network = scenario.get("network")
    if not isinstance(network, Mapping) or "graph" not in network:
        yield scenario, None
        return
    network = dict(network)
    graph = network.pop("graph")
    nodes = numbered(checked(graph))
    network.setdefault("topology", "file")
    if not network.get("anonymous"):
        network["names"] = range(1, len(nodes) + 1)
    with tempfile.TemporaryDirectory(prefix="bellwether-") as folder:
        network["file"] = Path(folder, "graph.graphml")
        network["file"].write_text(_graphml(graph, nodes))
        yield _with_ids({**scenario, "network": network}, nodes), nodes


def checked(graph: Any) -> Any:
    """Refuses what is no network."""
    for wanted in ("nodes", "edges", "is_directed"):
        if not hasattr(graph, wanted):
            raise BadInput(f"network.graph: must be a graph of networkx, not {graph!r}")
    if not len(graph.nodes):
        raise BadInput("network.graph: there are no nodes; add one")
    for a, b in graph.edges():
        if a == b:
            raise BadInput(
                f"network.graph: {a!r} is linked to itself; first "
                "graph.remove_edges_from(networkx.selfloop_edges(graph))"
            )
    return graph


def _graphml(graph: Any, nodes: list[Any]) -> str:
    directed = graph.is_directed()
    pairs = links(graph, nodes)
    if not directed:
        pairs = _walked(pairs, len(nodes))
    lines = [f'<graphml><graph edgedefault="{"directed" if directed else "undirected"}">']
    lines += [f'<node id="{i + 1}"/>' for i in range(len(nodes))]
    lines += [f'<edge source="{a + 1}" target="{b + 1}"/>' for a, b in pairs]
    return "\n".join([*lines, "</graph></graphml>", ""])


def _with_ids(scenario: dict[str, Any], nodes: list[Any]) -> dict[str, Any]:
    """What the scenario says of nodes, it says by their names in the graph."""
    ids = {node: i + 1 for i, node in enumerate(nodes)}

    def identified(what: Any) -> Any:
        if isinstance(what, Hashable):
            with contextlib.suppress(KeyError, TypeError):  # a tuple may hold what has no hash
                return ids[what]
        if isinstance(what, (list, tuple, set, frozenset)):
            return [identified(each) for each in what]
        raise BadInput(f"{what!r} is no node of network.graph")

    verbs = ("cut", "join", "crash", "restart", "partition")
    changes = scenario.get("change")
    if isinstance(changes, (list, tuple)) and all(isinstance(c, Mapping) for c in changes):
        scenario["change"] = [
            {k: identified(v) if k in verbs else v for k, v in change.items()}
            for change in changes
        ]
    start = scenario.get("start")
    if isinstance(start, Mapping) and "nodes" in start:
        scenario["start"] = {**start, "nodes": identified(start["nodes"])}
    return scenario
