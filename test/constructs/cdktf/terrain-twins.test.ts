import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ConstructionError, type ManagedNodeGroupProps } from '../../../constructs/cdktf';

/*
 * CDK Terrain is CDKTF under another name: whatever combination of options, its constructs make the same, or refuse it in the same words. By default
 * a share of the combinations is tried; all of them with EKS_GUARDRAILS_ALL_COMBINATIONS=1.
 */

interface Tried<T> {
  readonly accepted: readonly T[];
  readonly refused: readonly { readonly combination: T }[];
}

const SHARE = process.env['EKS_GUARDRAILS_ALL_COMBINATIONS'] === '1' ? 1 : 4;
const root = join(__dirname, '../../..');

type Terraform = typeof import('cdktf') &
  typeof import('./stacks') &
  typeof import('./network-addon-combinations') &
  typeof import('./karpenter-combinations') &
  typeof import('./controller-role-cases') &
  typeof import('./node-groups');

const ENTRY = [
  'cdktf',
  './stacks',
  './network-addon-combinations',
  './karpenter-combinations',
  './controller-role-cases',
  './node-groups',
]
  .map((name) => `export * from '${name}';`)
  .join('\n');

/** The constructs and what the tests make of them, with the libraries of an engine. */
async function ofEngine(engine: 'cdktf' | 'cdktn'): Promise<Terraform> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: __dirname, loader: 'ts' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    write: false,
    plugins: [
      {
        name: 'engine',
        setup: (hooks) => {
          hooks.onResolve({ filter: /^[^./]/ }, ({ path }) => ({
            path: path.replace(/^(@?)cdktf(?=\/|$)/, `$1${engine}`),
            external: true,
          }));
        },
      },
    ],
  });
  const module = { exports: {} as Terraform };
  // The tables stand beside the code that reads them.
  const place = join(root, 'lib/knowledge');
  const names = ['module', 'exports', 'require', '__dirname', '__filename'];
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function(...names, outputFiles[0]?.text ?? '') as (...globals: readonly unknown[]) => void;
  run(module, module.exports, createRequire(__filename), place, join(place, 'index.ts'));
  return module.exports;
}

const nodes: readonly Omit<ManagedNodeGroupProps, 'cluster' | 'subnets'>[] = [
  {},
  { labels: { tier: 'web' }, taints: [{ key: 'a', effect: 'NO_SCHEDULE' }], capacityType: 'SPOT', diskSize: 100 },
  { customAmi: 'ami-0123456789abcdef0', maxPods: 20, serviceCidr: '172.20.0.0/16' },
  { securityGroups: ['sg-0123456789abcdef0'], volume: { size: 200, iops: 6000, throughput: 500 } },
  { instanceTypes: ['m6i.large', 'm7g.large'] },
  {
    instanceTypes: ['p5.48xlarge'],
    capacityType: 'CAPACITY_BLOCK',
    capacityReservation: { id: 'cr-0123456789abcdef0' },
    efa: {},
    nodeRepair: {},
  },
  { remoteAccess: { keyName: 'operators', from: ['sg-0123456789abcdef0'] }, detailedMonitoring: true },
];

/** What each case makes, or why it is refused. */
function madeBy(engine: Terraform): Map<string, string> {
  const { App, Testing, newStack, newCluster, makeGroup } = engine;
  const made = new Map<string, string>();
  const make = (name: string, stackOf: () => ReturnType<typeof newStack>): void => {
    try {
      const { resource, data, variable } = JSON.parse(Testing.synth(stackOf(), true)) as Record<string, unknown>;
      made.set(name, JSON.stringify({ resource, data, variable }, undefined, 1));
    } catch (error) {
      // The class is that of the other bundle.
      if ((error as Error).name !== ConstructionError.name && !String(error).includes('Validation failed')) throw error;
      made.set(name, `refused: ${String(error)}`);
    }
  };
  const inStack = (name: string, fill: (stack: ReturnType<typeof newStack>) => void): void => {
    make(name, () => {
      const stack = newStack('eu-west-1', new App());
      fill(stack);
      return stack;
    });
  };
  const inShare = <T>({ accepted, refused }: Tried<T>): T[] =>
    [...refused.map(({ combination }) => combination), ...accepted].filter((_, index) => index % SHARE === 0);
  for (const one of inShare(engine.networkCombinations()))
    inStack(Object.values(one).join(', '), (stack) => void engine.makeNetworkAddons(stack, one));
  for (const one of inShare(engine.karpenterCombinations()))
    inStack(`Karpenter ${Object.values(one).join(', ')}`, (stack) => void engine.makeKarpenterRoles(stack, one));
  for (const [name, fill] of Object.entries(engine.controllerRoleCases)) inStack(name, fill);
  for (const [index, options] of nodes.entries()) make(`nodes ${index}`, () => makeGroup(options).stack);
  inStack('roles for no cluster', (stack) => {
    engine.allRoles(stack, { cluster: newCluster(stack), namespace: 'Platform*' });
  });
  return made;
}

it('the constructs of CDK Terrain make what those of CDKTF make', async () => {
  const [ofCdktf, ofTerrain] = [madeBy(await ofEngine('cdktf')), madeBy(await ofEngine('cdktn'))];
  expect(Object.fromEntries(ofTerrain)).toEqual(Object.fromEntries(ofCdktf));
  const refused = [...ofTerrain.values()].filter((one) => one.startsWith('refused: '));
  expect(refused.length).toBeGreaterThan(1);
  expect(ofTerrain.size - refused.length).toBeGreaterThan(20);
});
