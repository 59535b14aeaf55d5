import type * as Cel from '@marcbachmann/cel-js' with { 'resolution-mode': 'import' };
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runs } from '../../share';
import { isDataMap, type Data } from '../../../lib/eks';
import type { KarpenterValidation } from '../../../lib/knowledge';
import { NODE_CLASS_CHECKS } from '../../../lib/rules/node-bootstrap/parts/node-class-validations';
import { NODE_POOL_CHECKS } from '../../../lib/rules/node-bootstrap/parts/node-pool-validations';
import { foundBy, told } from '../../../lib/rules/node-bootstrap/parts/karpenter-validations';

const { kinds } = JSON.parse(
  readFileSync(join(__dirname, '../../../lib/knowledge/data/karpenter-fields.json'), 'utf8'),
) as { kinds: Record<'NodePool' | 'EC2NodeClass', { validations: Record<string, readonly KarpenterValidation[]> }> };

const CHECKS = { NodePool: NODE_POOL_CHECKS, EC2NodeClass: NODE_CLASS_CHECKS } as const;

/** All expressions with their places. */
const ALL = (['NodePool', 'EC2NodeClass'] as const).flatMap((kind) =>
  Object.entries(kinds[kind].validations).flatMap(([path, list]) => list.map(({ rule }) => ({ kind, path, rule }))),
);

/** It comes as a module of ECMAScript, which Jest doesn't load. */
function loadInterpreter(): typeof Cel {
  const { outputFiles } = buildSync({
    stdin: { contents: "export * from '@marcbachmann/cel-js'", resolveDir: __dirname },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    write: false,
  });
  const module = { exports: {} };
  // oxlint-disable-next-line typescript/no-implied-eval
  const run = new Function('module', outputFiles[0]?.text ?? '') as (module: object) => void;
  run(module);
  return module.exports as typeof Cel;
}

const { Environment } = loadInterpreter();
const interpreter = new Environment({ unlistedVariablesAreDyn: true });
// What Kubernetes adds to CEL.
interpreter.registerFunction(
  'string.find(string): string',
  (text: string, pattern: string) => (new RegExp(pattern).exec(text) ?? [''])[0],
);

/** Whether an expression refuses data; one that fails, as at a field that isn't there, does so, too. */
function isRefused(rule: string, self: Data): boolean {
  try {
    return interpreter.parse(rule)({ self: withIntegers(self) }) !== true;
  } catch {
    return true;
  }
}

function withIntegers(data: Data): unknown {
  if (typeof data === 'number') return BigInt(data);
  if (Array.isArray(data)) return (data as readonly Data[]).map(withIntegers);
  if (!isDataMap(data)) return data;
  return Object.fromEntries(Object.entries<Data>(data).map(([key, value]) => [key, withIntegers(value)]));
}

const word = fc.constantFrom('a', 'b');
const tags = fc.dictionary(fc.constantFrom('', 'a', 'b'), fc.constantFrom('', 'x'), { maxKeys: 2 });
const some = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.oneof({ weight: 3, arbitrary: fc.record(model, { requiredKeys: [] }) }, fc.constant({}));
const few = <T>(item: fc.Arbitrary<T>) => fc.array(item, { maxLength: 3 });
const signals = fc.dictionary(fc.constantFrom('memory.available', 'pid.available', 'memory'), fc.constant('5%'));
const amounts = fc.dictionary(fc.constantFrom('cpu', 'memory', 'gpu'), fc.constantFrom('1', '-1'));
const percent = fc.constantFrom(80, 85);
const term = some({ id: word, name: word, tags });

