// SPDX-License-Identifier: MIT
import { S, type Lesson } from './lesson';

const LARGE = ['network.nodes=64', 'network.names=[]'];

export const hirschbergSinclair: Lesson = {
  id: 'hirschberg-sinclair',
  title: 'Never more than n log n',
  teaser: `Hirschberg and Sinclair: each node asks its neighbours first, and asks farther away
    only if it wins there.`,
  family: 'Rings',
  toml: `name = "lesson-hirschberg-sinclair"
about = "Hirschberg and Sinclair: probes go twice as far in each phase"
algorithm = "hirschberg-sinclair"
seed = 1

[network]
topology = "ring"
nodes = 8
names = [8, 3, 6, 1, 7, 2, 5, 4]

[channel]
mean = "1 s"

[stop]
time = "300 s"
`,
  steps: [
    {
      title: 'Ask near, then far',
      text: `In this {ring} {messages|message} go both ways. A {node} does not send its {id} all
        the way round at once. It first asks its neighbours whether they are larger. Only if it
        wins there does it ask farther away, twice as far in each {phase}.`,
      open: {},
    },
    {
      title: 'Phase 0: one step',
      text: `Each node sends a **probe** with its id one step to both sides. A larger node
        answers *no*, a smaller one *ok*. A node that gets two oks is larger than both
        neighbours and goes on: these are 8, 6, 7 and 5.`,
      look: 'Probes go out, replies come back. The winners of this phase are marked.',
      play: { speed: 0.7, until: 2 * S },
      select: [0, 2, 4, 6],
    },
    {
      title: 'Which nodes go on?',
      text: `In phase 1 probes go **two** steps. On the way every node compares; a larger one
        sends *no* back, and the last node on the way replies *ok*.`,
      ask: {
        kind: 'node',
        prompt: 'Of 8, 6, 7 and 5 two will go on. Click one of them.',
        nodes: [0, 2, 4, 6],
        answer: [0, 4],
        right: 'Yes: 8 and 7 are the largest within two steps of themselves.',
        wrong: 'This node has a larger id two steps away.',
      },
    },
    {
      title: 'Phase 1: two steps',
      text: `Two steps out and two back take four seconds. 6 meets 8 and 7, and 5 meets them as
        well: both give up. From now on they only forward messages.`,
      play: { speed: 1, until: 6 * S },
      select: [0, 4],
    },
    {
      title: 'Phase 2: four steps',
      text: `Now 8 and 7 are left, on opposite sides of the ring. Their probes go four steps,
        and each meets the other one. 7 receives *no* from 8 and gives up.`,
      look: `Few nodes send, but their messages go far. That keeps each phase cheap: many probes
        go a short way, few go a long way.`,
      play: { speed: 1.3, until: 14 * S },
      select: [0],
    },
    {
      title: 'Phase 3: once round',
      text: `The probes of 8 may go eight steps. They return from both sides: no node is larger,
        and 8 leads. All this took 112 messages, and no order of eight ids takes more; the
        {announcement} adds eight.`,
      play: { speed: 1.3, until: 22 * S },
      select: [0],
    },
    {
      title: 'Why n log n?',
      text: `A node that begins phase k is the largest within 2ᵏ⁻¹ steps, so such nodes are far
        apart, and there are few of them: about n / 2ᵏ⁻¹. Each causes at most 4 · 2ᵏ messages.
        So every phase costs less than 6n messages, and there are about log₂ n phases, where
        log₂ n is the number of times that n can be halved (the {logarithm}).`,
      look: `112 messages are more than the 36 of Chang and Roberts at their worst. With eight
        nodes there is nothing to gain.`,
      play: { speed: 3, until: 30 * S },
    },
    {
      title: '64 nodes, bad order: Chang and Roberts',
      text: `The worst order for Chang and Roberts, 64 nodes, after the election. Their tokens
        made 64 times 65 / 2 = 2,080 hops; with the announcement that is 2,144 messages.`,
      open: {
        set: [...LARGE, 'network.ids=descending', 'algorithm=chang-roberts'],
        to: 130 * S,
      },
    },
    {
      title: '64 nodes, the same order: Hirschberg and Sinclair',
      text: `The same ring, and only 696 messages, the announcement included. Twice as many
        nodes would cost Chang and Roberts four times as much here, but Hirschberg and Sinclair
        only a little more than twice.`,
      open: { set: [...LARGE, 'network.ids=descending'], to: 290 * S },
    },
    {
      title: 'The price of a good worst case',
      text: `A good worst case is not the same as a good average. Most rings have no bad order
        of ids; the order is arbitrary.`,
      ask: {
        kind: 'choice',
        prompt: '64 nodes with ids in random order: which algorithm sends fewer messages?',
        options: ['Chang and Roberts', 'Hirschberg and Sinclair'],
        answer: 0,
        right: `Yes: 343 messages against 1,260 in this ring. The guarantee for the worst case
          costs messages in the average case. (Peterson's algorithm needs at most about 1.44 n
          log₂ n messages, even on a one-way ring; here it sends 426.)`,
        wrong: `Remember the last lesson: on average Chang and Roberts drop most tokens early.
          It is 343 messages against 1,260.`,
      },
      open: { set: [...LARGE, 'network.ids=random'], to: 290 * S },
    },
  ],
};
