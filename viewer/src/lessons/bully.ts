// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

export const bully: Lesson = {
  id: 'bully',
  title: 'The bully, and a crash of the leader',
  teaser: 'The highest live node leads. What happens if it crashes, and what if it returns?',
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
      title: 'Every node knows every other',
      text: `Each of the five {nodes|node} has a {link} to every other and knows its {id}. The
        rule is simple: the highest live id leads. The question is how to find out which nodes
        are alive.`,
      open: {},
    },
    {
      title: 'Ask the larger ones',
      text: `Each node asks all nodes with larger ids whether they are alive (the message is
        called *election*). No id is larger than 5. So 5 knows that it is the highest, and
        notifies all others that it leads.`,
      look: '*election* goes from smaller to larger ids; the announcement of 5 goes to all.',
      play: { speed: 0.6, until: 1 * S },
      select: [4],
    },
    {
      title: 'Answers',
      text: `A node that is asked *replies* that it is alive and takes over. That is why the
        algorithm is called the bully: a larger id always pushes a smaller one aside. After two
        seconds no message is under way, and all nodes name 5.`,
      play: { speed: 0.6, until: 3 * S },
    },
    {
      title: 'The leader crashes',
      text: `At 12 s node 5 {crashes|crash}. The others detect half a second later that their
        links to it are down. Until the next election ends they have no leader.`,
      ask: {
        kind: 'node',
        prompt: 'Which node will lead next?',
        nodes: [0, 1, 2, 3],
        answer: [3],
        right: 'Yes: 4 is the highest live node.',
        wrong: 'The highest live node takes over.',
      },
      play: { speed: 1, until: 12.4 * S },
      select: [4],
    },
    {
      title: 'The next node takes over',
      text: `1, 2 and 3 ask all larger nodes that are left. No live id is larger than 4, so 4
        leads at once. One second later all others know it.`,
      look: `Three nodes are grey for one second: that long the network had no leader after it
        had detected the crash.`,
      play: { speed: 0.5, until: 15 * S },
      select: [3],
    },
    {
      title: 'If no reply comes',
      text: `What if a larger node has crashed, but its link still seems to be up? Then no reply
        comes. The node that asked waits for a {timeout}, three seconds here, and then leads
        itself. The timeout must be longer than a message and its reply take. If it is too
        short, a node may lead although a larger one is alive.`,
    },
    {
      title: 'The old leader returns',
      text: `At 24 s node 5 {restarts|restart}. It has lost its memory, but it is the highest.
        It does not ask whether another node leads already.`,
      ask: {
        kind: 'choice',
        prompt: 'What happens?',
        options: ['5 follows 4, which leads already', '5 becomes the leader at once', 'They vote'],
        answer: 1,
        right: `Yes: all nodes change their leader, although 4 worked well. This is called
          preemption.`,
        wrong: 'The rule compares ids only.',
      },
      play: { speed: 2.5, until: 23.9 * S },
    },
    {
      title: 'Preempted',
      text: `All links to 5 come up, 5 announces that it leads, and one second later all follow
        it. That is simple, but a node that crashes and returns repeatedly becomes the leader
        each time. And every node asks all larger ones: the number of {messages|message} grows
        with the square of the number of nodes.`,
      look: 'The burst in the plot of messages per second.',
      play: { speed: 0.5, until: 28 * S },
      select: [4],
    },
    {
      title: 'Your turn',
      text: `Crash several nodes at once, or crash 4 just after it has become the leader.
        Whatever you do, once you stop the highest live node leads, as long as messages arrive
        in time.`,
    },
  ],
};