/** Data of the right types for each place. */
const DATA: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  'disruption.budgets': few(some({ nodes: word, schedule: word, duration: word })),
  'template.spec.requirements': few(
    fc.record(
      {
        key: word,
        operator: fc.constantFrom('In', 'NotIn', 'Exists', 'Gt', 'Lt', 'Gte', 'Lte'),
        values: few(fc.constantFrom('1', '+2', '-3', '1.5', 'many')),
        minValues: fc.constantFrom(1, 2, 3),
      },
      { requiredKeys: ['key', 'operator'] },
    ),
  ),
  '': some({
    replicas: fc.constant(1),
    weight: fc.constant(1),
    limits: fc.dictionary(fc.constantFrom('nodes', 'cpu'), fc.constant(1)),
  }),
  amiSelectorTerms: few(some({ id: word, name: word, owner: word, tags, ssmParameter: word })),
  'amiSelectorTerms[].alias': fc.constantFrom('al2023@latest', 'windows2022@latest', 'windows2025@latest'),
  'amiSelectorTerms[].tags': tags,
  subnetSelectorTerms: few(some({ id: word, tags })),
  'subnetSelectorTerms[].tags': tags,
  securityGroupSelectorTerms: few(term),
  'securityGroupSelectorTerms[].tags': tags,
  capacityReservationSelectorTerms: few(some({ id: word, tags, ownerID: word, instanceMatchCriteria: word })),
  'capacityReservationSelectorTerms[].tags': tags,
  blockDeviceMappings: few(some({ deviceName: word, rootVolume: fc.boolean() })),
  'blockDeviceMappings[].ebs': some({
    volumeSize: word,
    snapshotID: fc.constantFrom('', 'snap-1'),
    volumeInitializationRate: fc.constant(100),
  }),
  kubelet: some({
    evictionSoft: signals,
    evictionSoftGracePeriod: signals,
    imageGCHighThresholdPercent: percent,
    imageGCLowThresholdPercent: percent,
  }),
  'kubelet.evictionHard': signals,
  'kubelet.evictionSoft': signals,
  'kubelet.evictionSoftGracePeriod': signals,
  'kubelet.kubeReserved': amounts,
  'kubelet.systemReserved': amounts,
  tags: fc.dictionary(
    fc.constantFrom(
      '',
      'a',
      'kubernetes.io/cluster/x',
      'eks:eks-cluster-name',
      'karpenter.sh/nodepool',
      'karpenter.sh/nodeclaim',
      'karpenter.k8s.aws/ec2nodeclass',
    ),
    fc.constant('x'),
    { maxKeys: 2 },
  ),
  networkInterfaces: few(
    fc.record({
      networkCardIndex: fc.constantFrom(0, 1),
      deviceIndex: fc.constantFrom(0, 1),
      interfaceType: fc.constantFrom('interface', 'efa-only'),
    }),
  ),
  placementGroupSelector: some({ name: word, id: word }),
  connectionTracking: some({ udpTimeout: fc.constant(60), tcpEstablishedTimeout: fc.constant(60) }),
};

/** What another expression of the same place tells, so that nothing is told twice. */
const TOLD_BESIDE = ["self.all(x, (x.operator == 'In' && has(x.minValues)) ? x.values.size() >= x.minValues : true)"];
/** Lists that are empty are told as missing. */
const TOLD_EMPTY = ['subnetSelectorTerms', 'securityGroupSelectorTerms'];

it('every expression of the definitions has its place', () => {
  expect(ALL.filter(({ kind, rule }) => !Object.hasOwn(CHECKS[kind], rule))).toEqual([]);
});

it.each(ALL.filter(({ kind, rule }) => CHECKS[kind][rule] !== told).map((one) => [`${one.path}: ${one.rule}`, one]))(
  'refuses what the interpreter refuses, and nothing else: %s',
  (_, { kind, path, rule }) => {
    const check = CHECKS[kind][rule];
    const data = DATA[path];
    if (check === undefined || data === undefined) throw new Error(`nothing is drawn for ${path}`);
    const verdicts = new Set<boolean>();
    fc.assert(
      fc.property(data, (drawn) => {
        const self = drawn as Data;
        fc.pre(!TOLD_EMPTY.includes(path) || (self as readonly Data[]).length > 0);
        const refused = isRefused(rule, self);
        verdicts.add(refused);
        const others = TOLD_BESIDE.includes(rule)
          ? (kinds[kind].validations[path] ?? []).map((one) => one.rule)
          : [rule];
        expect(
          others.some((one) => CHECKS[kind][one] !== undefined && foundBy(CHECKS[kind][one], self) !== undefined) ||
            !refused,
        ).toBe(true);
        if (foundBy(check, self) !== undefined) expect(refused).toBe(true);
      }),
      { numRuns: runs(300) },
    );
    expect([...verdicts].toSorted()).toEqual([false, true]);
  },
);
