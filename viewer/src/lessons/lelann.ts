// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

export const lelann: Lesson = {
  id: 'lelann',
  title: 'The ring of LeLann',
  teaser: `The first election algorithm: every node sends its id round the ring, and the largest
    leads.`,
  family: 'Rings',
  toml: `name = "lesson-lelann"
about = "LeLann: every token goes all the way round"
algorithm = "lelann"
seed = 1

[network]
topology = "ring"
nodes = 6
one_way = true
names = [4, 1, 6, 3, 2, 5]

[channel]
mean = "1 s"

[stop]
time = "60 s"
`,
  steps: [
    {
      title: 'Six nodes, no leader',
      text: `Six computers, the {nodes|node}, stand in a {ring}. Each knows its own {id}, the
        number that you see, and can send {messages|message} to the next node only. No node
        knows how many nodes there are, or their ids. They have to agree on one {leader}.`,
      look: 'All nodes are grey: none of them names a leader yet.',
      open: {},
    },
    {
      title: 'Every node sends a token',
      text: `All nodes start at the same time. Each sends a {token}, a message that carries its
        id, to its neighbour. A message takes one second here; the ring goes one way only.`,
      look: 'Six tokens, one on each link.',
      play: { speed: 0.7, until: 0.5 * S },
    },
    {
      title: 'Every node forwards every token',
      text: `A node that receives the token of another node stores the id and forwards the
        token. Tokens do not overtake each other: links deliver in order (FIFO). So each node
        learns one new id per second.`,
      look: 'Each token shows the id that it carries. Choose one and follow it.',
      play: { speed: 1, until: 5.5 * S },
    },
    {
      title: 'Which node will lead?',
      text: `In a moment every token has been all the way round. LeLann's rule is that the node
        with the largest id leads. Every node can then decide **by itself**, without asking
        another node.`,
      ask: {
        kind: 'node',
        prompt: 'Which node will lead?',
        nodes: [0, 1, 2, 3, 4, 5],
        answer: [2],
        right: 'Yes: 6 is the largest id.',
        wrong: 'Look for the largest id in the ring.',
      },
    },
    {
      title: 'The tokens return',
      text: `Each token is back at its owner. Since tokens do not overtake each other, the
        tokens of **all** others have come past before. So each owner knows all candidates, and
        all of them choose the same one: 6.`,
      look: 'All six nodes take the colour of their leader at once, and 6 gets its crown.',
      play: { speed: 0.7, until: 6 * S },
      select: [2],
    },
    {
      title: 'The announcement, and the price',
      text: `The winner sends one more message round the ring, the {announcement}, for nodes
        that did not take part. Six tokens made six {hops|hop} each: 36 messages. With the six
        of the announcement that makes 42.`,
      look: 'The number of messages below: 42 at the end.',
      play: { speed: 1.5, until: 12 * S },
    },
    {
      title: 'A node that does not start cannot win',
      text: `The same ring, but only 4 and 3 start; such nodes are called
        {initiators|initiator}. The others forward tokens and send none of their own. So 4 wins,
        although 6 is larger: 6 was no candidate. Two tokens, six hops each, and the
        announcement: 18 messages.`,
      look: 'The others learn their leader from the announcement, one after the other.',
      open: { set: ['start.nodes=[4, 3]'] },
      play: { speed: 1.5, until: 12 * S },
      select: [0, 3],
    },
    {
      title: 'Is that a lot?',
      text: `With n nodes that all start, n tokens make n hops each. That is n times n messages,
        whatever the order of the ids. For small rings this does not matter; for large ones it
        does.`,
      ask: {
        kind: 'choice',
        prompt: 'How many hops do the tokens make in a ring of 100 nodes, if all nodes start?',
        options: ['600', '4,950', '10,000'],
        answer: 2,
        right: `Yes: 100 times 100. The next lesson shows that most of these messages are not
          needed.`,
        wrong: 'Each of the 100 tokens makes 100 hops.',
      },
    },
  ],
};
