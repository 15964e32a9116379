# SPDX-License-Identifier: MIT
# A tutorial in cells: run it as it is, or cell by cell in an editor that knows `# %%`. It takes
# some seconds and leaves three figures in the current folder. docs/python.md is the reference.

# %% [markdown]
# # Elections among nodes that move
#
# Forty nodes walk about. Who is near enough is linked, so links come and go. In each connected group
# one node is to lead: how often do nodes name another one?

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
    "network": {"topology": "radio", "nodes": 40},
    "mobility": {"model": "random-waypoint", "width": 600, "height": 600, "pause": "5 s"},
    "radio": {"range": 120},
    "neighbours": {"detect": "probes"},
    "stop": {"time": "60 s"},
}
report = bellwether.run(scenario)
print(f"wrong leaders: {report['metrics']['instability']:.1%} of the time of all nodes")

# %% [markdown]
# ## Many runs
#
# Three elections, seven ranges, ten seeds each: 210 runs on all cores, one row each. All elections
# meet the same ten movements.

# %%
elections = ["flooding", "vasudevan", "cel-2"]
ranges = [60, 80, 100, 120, 140, 160, 180]
rows = bellwether.sweep(scenario, axes={"algorithm": elections, "radio.range": ranges}, runs=10)
print(rows.groupby("algorithm")[["instability", "messages_per_node_per_s"]].mean())

# %% [markdown]
# ## A figure
#
# `estimate` gives the mean and its confidence interval, as the reports of the program have it.

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
colours = {"flooding": "#D55E00", "vasudevan": "#0072B2", "cel-2": "#009E73"}


def curve(axes, election):
    own = rows[rows["algorithm"] == election].groupby("radio.range")["instability"]
    mean, low, high = zip(*own.agg(bellwether.estimate), strict=True)
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
axes.set_title("Nodes with a wrong leader", weight="bold", pad=14)
axes.set_xlabel("range of the radio, in metres")
axes.set_ylabel("share of the time of all nodes")
axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
axes.set_ylim(bottom=0)
axes.set_xticks(ranges)
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
graph = networkx.random_geometric_graph(90, 0.125, seed=11)
report = bellwether.run({"algorithm": "cel-2", "network": bellwether.network(graph)})
leaders = {row["leader"] for row in report["leaders"]}
assert leaders == set(bellwether.central(graph))
print(f"{len(leaders)} islands, {report['messages']} messages")

# %%
places = networkx.get_node_attributes(graph, "pos")
figure, axes = plt.subplots(figsize=(5.6, 5.6), layout="constrained")
palette = plt.get_cmap("tab10").colors
islands = sorted(networkx.connected_components(graph), key=len, reverse=True)
for number, island in enumerate(islands):
    colour = palette[number % len(palette)] if len(island) > 1 else "#999999"
    part = graph.subgraph(island)
    networkx.draw_networkx_edges(part, places, ax=axes, edge_color=[colour], alpha=0.45, width=1.2)
    networkx.draw_networkx_nodes(part, places, ax=axes, node_color=[colour], node_size=28)
    networkx.draw_networkx_nodes(
        part,
        places,
        nodelist=[node for node in island if node in leaders],
        ax=axes,
        node_color=[colour],
        node_size=170 if len(island) > 1 else 60,
        edgecolors="#222222",
        linewidths=1.6,
    )
axes.set_title("Each island elects its most central node", weight="bold")
axes.set_aspect("equal")
axes.axis("off")
figure.savefig("islands.png", dpi=160)
