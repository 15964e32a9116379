// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

export const counterexample: Lesson = {
  id: 'counterexample',
  title: 'A published algorithm that fails',
  teaser: 'Four nodes, one restart, and two nodes follow a leader that they can never reach.',
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
      text: `CEL is an {election} for networks that move, published in a thesis in 2022. Each
        {node} keeps a map of the network, with a counter for each node: of two reports about
        the same node, the one with the higher counter is the newer one. The claim: when changes
        end, all nodes of a {component} agree on one leader in it. One run that ends otherwise
        refutes it; such a run is called a {counterexample}.`,
      open: {},
    },
    {
      title: 'A line of four',
      text: `The nodes exchange their maps. 2 and 3 are equally {central}, and the higher id
        decides: 3 leads. So far the claim holds.`,
      play: { speed: 1.2, until: 4 * S },
      select: [2],
    },
    {
      title: 'A link fails, and the message about it is lost',
      text: `At 10 s the link between 2 and 3 fails. 2 sends 1 its new map, without 3. But half
        a second later 2 {crashes|crash}, and the message is lost with the link. So 1 only
        learns that 2 is gone. In its map 2 still has the neighbour 3.`,
      look: 'The message from 2 to 1 that never arrives.',
      open: { to: 9 * S },
      play: { speed: 0.5, until: 11.5 * S },
      select: [1],
    },
    {
      title: '2 restarts without memory',
      text: `At 14 s node 2 {restarts|restart}. It has lost its memory, so its counter starts at
        1 again. But 1 still has an entry of 2 from before the crash, with a higher counter, and
        sends its map, in which 2 has the neighbours 1 **and 3**.`,
      look: `Two messages cross: the correct one with a low counter, and an outdated one with a
        high counter.`,
      play: { speed: 0.6, until: 14.9 * S },
      select: [0, 1],
    },
    {
      title: 'Which entry will 2 keep?',
      text: `In a moment 2 will receive the map of 1, which has an entry about 2 itself. The
        counter of that entry is higher than its own.`,
      ask: {
        kind: 'choice',
        prompt: 'Which entry about itself will 2 keep, following the published rules?',
        options: ['Its own: 2 has the neighbour 1', 'That of 1: 2 has the neighbours 1 and 3'],
        answer: 1,
        right: 'Yes. The higher counter wins, even against what 2 itself observes.',
        wrong: 'The rules compare only counters: the higher one wins.',
      },
    },
    {
      title: 'Permanently wrong',
      text: `Both 1 and 2 now have a link between 2 and 3 in their maps, and elect **3**. They
        cannot reach it: 3 is in the other component, with 4, and there 4 leads. No more
        messages are sent, so no node will ever detect the error. The claim is false.`,
      look: 'The colours: 1 and 2 follow a node that does not lead and that they cannot reach.',
      play: { speed: 1.2, until: 20 * S },
      select: [0, 1, 2],
    },
    {
      title: 'How was it found?',
      text: `\`bellwether check\` tries **every** order in which messages can arrive and nodes
        and links can fail, in small networks, and shows the shortest run that violates the
        claim. For CEL it finds several, with as few as three nodes and three steps. Tests show
        that some runs work; an exhaustive search finds those that do not.`,
    },
    {
      title: 'The repair',
      text: `cel-2 is the same election with stricter rules. Only a node itself writes its own
        entry, and it ignores what others send about it. The counter starts at the clock, so
        that it is always higher after a restart than before. And neighbours compare their maps
        until they are equal. Here is the same scenario again.`,
      look: `Small messages go on for a while after each change: neighbours verify that their
        maps are equal.`,
      open: { set: ['algorithm=cel-2'], to: 9 * S },
      play: { speed: 1, until: 14 * S },
      select: [1],
    },
    {
      title: 'Right in the end',
      text: `2 restarts with a counter from its clock, far above the old one. 1 accepts the
        entry, removes the link to 3 from its map, and both elect 2. The other two elect 4. Each
        component has one leader, as claimed; then the network is quiescent.`,
      play: { speed: 0.8, until: 18 * S },
      select: [0, 1],
    },
  ],
};
