// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

const FALLING = 'network.names=[8, 7, 6, 5, 4, 3, 2, 1]';
const RISING = 'network.names=[1, 2, 3, 4, 5, 6, 7, 8]';

export const changRoberts: Lesson = {
  id: 'chang-roberts',
  title: 'Chang and Roberts: fewer messages',
  teaser: 'One more rule saves most messages. How many it saves depends on the order of the ids.',
  family: 'Rings',
  toml: `name = "lesson-chang-roberts"
about = "Chang and Roberts: tokens that cannot win are dropped"
algorithm = "chang-roberts"
seed = 1

[network]
topology = "ring"
nodes = 8
one_way = true
names = [3, 8, 1, 6, 2, 7, 4, 5]

[channel]
mean = "1 s"

[stop]
time = "300 s"
`,
  steps: [
    {
      title: 'One more rule',
      text: `Again the {ring} goes one way, and every {node} sends a {token} with its {id}. But
        now a node that gets a token with a **smaller** id than its own drops it. The owner of
        that token cannot be the largest, so no other node needs to see the token.`,
      open: {},
    },
    {
      title: 'After one second',
      text: `Every token has made one {hop}. Four of the eight met a larger id at once and are
        gone: 3 at 8, 1 at 6, 2 at 7 and 4 at 5. The other four go on.`,
      look: 'From eight tokens to four.',
      play: { speed: 0.6, until: 1 * S + 5e8 },
    },
    {
      title: 'Which token survives?',
      text: `A token gets past a node only if its id is larger. In the end one token has passed
        all other nodes.`,
      ask: {
        kind: 'node',
        prompt: 'Whose token will return to its owner?',
        nodes: [0, 1, 2, 3, 4, 5, 6, 7],
        answer: [1],
        right: 'Yes: no id is larger than 8, so no node drops its token.',
        wrong: 'Every token with a smaller id meets a node that drops it.',
      },
    },
    {
      title: 'One token returns',
      text: `The token of 8 is back at 8. It has passed all other nodes, so 8 knows that it
        leads. The tokens took 20 messages together; {LeLann's ring|ring} would have needed 8
        times 8, that is 64.`,
      look: 'Only 8 knows so far. The others are still grey.',
      play: { speed: 1.5, until: 8 * S },
      select: [1],
    },
    {
      title: 'Notify the others',
      text: `Here the {announcement} is necessary: no other node can know the result. It takes
        one message for each node, 8 in all. That makes 28 messages.`,
      play: { speed: 2, until: 16 * S },
    },
    {
      title: 'A bad order',
      text: `How many messages are saved depends on the order of the ids in the ring. Now they
        **fall** in the direction in which tokens travel: 8, 7, 6 and so on. Watch what happens
        to the tokens.`,
      ask: {
        kind: 'choice',
        prompt: 'Will the tokens make fewer than 20 hops in this order, or more?',
        options: ['fewer', 'more'],
        answer: 1,
        right: 'Yes. Each token meets only smaller ids, until it reaches 8.',
        wrong: 'Think of the token of 7: which ids does it meet before it comes to 8?',
      },
      open: { set: [FALLING] },
    },
    {
      title: 'The worst case',
      text: `Every token runs until it meets 8, and only there is it dropped. The token of 1
        makes one hop, that of 2 makes two, and so on: 1 + 2 + ... + 8 = 36. With n nodes it is
        n(n+1)/2: about half of what LeLann pays.`,
      look: 'All tokens are dropped at the same node.',
      play: { speed: 1.2, until: 8 * S },
      select: [0],
    },
    {
      title: 'The best case',
      text: `Reverse the order, so that ids **rise** in the direction of the tokens. Now the
        next node is always larger, and every token but one is dropped after a single hop. Seven
        hops, and eight of the winner: 15. With n nodes it is 2n - 1.`,
      look: 'Only one token is left after a second.',
      open: { set: [RISING] },
      play: { speed: 1.2, until: 8 * S },
      select: [7],
    },
    {
      title: 'And on average?',
      text: `Here are 64 nodes with ids in random order, after the election. It took 343
        messages, of which 64 are the announcement. On average over all orders the tokens make
        n(1 + 1/2 + 1/3 + ... + 1/n) hops: 304 for 64 nodes, where LeLann needs 4,096. Only the
        worst case is still bad; the next lesson improves it.`,
      open: { set: ['network.nodes=64', 'network.names=[]', 'network.ids=random'], to: 130 * S },
    },
  ],
};
