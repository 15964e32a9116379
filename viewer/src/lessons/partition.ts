// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

export const partition: Lesson = {
  id: 'partition',
  title: 'A partition, step by step',
  teaser: `The leader is disconnected. A search runs through the network and back, and a new
    leader is elected.`,
  family: 'Networks that change',
  toml: `name = "lesson-partition"
about = "Heights: the leader is disconnected at 10 s and connected again at 24 s"
algorithm = "height"
seed = 1

[network]
topology = "single"
nodes = 8

[channel]
mean = "1 s"

[stop]
time = "60 s"

[[change]]
at = "0 s"
join = [[1, 2], [2, 3], [2, 4], [2, 5], [3, 6], [4, 6], [5, 7], [6, 8], [7, 8]]

[[change]]
at = "10 s"
cut = [1, 2]

[[change]]
at = "24 s"
join = [1, 2]
`,
  steps: [
    {
      title: 'Downhill to the leader',
      text: `Every {node} has a {height}, and sends it to its neighbours. Each {link} leads from
        its higher end down to its lower one. The leader, 1, is the lowest: follow the arrows
        from anywhere and you get there. This is the example by which the algorithm is explained
        in the literature (there 1 is called H, and 2 to 8 are G, D, E, F, B, C, A).`,
      look: 'The arrows. Start at 8, at the far end, and follow them downhill.',
      open: { to: 9 * S },
      select: [0],
    },
    {
      title: 'The link to the leader breaks',
      text: `The link between 1 and 2 fails. 1 is alone and leads itself. For 2 it was the last
        way down: it is now a {sink}, a node without a way down that does not lead. So 2 begins
        a **search**: it raises its height above all its neighbours, and sends them its new
        height.`,
      look: 'The arrows around 2: they all lead away from it now.',
      play: { speed: 0.5, until: 10 * S + 5e8 },
      select: [0, 1],
    },
    {
      title: 'The search spreads',
      text: `3, 4 and 5 receive it. Their only way down was over 2, which is now above them. So
        they have no way down either: they join the search, raise their heights, and send them
        on.`,
      play: { speed: 0.5, until: 11 * S + 5e8 },
      select: [2, 3, 4],
    },
    {
      title: 'One step farther',
      text: `Now it is the turn of 6 and 7. Note that 6 had **two** ways down, over 3 and over
        4. It joins only after both are gone. If any node had another way to the leader, the
        search would end there.`,
      play: { speed: 0.5, until: 12 * S + 5e8 },
      select: [5, 6],
    },
    {
      title: 'What will 8 do?',
      text: `8 is the last one. It receives the search from 6 and from 7, and it has no other
        neighbours.`,
      ask: {
        kind: 'choice',
        prompt: 'What does 8 conclude?',
        options: ['It becomes the leader', 'Dead end: it sends the search back', 'It waits'],
        answer: 1,
        right: `Yes. 8 cannot know whether others have found a way; it can only report what is
          true here.`,
        wrong: `8 knows only a small part of the network: that there is no way behind it, and
          nothing more.`,
      },
    },
    {
      title: 'A dead end reflects',
      text: `All neighbours of 8 take part in the search of 2, and there is nowhere else to go.
        So 8 **reflects** it: it takes a height that says "the search of 2, and no way here".
        This {reflection} now runs back.`,
      play: { speed: 0.5, until: 13 * S + 5e8 },
      select: [7],
    },
    {
      title: 'Back the way it came',
      text: `6 and 7 forward the reflection, then 3, 4 and 5. Each does so only when no
        neighbour offers another way down.`,
      play: { speed: 0.6, until: 15 * S + 5e8 },
      select: [2, 3, 4, 5, 6],
    },
    {
      title: 'No leader anywhere: elect',
      text: `The reflection of its own search comes back to 2 from **all** neighbours. That
        proves that no node of this {component} has a way to the leader. Only now does 2 make
        itself the leader, with the lowest height. Its new height spreads in one wave.`,
      look: 'The wave of the new colour, from 2 to 8. At 19 s all arrows lead to 2.',
      play: { speed: 0.8, until: 19 * S + 5e8 },
      select: [1],
    },
    {
      title: 'Two leaders: correct here',
      text: `There are two components with one leader each. No algorithm could do better: no
        message can pass between them. At 24 s the link comes up again.`,
      ask: {
        kind: 'node',
        prompt: 'Which node will lead after 1 and 2 have merged?',
        nodes: [0, 1],
        answer: [1],
        right: 'Yes: the one that was elected more recently wins, and that is 2.',
        wrong: `The later election counts here, not the smaller id: 1 has led itself since 10 s,
          2 since 16 s.`,
      },
    },
    {
      title: 'Merged',
      text: `The two ends exchange their heights and compare. The more recent {leader} wins, so
        1 follows 2. The six nodes behind 2 receive nothing: nothing has changed for them.`,
      look: 'Four messages are enough.',
      play: { speed: 0.8, until: 26 * S },
      select: [0, 1],
    },
    {
      title: 'Your turn',
      text: `Cut other links, or crash nodes, and watch the search. Try the link between 3 and
        6: it causes no election, because there is another way. The proved guarantee: once
        changes end, every component agrees on one leader of its own, and all arrows lead to
        it.`,
    },
  ],
};
