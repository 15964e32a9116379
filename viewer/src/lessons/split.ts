// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

export const split: Lesson = {
  id: 'split',
  title: 'Two groups split and merge',
  teaser: `A moving network splits: how long does it take to detect that, and what happens when
    it merges?`,
  family: 'Networks that move',
  toml: `name = "lesson-split"
about = "Two groups split and merge; nodes detect their neighbours by beacons"
algorithm = "cel-2"
seed = 4

[network]
topology = "radio"
nodes = 12

[mobility]
model = "group"
width = 500
height = 300
speed_min = 10
speed_max = 14
pause = "4 s"
group_size = 6
group_radius = 28

[radio]
range = 95
delay = "constant"
mean = "60 ms"

[neighbours]
detect = "probes"
period = "500 ms"
timeout = "2 s"
jitter = "20 ms"

[stop]
time = "90 s"
`,
  steps: [
    {
      title: 'Twelve walkers with radios',
      text: `Two groups of six walk over a field, 1 to 6 and 7 to 12. Their radios reach 95
        metres: nodes nearer than that have a {link}. A radio does not report that a link is
        lost, so each {node} sends a {beacon} twice a second. A neighbour that is silent for
        **two seconds** is dropped.`,
      open: {},
    },
    {
      title: 'One network, one leader',
      text: `The groups are together, and the network is one {component}: every node can reach
        every other. The election is cel-2: nodes share a map, and the most {central} one leads;
        of equally central nodes, the highest id. All follow 12.`,
      look: 'After less than a second there is one colour.',
      play: { speed: 0.8, until: 5 * S },
      select: [11],
    },
    {
      title: 'They drift apart',
      text: `The groups walk away from each other. Now only some nodes between them reach both
        sides, and they are more central than the others: at about 8 s, 3 becomes the leader.`,
      look: 'Fewer and fewer links between the groups.',
      play: { speed: 1.2, until: 10.4 * S },
      select: [2],
    },
    {
      title: 'Split, and not yet detected',
      text: `At 10.7 s the last link is gone: there are two components. But all twelve still
        name 3, though half of them can no longer reach it. They cannot know it: the last
        beacons are not yet two seconds old. This time is the **detection time**; no election
        can react sooner.`,
      look: 'The plot of components has gone to 2. All nodes still have the same colour.',
      play: { speed: 0.6, until: 12.3 * S },
      select: [2],
    },
    {
      title: 'Which node will lead?',
      text: `In a moment the two seconds are over. Within each group all nodes are linked to
        each other, so all are equally central.`,
      ask: {
        kind: 'node',
        prompt: 'Which node will lead the group 1 to 6?',
        nodes: [0, 1, 2, 3, 4, 5],
        answer: [5],
        right: `Yes: of equally central nodes the highest id leads, so it is 6; and 12 in the
          other group.`,
        wrong: 'If all are equally central, the highest id decides.',
      },
    },
    {
      title: 'Two leaders',
      text: `At about 12.6 s the nodes drop their lost neighbours and send their new maps; a
        tenth of a second later each group has its own leader: 6 and 12. Since the split two
        seconds have passed. Almost all of that was detection; the election itself took a tenth
        of a second.`,
      look: 'The moment at which the picture falls into two colours.',
      play: { speed: 0.25, until: 13 * S },
      select: [5, 11],
    },
    {
      title: 'Why not wait less?',
      text: `A timeout shorter than two seconds would detect the split sooner. But a real radio
        loses beacons. A node whose timeout is too short drops neighbours that are still there,
        and causes needless elections. The timeout is a compromise between speed and
        stability.`,
      play: { speed: 4, until: 36.5 * S },
    },
    {
      title: 'They merge',
      text: `At 37.8 s the groups come into each other's range. Now a single beacon is enough to
        detect a neighbour: **merges are detected faster than splits**. The nodes exchange maps,
        and half a second later all twelve follow one leader, 11, the most central node now.`,
      look: 'Two colours become one.',
      play: { speed: 0.4, until: 38.6 * S },
      select: [10],
    },
    {
      title: 'The centre wanders',
      text: `While the groups mix, other nodes become the most central ones, and the leader
        changes several times. Instability, in the plots, is the share of nodes that name a
        wrong leader: not the most central node of their component. Between the changes it is
        zero.`,
      look: 'Narrow peaks in the plot of instability.',
      play: { speed: 2, until: 58 * S },
    },
    {
      title: 'Your turn',
      text: `Drag a node from one group to the other, or one of them far away. Count the seconds
        until the other nodes detect it. Then set neighbours.timeout to 5 s and try again.`,
    },
  ],
};
