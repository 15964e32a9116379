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
      text: `Eight towers, 2 to 9, stand in a row, and 1 is a drone. Nodes within 130 metres of
        each other have a {link}. In this {election}, called CEL, each {node} keeps a **map** of
        the links. A node that learns something new sends its map to all its neighbours.`,
      open: {},
      select: [0],
    },
    {
      title: 'The map spreads',
      text: `At first each node knows only itself and its neighbours. Nodes send their maps and
        merge them, and after less than a second all know the whole network. From the same map
        all draw the same conclusion, so they agree without a vote.`,
      look: 'Many colours at first, then one.',
      play: { speed: 0.25, until: 0.8 * S },
    },
    {
      title: 'The most central node leads',
      text: `The rule: the node with the smallest sum of {hops|hop} to all others leads, the
        most {central} one. Messages of a leader in the middle reach all nodes soon. The drone
        is near the right end now, so the centre is a little to the right of the middle: 6
        leads.`,
      look: 'The crown at 6, which is neither the smallest nor the largest id.',
      select: [5],
    },
    {
      title: 'Links come and go',
      text: `The drone turns round and flies to the left. Whenever it comes near a tower, a link
        appears; when it leaves one behind, a link is lost. Both ends update their maps and send
        them.`,
      look: 'Short bursts of messages whenever a link changes; the leader stays.',
      play: { speed: 3, until: 30 * S },
      select: [0],
    },
    {
      title: 'Where will the centre be?',
      text: `Soon the drone will be left of the middle. Then towers on the left have a smaller
        sum of hops than before.`,
      ask: {
        kind: 'node',
        prompt: 'Which node will lead when the drone is on the left?',
        nodes: [1, 2, 3, 4, 5, 6, 7, 8],
        answer: [4],
        right: 'Yes: tower 5, the next one to the left.',
        wrong: 'The centre moves by little: one drone among eight towers.',
      },
    },
    {
      title: 'The centre moves',
      text: `At 34.9 s the drone loses its link to 6. Now the sum of hops of 5 is smaller than
        that of 6, and 5 becomes the leader. Nodes near the drone know it at once, those at the
        ends three hops, that is 0.3 seconds, later.`,
      look: `For a moment there are two colours: nodes that have the new map, and nodes that do
        not.`,
      play: { speed: 0.4, until: 35.6 * S },
      select: [4, 5],
    },
    {
      title: 'And back again',
      text: `The drone turns at the left end and comes back. At 67.1 s it reaches 6, and 6 leads
        once more. A leader in the middle is near to all, but it changes when the network moves.
        An election by the largest id would not change here at all; but its leader might be at
        the very end of the row.`,
      play: { speed: 5, until: 68 * S },
      select: [0],
    },
    {
      title: 'Your turn',
      text: `Drag the drone with the mouse, beyond the ends of the row as well. Far away from
        all towers it is alone, and leads itself. Can you make it the leader of all nodes?`,
      look: `Hint: it would have to be a shortcut between towers that are far apart. In a
        straight row it is at best as central as a tower, and then the higher id leads.`,
    },
  ],
};
