// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

export const bully: Lesson = {
  id: 'bully',
  title: 'The bully, and a crash of the leader',
  teaser: `The highest node alive takes the lead, whoever asks. What if it dies, and what if it
    returns?`,
  family: 'When things go wrong',
  toml: `name = "lesson-bully"
about = "The bully election: the leader crashes at 12 s and is back at 24 s"
algorithm = "bully"
seed = 1

[options]
reply_timeout = "3 s"
leader_timeout = "8 s"

[network]
topology = "complete"
nodes = 5

[channel]
mean = "1 s"

[notify]
min = "500 ms"
max = "500 ms"

[stop]
time = "80 s"

[[change]]
at = "12 s"
crash = 5

[[change]]
at = "24 s"
restart = 5
`,
  steps: [
    {
      title: 'Everybody knows everybody',
      text: `Five {nodes|node}, and each has a {link} to each other one and knows its {id}. The rule
        is simple: the highest id that is alive leads. The question is how to find out who is
        alive.`,
      open: {},
    },
    {
      title: 'Ask the larger ones',
      text: `Each node asks all nodes with larger ids: "are you there?" (the message is called
        *election*). 5 has nobody to ask. So it knows that it is the highest, and tells everybody
        that it leads.`,
      look: 'Questions go up, from smaller to larger ids; the word of 5 goes down to all.',
      play: { speed: 0.6, until: 1 * S },
      select: [4],
    },
    {
      title: 'Answers',
      text: `Whoever is asked *replies*: "I am here, leave it to me." That is why it is called the
        bully: the larger one always pushes the smaller one aside. After two seconds all is
        quiet, and all name 5.`,
      play: { speed: 0.6, until: 3 * S },
    },
    {
      title: 'The leader crashes',
      text: `At 12 s node 5 {crashes|crash}. The others notice half a second later that their
        links to it are dead. Until somebody is elected they have no leader.`,
      ask: {
        kind: 'node',
        prompt: 'Who will lead next?',
        nodes: [0, 1, 2, 3],
        answer: [3],
        right: 'Yes: 4 is the highest of those who are alive.',
        wrong: 'The highest node alive takes over.',
      },
      play: { speed: 1, until: 12.4 * S },
      select: [4],
    },
    {
      title: 'The next one takes over',
      text: `1, 2 and 3 ask all larger nodes that are left. 4 has none left above it, and leads at
        once. One second later all have heard of it.`,
      look: `Three grey nodes for one second: that is how long this network was without a leader,
        from the moment it noticed.`,
      play: { speed: 0.5, until: 15 * S },
      select: [3],
    },
    {
      title: 'If nobody answers',
      text: `What if a larger node is dead, but its link still looks alive? Then no reply comes. Who
        has asked waits for a {timeout}, three seconds here, and then takes the lead itself. It
        must be longer than a question and its answer take. If it is too short, a node may lead
        though a larger one lives.`,
    },
    {
      title: 'The old leader returns',
      text: `At 24 s node 5 {restarts|restart}. It remembers nothing, but it is the highest. It does
        not ask whether the others are content with 4.`,
      ask: {
        kind: 'choice',
        prompt: 'What happens?',
        options: ['5 follows 4, who leads already', '5 takes the lead at once', 'They vote'],
        answer: 1,
        right: 'Yes: a bully. All change their leader, although 4 did its work well.',
        wrong: 'The rule knows ids only, not merits.',
      },
      play: { speed: 2.5, until: 23.9 * S },
    },
    {
      title: 'Bullied',
      text: `All links to 5 come up, 5 says that it leads, and one second later all follow it.
        Simple, but a node that crashes and returns again and again takes the lead again and
        again. And everybody asks everybody: the number of {messages|message} grows with the
        square of the number of nodes.`,
      look: 'The burst in the plot of messages per second.',
      play: { speed: 0.5, until: 28 * S },
      select: [4],
    },
    {
      title: 'Your turn',
      text: `Crash several nodes at once, or crash 4 just after it has taken the lead. Whatever you
        do: when you stop, the highest node alive leads. At least as long as messages arrive in
        time.`,
    },
  ],
};
