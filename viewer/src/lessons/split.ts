// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

export const split: Lesson = {
  id: 'split',
  title: 'Two groups part and meet again',
  teaser: `A moving network splits: how long until it notices, and what happens when it is one
    again?`,
  family: 'Networks that move',
  toml: `name = "lesson-split"
about = "Two groups part and meet again; neighbours notice each other by beacons"
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
      text: `Two groups of six walk over a field, 1 to 6 and 7 to 12. Their radios reach 95 metres:
        who is nearer than that has a {link}. No cable says when a link is gone, so each {node}
        sends a {beacon} twice a second: "I am here." Who has not been heard for **two seconds**
        counts as gone.`,
      open: {},
    },
    {
      title: 'One network, one leader',
      text: `The groups are together, and the network is one {component}: everybody can reach
        everybody. The election is cel-2: nodes share a map, and the most {central} one leads; of
        several that are equally central, the highest id. All follow 12.`,
      look: 'After less than a second there is one colour.',
      play: { speed: 0.8, until: 5 * S },
      select: [11],
    },
    {
      title: 'They drift apart',
      text: `The groups walk away from each other. Now only some nodes between them reach both
        sides, and they are more central than the rest: at about 8 s the lead goes to 3.`,
      look: 'Fewer and fewer links between the groups.',
      play: { speed: 1.2, until: 10.4 * S },
      select: [2],
    },
    {
      title: 'Split, and nobody knows',
      text: `At 10.7 s the last link is gone: there are two components. But all twelve still name 3,
        though half of them can no longer reach it. They have no way to know: the last beacons
        are not yet two seconds old. This time is called the **detection time**; no election can
        be faster than that.`,
      look: 'The plot of components has gone to 2. All nodes still have the same colour.',
      play: { speed: 0.6, until: 12.3 * S },
      select: [2],
    },
    {
      title: 'Who will lead where?',
      text: `In a moment the silence has lasted too long. Within each group all nodes are linked to
        each other, so all are equally central.`,
      ask: {
        kind: 'node',
        prompt: 'Who will lead the group 1 to 6?',
        nodes: [0, 1, 2, 3, 4, 5],
        answer: [5],
        right: `Yes: of equally central nodes the highest id leads, so it is 6; and 12 in the other
          group.`,
        wrong: 'If all are equally central, the highest id decides.',
      },
    },
    {
      title: 'Two leaders',
      text: `At about 12.6 s the nodes conclude that the others are gone, send their new maps, and a
        tenth of a second later each group has its own leader: 6 and 12. From the split to this
        moment it took two seconds. Almost all of that was waiting, hardly any of it the
        election.`,
      look: 'The moment at which the picture falls into two colours.',
      play: { speed: 0.25, until: 13 * S },
      select: [5, 11],
    },
    {
      title: 'Why not wait less?',
      text: `A shorter time than two seconds would notice the split sooner. But beacons get lost
        on a real radio. Who concludes too early takes a neighbour for gone that is still
        there, and causes elections for nothing. How long to wait is a compromise between
        fast and calm.`,
      play: { speed: 4, until: 36.5 * S },
    },
    {
      title: 'They meet again',
      text: `At 37.8 s the groups come into each other's range. Now a single beacon is enough to see
        that somebody is there: **joining is noticed faster than parting**. Maps are exchanged,
        and half a second later all twelve follow one leader, 11, which is the most central one
        now.`,
      look: 'Two colours become one.',
      play: { speed: 0.4, until: 38.6 * S },
      select: [10],
    },
    {
      title: 'The centre wanders',
      text: `While the groups mix, other nodes become the most central ones, and the lead changes
        several times. Instability, in the plots, says how many nodes do not agree with most of
        their component. Between the changes it is zero.`,
      look: 'Narrow peaks in the plot of instability.',
      play: { speed: 2, until: 58 * S },
    },
    {
      title: 'Your turn',
      text: `Drag a node from one group to the other, or one of them far away. Count the seconds
        until those left behind notice. Then set neighbours.timeout to 5 s and try again.`,
    },
  ],
};
