/**
 * The layers of lib/, from the top: a folder imports from those below it only, and from none beside it. CONTRIBUTING draws them.
 */
const LAYERS = [
  ['cli'],
  ['lsp', 'mcp', 'hook', 'run-task'],
  ['testing', 'reports', 'fixes'],
  ['upgrade', 'drift', 'user-data'],
  ['check.ts'],
  ['baseline', 'configuration'],
  ['rules'],
  ['engine'],
  ['front-ends'],
  ['eks'],
  ['cloudformation', 'terraform'],
  ['languages'],
  ['knowledge'],
  ['version.ts'],
  ['files', 'user-code', 'value', 'text'],
];

const layerRules = LAYERS.flatMap((folders, index) =>
  folders.map((folder) => {
    const reachable = [folder, ...LAYERS.slice(index + 1).flat()].map((name) => name.replace('.', '\\.'));
    return {
      name: `layer-${folder}`,
      comment: `lib/${folder} may import from ${reachable.slice(1).join(', ') || 'no other folder of lib'} only.`,
      severity: 'error',
      from: { path: `^lib/${folder}` },
      to: { path: '^lib/', pathNot: `^lib/(?:${reachable.join('|')})(?:/|$)` },
    };
  }),
);

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...layerRules,
    {
      name: 'lib-alone',
      comment: 'lib/ works without the CDK, the constructs and the aspects.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(?:constructs|aspects|examples|test)/' },
    },
    {
      name: 'no-circles-between-folders',
      comment: 'Folders that need each other are one folder, or a part of one belongs elsewhere.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(?:lib|constructs|aspects)' },
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    includeOnly: '^(?:lib|constructs|aspects)/',
    tsPreCompilationDeps: true,
    combinedDependencies: false,
  },
};
