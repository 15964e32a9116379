# SPDX-License-Identifier: MIT
"""Networks as graphs of networkx, there and back."""

import networkx
import numpy
import pytest
from common import MOVING, RING

import bellwether
from bellwether import BadInput


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
            if a < b and numpy.hypot(*numpy.subtract(pos[a], pos[b])) <= 90}
    assert {tuple(sorted(edge)) for edge in graph.edges} == near


def test_the_network_at_the_end_is_that_of_the_run():
    for scenario in (MOVING, "scenarios/highway.toml", "scenarios/edge-markovian.toml"):
        changes = {"stop.time": "20 s", "metrics.on": "off"}
        report = bellwether.run(scenario, set=changes)
        graph = bellwether.to_networkx(scenario, at=20, set=changes)
        assert sorted(row["size"] for row in report["leaders"]) == sorted(
            map(len, networkx.connected_components(graph))
        )
