// SPDX-License-Identifier: MIT
// The order of the site, which is also that of "previous" and "next". An entry is a page of the
// repository, a pair of a label and a page (or a heading in one), a folder with `/*.md` for those of its
// pages that are named nowhere else, or a group of entries. Without a label a page has its first heading.
// A test asks that every page below docs/ is somewhere here.
const algorithms = (names) => names.split(' ').map((name) => [name, `docs/algorithms/${name}.md`]);
const howto = (names) => names.split(' ').map((name) => `docs/howto/${name}.md`);

export default [
  {
    pages: [
      ['Home', 'README.md'],
      ['All documents', 'docs/README.md'],
    ],
  },
  {
    title: 'Tutorial',
    about: 'From a first election to a proof and a deployment, step by step.',
    pages: [
      'docs/tutorial/first-election.md',
      'docs/tutorial/moving-network.md',
      'docs/tutorial/own-algorithm.md',
      'docs/tutorial/first-proof.md',
      'docs/tutorial/first-deployment.md',
      'docs/tutorial/*.md',
    ],
  },
  {
    title: 'How-to',
    about: 'Install it, watch a run, sweep a matrix, bring a graph, run a node.',
    pages: [
      ['All tasks', 'docs/howto/README.md'],
      ['Install', 'docs/install.md'],
      ['Which algorithm should I use?', 'docs/which-algorithm.md'],
      {
        title: 'In the simulator',
        pages: howto(
          'one-file-election import-a-trace-or-graph inject-faults measure-and-plot ' +
            'use-many-machines reproduce-a-bug teach-with-the-viewer',
        ),
      },
      {
        title: 'On real machines',
        pages: howto(
          'run-something-on-the-leader-only fence-with-the-epoch tune tune-failover rotate-keys ' +
            'watch-with-prometheus call-from-c-or-cpp upgrade-a-group',
        ),
      },
      'docs/howto/*.md',
      ['A run in the browser', 'docs/view.md'],
      ['The most central node', 'docs/central.md'],
      'docs/experiments.md',
      ['Python', 'docs/python.md'],
      ['Realistic 802.11n: ns-3', 'docs/ns3.md'],
      ['A node on a real machine', 'docs/node.md'],
    ],
  },
  {
    title: 'Reference',
    about: 'Commands, keys, metrics and formats, each complete.',
    pages: [
      ['Command line', 'docs/reference/cli.md'],
      'docs/scenarios.md',
      'docs/moving.md',
      'docs/metrics.md',
      ['Traces', 'docs/traces.md'],
      ['Checking', 'docs/checking.md'],
      ["The daemon's HTTP interface", 'docs/node.md#http'],
      ["The daemon's frames", 'docs/node.md#on-the-wire'],
      ['Golden scripts', 'tests/golden/README.md'],
      'docs/glossary.md',
      ['C++ headers', 'api/index.html'],
    ],
  },
  {
    title: 'Algorithms',
    about: 'Every election: idea, pseudo-code, bounds, guarantee, and where we differ.',
    pages: [
      'docs/classical.md',
      {
        title: 'Networks that move',
        pages: algorithms(
          'height hierarchy vector-hierarchy central-hierarchy topology-aware topology-aware-2 cel cel-2 flooding ' +
            'vasudevan gomez-calzado drumbeat',
        ),
      },
      {
        title: 'Rings',
        pages: algorithms(
          'lelann chang-roberts clockwise clockwise-sync peterson dolev-klawe-rodeh ' +
            'higham-przytycka hirschberg-sinclair franklin alternate time-slice ' +
            'frederickson-lynch itai-rodeh',
        ),
      },
      {
        title: 'Complete networks',
        pages: algorithms('bully humblet korach-moran-zaks afek-gafni afek-gafni-sync'),
      },
      {
        title: 'Any network',
        pages: algorithms('echo-extinction ghs flood-max opt-flood-max peleg bfs-tree bfs-tree-async'),
      },
      ['Complexity', 'docs/complexity.md'],
      ['Synchronizers', 'docs/synchronizers.md'],
    ],
  },
  {
    title: 'Internals',
    about: 'The modules, why they are as they are, and how to add to them.',
    pages: [
      'docs/architecture.md',
      ['Finding the most central node', 'docs/closeness.md'],
      'docs/performance.md',
      'CONTRIBUTING.md',
      'tests/README.md',
      ['Fuzzing', 'tests/fuzz/README.md'],
      ['The viewer', 'viewer/README.md'],
      ["The viewer's protocol", 'viewer/PROTOCOL.md'],
      ['This site', 'docs/site/README.md'],
    ],
  },
  {
    title: 'Evidence',
    about: 'What was reproduced, what was checked, and what has changed.',
    pages: [
      ['Reproduction', 'docs/reproduction.md'],
      ['Reproduction on both media', 'docs/reproduction-both.md'],
      ['Verification', 'docs/verification.md'],
      ['Changes', 'CHANGELOG.md'],
    ],
  },
];
