// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

export const flight: Lesson = {
  id: 'flight',
  title: 'A drone flies past',
  teaser: 'The most central node leads. When a node flies through the network, the centre moves.',
  family: 'Networks that move',
  toml: `name = "lesson-flight"
about = "A drone flies along eight towers; the most central node leads"
algorithm = "cel"
seed = 1

[network]
topology = "highway"
nodes = 9
towers = 8

[mobility]
model = "highway"
width = 800
height = 60
speed_min = 20
speed_max = 20
lanes = 1

[radio]
range = 130
delay = "constant"
mean = "100 ms"

[neighbours]
detect = "told"

[stop]
time = "100 s"
`,
  steps: [
    {
      title: 'Eight towers and a drone',
      text: `Eight towers, 2 to 9, stand in a row, and 1 is a drone. Who is within 130 metres of
        whom has a {link}. In this {election}, called CEL, each {node} keeps a **map**: who
        is linked to whom. Whoever learns something new sends its map to all its neighbours.`,
      open: {},
      select: [0],
    },
    {
      title: 'The map spreads',
      text: `At first each node knows only itself and its neighbours. Maps are sent and united, and
        after less than a second all know the whole network. From the same map all draw the same
        conclusion, so they agree without a vote.`,
      look: 'Many colours at first, then one.',
      play: { speed: 0.25, until: 0.8 * S },
    },
    {
      title: 'The most central node leads',
      text: `The rule: the node leads that needs the fewest {hops|hop} to all others, summed up.
        It is called the most {central} one. A leader in the middle is heard by all after a
        short time. The drone is near the right end now, so the middle is a little to the
        right of the row's: 6 leads.`,
      look: 'The crown at 6, though neither the smallest nor the largest id is there.',
      select: [5],
    },
    {
      title: 'Links come and go',
      text: `The drone turns round and flies to the left. Whenever it comes near a tower, a link
        appears; when it leaves one behind, a link is gone. Both ends write that down and send
        their maps.`,
      look: 'Short bursts of messages whenever a link changes; the leader stays.',
      play: { speed: 3, until: 30 * S },
      select: [0],
    },
    {
      title: 'Where will the centre be?',
      text: `Soon the drone will be left of the middle. It adds its weight to that side: towers
        on the left are then nearer to all nodes than before.`,
      ask: {
        kind: 'node',
        prompt: 'Who will lead when the drone is on the left?',
        nodes: [1, 2, 3, 4, 5, 6, 7, 8],
        answer: [4],
        right: 'Yes: tower 5, the next one to the left.',
        wrong: 'The middle moves by little: one drone among eight towers.',
      },
    },
    {
      title: 'The centre moves',
      text: `At 34.9 s the drone loses its link to 6. Now 5 needs fewer hops in all than 6 does, and
        becomes the leader. Nodes near the drone know it at once, those at the ends three hops,
        that is 0.3 seconds, later.`,
      look: 'For a moment two colours: those who know it already, and those who do not.',
      play: { speed: 0.4, until: 35.6 * S },
      select: [4, 5],
    },
    {
      title: 'And back again',
      text: `The drone turns at the left end and comes back. At 67.1 s it reaches 6, and 6 leads
        once more. A leader in the middle is near to all, but it changes when the network
        moves. An election by the largest id would not change here at all; it might have its
        leader at the very end of the row.`,
      play: { speed: 5, until: 68 * S },
      select: [0],
    },
    {
      title: 'Your turn',
      text: `Drag the drone with the mouse, beyond the ends of the row as well. Far away from all
        towers it is alone, and leads itself. Can you make it the leader of all?`,
      look: `Hint: it would have to be a shortcut between towers that are far apart. In a
        straight row it is at best as central as a tower, and the higher id goes first.`,
    },
  ],
};
