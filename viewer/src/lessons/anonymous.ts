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
  title: 'Without names: an impossibility, and dice',
  teaser: 'Nodes without ids cannot elect a leader, unless they throw dice.',
  family: 'Rings',
  toml: ANGLUIN,
  steps: [
    {
      title: 'Nobody has a name',
      text: `Six {nodes|node} in a {ring}, all built alike, and **without ids**. They are called
        {anonymous}. They run the same program and start at the same moment. Can they choose one
        of them as their {leader}?`,
      look: 'The circles are empty: there is nothing to tell them apart.',
      open: {},
    },
    {
      title: 'What one does, all do',
      text: `They try it with an algorithm that works well with ids: in each round, tell your
        neighbours the largest id that you know. Here everybody says the same thing, hears the
        same thing, and so does the same thing next.`,
      look: 'The messages: whatever moment you choose, the picture looks the same from every node.',
      play: { speed: 0.8, until: 2.9 * S },
    },
    {
      title: 'What will happen?',
      text: `After three rounds, enough for news from the far side of the ring, each node
        decides. All have seen the same until now.`,
      ask: {
        kind: 'choice',
        prompt: 'How many nodes will believe that they lead?',
        options: ['none', 'one', 'all six'],
        answer: 2,
        right: 'Yes: they were alike, so they all decide alike.',
        wrong: 'If one of them decides to lead, so do all others: they are in the same state.',
      },
    },
    {
      title: 'Six leaders',
      text: `All six decide in the same moment that they lead. Angluin proved in 1980 that this
        is no fault of the algorithm. **No** {deterministic} election, one without chance,
        works here. Nodes in the same state that hear the same take the same step, so they
        stay alike for ever.`,
      look: 'Six leaders, or none: never one.',
      play: { speed: 0.8, until: 3.5 * S },
    },
    {
      title: 'The way out: dice',
      text: `If nodes may throw dice, they can become different. In the election of Itai and Rodeh
        each node draws a number, here from 1 to 3, and sends it round the ring. One thing they
        must know: how many they are, here six. A message counts its {hops|hop}, and after six
        hops it is back at its owner, who needs no id to see that.`,
      open: { toml: ITAI_RODEH },
    },
    {
      title: 'The first draw',
      text: `The six draw 3, 1, 1, 3, 2, 2. Whoever sees a larger number than its own gives up;
        whoever sees a smaller one drops that message. The two nodes that have drawn 3 are
        marked.`,
      look: 'Messages die one after the other, until only two are left.',
      play: { speed: 0.7, until: 2.5 * S },
      select: [0, 3],
    },
    {
      title: 'A tie',
      text: `Both messages with a 3 come past the other node that has drawn 3. It notes on the
        message that there is a **tie**. So when they come home after six hops, both owners
        know: there is another one like me.`,
      play: { speed: 1, until: 5.9 * S },
      select: [0, 3],
    },
    {
      title: 'Draw again',
      text: `The two draw once more, and the four others only pass messages on. This time it is 3
        against 2. After six more hops the 3 comes home without a tie: its owner is alone at the
        top, and leads.`,
      look: 'The message with the 2 is dropped by the node that has drawn 3.',
      play: { speed: 1, until: 12 * S },
      select: [0],
    },
    {
      title: 'How long can it take?',
      text: `Ties can happen again and again, so there is no bound on the time. But a tie for
        ever has probability zero, just as throwing heads for ever. If n nodes draw from n
        numbers, about 1.4 rounds are enough on average in a large ring. There are never two
        leaders, whatever the dice say.`,
      play: { speed: 1.5, until: 18 * S },
      ask: {
        kind: 'choice',
        prompt: 'What if there were only one number to draw from?',
        options: ['They would tie for ever', 'It would be faster'],
        answer: 0,
        right: 'Yes: then there is no chance left, and Angluin is right again.',
        wrong: 'Then all draw the same in every round.',
      },
    },
  ],
};
