// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

const ANGLUIN = `name = "lesson-angluin"
about = "Angluin: nodes that are all alike stay all alike"
algorithm = "flood-max"
seed = 1
beyond_model = true

[network]
topology = "ring"
nodes = 6
anonymous = true

[rounds]
duration = "1 s"

[stop]
time = "60 s"
`;

const ITAI_RODEH = `name = "lesson-itai-rodeh"
about = "Itai and Rodeh: nodes without ids draw lots"
algorithm = "itai-rodeh"
seed = 2

[options]
choices = 3

[network]
topology = "ring"
nodes = 6
one_way = true
anonymous = true

[channel]
mean = "1 s"

[stop]
time = "200 s"
`;

export const anonymous: Lesson = {
  id: 'anonymous',
  title: 'Anonymous rings: impossible without randomness',
  teaser: 'Nodes without ids cannot elect a leader unless they draw random numbers.',
  family: 'Rings',
  toml: ANGLUIN,
  steps: [
    {
      title: 'No node has an id',
      text: `Six identical {nodes|node} stand in a {ring}, **without ids**: they are
        {anonymous}. They run the same program and start at the same moment. Can they choose one
        of them as their {leader}?`,
      look: 'The circles are empty: nothing distinguishes the nodes.',
      open: {},
    },
    {
      title: 'All nodes do the same',
      text: `They run an algorithm that works well with ids: in each round, every node sends its
        neighbours the largest id that it knows. Here every node sends the same, receives the
        same, and so does the same next.`,
      look: 'The messages: at every moment the picture looks the same from every node.',
      play: { speed: 0.8, until: 2.9 * S },
    },
    {
      title: 'What will happen?',
      text: `After three rounds, enough for a message from the far side of the ring, each node
        decides. All nodes have received the same messages until now.`,
      ask: {
        kind: 'choice',
        prompt: 'How many nodes will believe that they lead?',
        options: ['none', 'one', 'all six'],
        answer: 2,
        right: 'Yes: their states were equal, so their decisions are equal.',
        wrong: 'If one of them decides to lead, so do all others: they are in the same state.',
      },
    },
    {
      title: 'Six leaders',
      text: `All six decide in the same moment that they lead. Angluin proved in 1980 that this
        is not the algorithm's fault: **no** {deterministic} election works here. Nodes in the
        same state that receive the same messages take the same step, so their states stay equal
        permanently.`,
      look: 'Six leaders, or none: never one.',
      play: { speed: 0.8, until: 3.5 * S },
    },
    {
      title: 'The solution: randomness',
      text: `If nodes may draw random numbers, they can become different. In the election of
        Itai and Rodeh each node draws a number, here from 1 to 3, and sends it round the ring.
        They must know the number of nodes, here six. A message counts its {hops|hop}, and after
        six hops it is back at its owner, who needs no id to see that.`,
      open: { toml: ITAI_RODEH },
    },
    {
      title: 'The first draw',
      text: `The six draw 3, 1, 1, 3, 2, 2. A node that receives a larger number than its own
        gives up; a node that receives a smaller one drops that message. The two nodes that have
        drawn 3 are marked.`,
      look: 'Messages are dropped one after the other, until only two are left.',
      play: { speed: 0.7, until: 2.5 * S },
      select: [0, 3],
    },
    {
      title: 'A tie',
      text: `Both messages with a 3 come past the other node that has drawn 3. It notes on the
        message that there is a **tie**. So when the messages return after six hops, both owners
        know that another node has drawn the same number.`,
      play: { speed: 1, until: 5.9 * S },
      select: [0, 3],
    },
    {
      title: 'Draw again',
      text: `The two draw once more, and the four others only forward messages. This time it is
        3 against 2. After six more hops the 3 returns without a tie: no other node has drawn 3,
        and its owner leads.`,
      look: 'The message with the 2 is dropped by the node that has drawn 3.',
      play: { speed: 1, until: 12 * S },
      select: [0],
    },
    {
      title: 'How long can it take?',
      text: `Ties can happen again and again, so there is no bound on the time. But an endless
        series of ties has probability zero, just as an endless series of heads. If n nodes draw
        from n numbers, about 1.4 rounds are enough on average in a large ring. There are never
        two leaders, whatever numbers are drawn.`,
      play: { speed: 1.5, until: 18 * S },
      ask: {
        kind: 'choice',
        prompt: 'What if there were only one number to draw from?',
        options: ['Every round would end in a tie', 'It would be faster'],
        answer: 0,
        right: 'Yes: then nothing is random any more, and the theorem of Angluin holds again.',
        wrong: 'Then all draw the same in every round.',
      },
    },
  ],
};
