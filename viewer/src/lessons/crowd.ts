// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

const LOW = '\n[[change]]\nat = "8 s"\ncrash = 44\n';
const HIGH = '\n[[change]]\nat = "8 s"\ncrash = 16\n';

const toml = `name = "lesson-crowd"
about = "A crowd with leaders nearby, leaders of these, and one at the top"
algorithm = "hierarchy"
seed = 7

[options]
remoteness = 2

[network]
topology = "geometric"
nodes = 60
degree = 7

[channel]
delay = "uniform"
min = "50 ms"
max = "150 ms"

[stop]
time = "60 s"
`;

export const crowd: Lesson = {
  id: 'crowd',
  title: 'The hierarchy of a crowd',
  teaser: `One leader is far away from most nodes of a crowd. So there are leaders nearby, and
    leaders of leaders.`,
  family: 'Networks that change',
  toml,
  steps: [
    {
      title: 'Sixty nodes',
      text: `Sixty {nodes|node} stand at random places; those near each other have a {link}. One
        {leader} for all would be many {hops|hop} away from most of them. So this {election}
        sets up a **hierarchy**: like a class, a school and a town, each with its own head.`,
      open: { toml: toml + LOW },
    },
    {
      title: 'First the top',
      text: `First all agree on one leader of the whole network, as in the lesson on partitions:
        here it is 1. Each node also learns which neighbour is on a short way to 1. These ways
        form a **tree** with 1 at its root.`,
      look: 'One colour for all after about a second.',
      play: { speed: 0.4, until: 1.2 * S },
      select: [0],
    },
    {
      title: 'Then leaders nearby',
      text: `Now leaders are set up from the tips of the tree inwards, as late as possible. A
        node becomes a leader if a node below it would otherwise be more than **two hops** from
        a leader, and stays one as long as others need it. Nodes with the same leader nearby
        form a {flock}.`,
      look: 'Fourteen flocks, each around its own leader.',
      play: { speed: 0.5, until: 3 * S },
    },
    {
      title: 'Leaders of leaders',
      text: `The same rule works once more among these fourteen leaders, and again above. Here
        27, 45 and 57 lead at level 2, and 1 at level 3: it is the top. Each level has fewer
        leaders than the one below, at most about half.`,
      look: `The ranks: 14 nodes lead at level 1 or more, 4 of them at level 2 or more, 1 at
        level 3.`,
      select: [0, 26, 44, 56],
    },
    {
      title: 'Which nodes are affected?',
      text: `In a moment node 44, the leader of a flock of four, {crashes|crash}: it stops. Its
        three followers lose their leader.`,
      ask: {
        kind: 'choice',
        prompt: 'How many of the other 59 nodes get another leader nearby?',
        options: ['4', '30', 'all 59'],
        answer: 0,
        right: 'Yes: the three that are left of its flock, and the node that takes its place.',
        wrong: `Leaders keep their places where they can. Other flocks are not affected.`,
      },
      select: [43],
    },
    {
      title: 'A local repair',
      text: `44 crashes. Node 59, from the flock next to it, takes its place and becomes a
        leader of level 1; the three that are left follow it. That takes six messages, all
        nearby, and less than a second. This is what hierarchies are for: **changes stay
        local**.`,
      look: 'Messages around 59 only.',
      play: { speed: 0.5, until: 9.4 * S },
      select: [43, 58],
    },
    {
      title: 'Higher up it costs more',
      text: `The same crowd again, but now 16 crashes, a node near the root of the tree, on many
        nodes' way to the top. Many nodes lose their way to 1 and search for a new one. It takes
        about 400 messages, and all 59 nodes end with other leaders at some level. The
        cost of a change grows with the number of nodes that it affects.`,
      look: 'The plot of messages per second.',
      open: { toml: toml + HIGH, to: 7.5 * S },
      play: { speed: 1, until: 13 * S },
      select: [15],
    },
    {
      title: 'Your turn',
      text: `Crash other nodes, or cut {links|link}, and watch how far the messages travel. With
        another number of hops the flocks grow or shrink: set options.remoteness to 1 or 4.
        Every node is then within that many hops of a leader.`,
    },
  ],
};
