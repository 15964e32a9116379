# SPDX-License-Identifier: MIT
# A tutorial in cells: run it as it is, or cell by cell in an editor that knows `# %%`. It takes
# some seconds and leaves three figures in the current folder. docs/python.md is the reference.

# %% [markdown]
# # Elections among nodes that move
#
# Thirty nodes walk about. Nodes in range are linked, so links come and go. In each connected
# group one node is to lead: how often do nodes name another one?

# %%
import matplotlib.pyplot as plt
import networkx
from matplotlib.ticker import PercentFormatter

import bellwether

# %% [markdown]
# ## One run
#
# A scenario is a path, a TOML text or, as here, a dict with the same keys. `run` gives the report.

# %%
scenario = {
    "name": "walkers",
    "algorithm": "cel-2",
    "network": {"topology": "radio", "nodes": 30},
    "mobility": {"model": "random-waypoint", "width": 600, "height": 600, "pause": "5 s"},
    "radio": {"range": 120},
    "neighbours": {"detect": "probes"},
    "stop": {"time": "40 s"},
}
report = bellwether.run(scenario)
print(f"wrong leaders: {report['metrics']['instability']:.1%} of the time of all nodes")

# %% [markdown]
# ## Many runs
#
# Three elections, seven ranges, eight seeds each: 168 runs on all cores, one row each. All
# elections meet the same eight movements.

# %%
elections = ["topology-aware", "cel-2", "vasudevan"]
ranges = [60, 80, 100, 120, 140, 160, 180]
rows = bellwether.sweep(scenario, axes={"algorithm": elections, "radio.range": ranges}, runs=8)
print(rows.groupby("algorithm")[["instability", "messages_per_node_per_s"]].mean())

# %% [markdown]
# ## A figure
#
# `estimate` gives the mean and its confidence interval, as the reports of the program have it. A
# share is never below 0, and neither is an interval by `bootstrap`.

# %%
plt.rcParams.update(
    {
        "font.size": 10,
        "font.family": "DejaVu Sans",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.edgecolor": "#666666",
        "axes.titlelocation": "left",
        "svg.hashsalt": "bellwether",  # the same figure, the same bytes
    }
)
colours = {"topology-aware": "#D55E00", "cel-2": "#009E73", "vasudevan": "#0072B2"}


def curve(axes, election):
    own = rows[rows["algorithm"] == election].groupby("radio.range")["instability"]
    mean, low, high = zip(*own.agg(bellwether.estimate, bootstrap=True), strict=True)
    axes.fill_between(ranges, low, high, color=colours[election], alpha=0.18, linewidth=0)
    axes.plot(ranges, mean, "o-", color=colours[election], markersize=4, linewidth=1.8)
    axes.annotate(
        election,
        (ranges[-1], mean[-1]),
        xytext=(8, 0),
        textcoords="offset points",
        va="center",
        color=colours[election],
        weight="bold",
    )


figure, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
for election in elections:
    curve(axes, election)
axes.set_title("Nodes with a wrong leader", weight="bold", pad=24)
note = "30 nodes walk; eight runs a point, 95 % confidence; each by its own rule of who should lead"
axes.text(0, 1.035, note, transform=axes.transAxes, color="#666666", size=7.5)
axes.set_xlabel("range of the radio (m)")
axes.set_ylabel("share of the time of all nodes")
axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
axes.set_ylim(bottom=0)
axes.set_xticks(ranges)
axes.spines["bottom"].set_bounds(ranges[0], ranges[-1])
axes.grid(axis="y", color="#dddddd", linewidth=0.8)
axes.set_axisbelow(True)
axes.tick_params(length=0)
figure.savefig("wrong-leaders.png", dpi=200)
figure.savefig("wrong-leaders.svg", metadata={"Date": None})

# %% [markdown]
# ## A graph of your own
#
# `network` makes a network of any graph of networkx, and the report names its nodes. Here are some
# islands: each elects its most central node. `central` says without an election who that is.

# %%
graph = networkx.random_geometric_graph(90, 0.13, seed=4)
report = bellwether.run({"algorithm": "cel-2", "network": bellwether.network(graph)})
leaders = {row["leader"] for row in report["leaders"]}
assert leaders == set(bellwether.central(graph))
print(f"{len(leaders)} islands, {report['messages']} messages")

# %%
places = networkx.get_node_attributes(graph, "pos")
figure, axes = plt.subplots(figsize=(5.6, 5.8), layout="constrained")
palette = plt.get_cmap("Dark2").colors
islands = sorted(networkx.connected_components(graph), key=len, reverse=True)
for number, island in enumerate(islands):
    part = graph.subgraph(island)
    leader = island & leaders
    style = {"ax": axes, "node_color": [palette[number % len(palette)]]}
    networkx.draw_networkx_edges(part, places, ax=axes, edge_color="#bbbbbb", width=1.1)
    networkx.draw_networkx_nodes(part, places, node_size=26, **style)
    networkx.draw_networkx_nodes(part, places, leader, 230, edgecolors="#222222", **style)
    networkx.draw_networkx_labels(
        part, places, {n: n for n in leader}, 8, "white", font_weight="bold", ax=axes
    )
axes.set_title("Each island elects its most central node", weight="bold")
axes.set_aspect("equal")
axes.axis("off")
figure.savefig("islands.png", dpi=160)
