// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

export const counterexample: Lesson = {
  id: 'counterexample',
  title: 'A published algorithm that fails',
  teaser: 'Four nodes, one restart, and two of them follow a leader that they can never reach.',
  family: 'When things go wrong',
  toml: `name = "lesson-counterexample"
about = "CEL as published: a restart, and two nodes elect a third one to which they have no way"
algorithm = "cel"
seed = 1

[network]
topology = "line"
nodes = 4

[channel]
mean = "1 s"

[stop]
time = "60 s"

[[change]]
at = "10 s"
cut = [2, 3]

[[change]]
at = "10500 ms"
crash = 2

[[change]]
at = "14 s"
restart = 2
`,
  steps: [
    {
      title: 'Is it true?',
      text: `CEL is an {election} for networks that move, published in a thesis in 2022. Each {node}
        keeps a map of the network, with a counter for each node: of two reports about the same
        node, the one with the higher counter is the newer one. The claim: when changes end, all
        nodes of a {component} agree on one leader in it. One run that ends otherwise is enough
        to refute it; such a run is called a {counterexample}.`,
      open: {},
    },
    {
      title: 'A line of four',
      text: `The nodes exchange their maps. 2 and 3 are equally {central}, and the higher id
        decides: 3 leads. All is well.`,
      play: { speed: 1.2, until: 4 * S },
      select: [2],
    },
    {
      title: 'A link breaks, and the news is lost',
      text: `At 10 s the link between 2 and 3 breaks. 2 sends 1 the news: "3 is not my neighbour any
        more". But half a second later 2 {crashes|crash}, and the message dies on its way. So 1
        only learns that 2 is gone. In its map 2 still has the neighbour 3.`,
      look: 'The message from 2 to 1 that never arrives.',
      open: { to: 9 * S },
      play: { speed: 0.5, until: 11.5 * S },
      select: [1],
    },
    {
      title: '2 comes back as a newborn',
      text: `At 14 s node 2 {restarts|restart}. It remembers nothing, so its counter begins anew, at
        1. But 1 remembers 2 from its former life, with a higher counter, and sends its map, in
        which 2 has the neighbours 1 **and 3**.`,
      look: `Two messages cross: the true one with a low counter, and an old one with a high
        counter.`,
      play: { speed: 0.6, until: 14.9 * S },
      select: [0, 1],
    },
    {
      title: 'What will 2 believe?',
      text: `In a moment 2 will read in the map of 1 what its own neighbours are. The counter in
        that map is higher than its own.`,
      ask: {
        kind: 'choice',
        prompt: 'Which entry about itself will 2 keep, following the published rules?',
        options: ['Its own: 2 has the neighbour 1', 'That of 1: 2 has the neighbours 1 and 3'],
        answer: 1,
        right: 'Yes. The higher counter wins, even against what 2 sees with its own eyes.',
        wrong: 'The rules know only counters: the higher one wins.',
      },
    },
    {
      title: 'Wrong for ever',
      text: `Both, 1 and 2, now believe in a link between 2 and 3, and elect **3**. They have no way
        to it: it is in the other component, with 4, and there 4 leads. Nothing is sent any more,
        so nobody will ever find out. The claim is false.`,
      look: 'The colours: 1 and 2 follow a node that does not lead and that they cannot reach.',
      play: { speed: 1.2, until: 20 * S },
      select: [0, 1, 2],
    },
    {
      title: 'How was it found?',
      text: `Not by luck. \`bellwether check\` tries **every** order in which messages can arrive
        and things can fail, in small networks, and shows the shortest run that goes wrong.
        For CEL it finds several, with as few as three nodes and three steps. Testing shows
        that something works; searching all runs shows where it does not.`,
    },
    {
      title: 'The repair',
      text: `cel-2 is the same election with stricter rules. Only a node itself writes its own
        entry, and it believes nobody else about itself. The counter begins at the clock, so
        that a new life always counts higher than the old one. And neighbours compare what
        they know until it is the same. Here is the same misfortune again.`,
      look: `Small messages go on for a while after each change: neighbours make sure that they
        agree.`,
      open: { set: ['algorithm=cel-2'], to: 9 * S },
      play: { speed: 1, until: 14 * S },
      select: [1],
    },
    {
      title: 'Right in the end',
      text: `2 comes back with a counter from its clock, far above the old one. 1 believes it,
        takes 3 off its map, and both elect 2. The other two have 4. One leader in each
        component, as it should be; then silence.`,
      play: { speed: 0.8, until: 18 * S },
      select: [0, 1],
    },
  ],
};
