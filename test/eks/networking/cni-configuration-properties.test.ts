import fc from 'fast-check';
import { runs } from '../../share';
import { runRules } from '../../../lib/engine';
import { addonVersions, vpcCniVariable, vpcCni, type ConfigurationKey } from '../../../lib/knowledge';
import {
  configurationConflicts,
  configurationProblems,
  featureValues,
  type VpcCniFeatures,
} from '../../../lib/eks/networking';
import { EksModel } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import type { DataMap } from '../../../lib/value';
import { versionSchema } from './version-schema';

type Values = Record<string, unknown>;

const versions = addonVersions('vpc-cni');
const version = fc.constantFrom(...versions.map((one) => one.version));

/** Keys that change what others may be: these are set by features alone. */
const LINKED = new Set([
  'env.ENABLE_POD_ENI',
  'env.POD_SECURITY_GROUP_ENFORCING_MODE',
  'env.ENABLE_PREFIX_DELEGATION',
  'env.AWS_VPC_K8S_CNI_CUSTOM_NETWORK_CFG',
  'env.ENI_CONFIG_LABEL_DEF',
  'env.ENI_CONFIG_ANNOTATION_DEF',
  'env.NETWORK_POLICY_ENFORCING_MODE',
  'env.ENABLE_BANDWIDTH_PLUGIN',
  'env.WARM_PREFIX_TARGET',
  'env.WARM_IP_TARGET',
  'env.MINIMUM_IP_TARGET',
  'env.WARM_ENI_TARGET',
  'env.MAX_ENI',
  'init.env.DISABLE_TCP_EARLY_DEMUX',
  'enableNetworkPolicy',
  'enableWindowsIpam',
  'enableWindowsPrefixDelegation',
  'nodeAgent.enabled',
  'extraEnv',
]);

const isLeaf = ({ path, type }: ConfigurationKey): boolean =>
  !LINKED.has(path) &&
  !path.startsWith('eniConfig') &&
  !/[*[]/.test(path) &&
  !(type.includes('object') && vpcCni.keys.some((other) => other.path.startsWith(`${path}.`)));
const leaves = vpcCni.keys.filter(isLeaf);

/** A value that the schema takes and the CNI can read. */
function valueOf(key: ConfigurationKey): fc.Arbitrary<unknown> {
  const variable = vpcCniVariable(key.path.split('.').at(-1) ?? '');
  if (key.enum !== undefined) return fc.constantFrom(...key.enum);
  if (key.type.includes('integer')) return fc.nat(500);
  if (key.type.includes('boolean')) return fc.boolean();
  if (key.type.includes('array')) return fc.constantFrom([], [{ name: 'extra' }]);
  if (key.type.includes('object')) return fc.constantFrom<unknown[]>({}, { any: { thing: 1 } }, null);
  if (key.format === 'boolean') return fc.constantFrom('true', 'false', '1', 'F');
  if (key.path.endsWith('CIDRS')) return fc.constantFrom('10.20.0.0/16', '10.20.0.0/16, 10.30.0.0/24');
  if (key.path === 'env.ADDITIONAL_ENI_TAGS') return fc.constant('{"team":"network"}');
  if (key.format === 'integer') {
    const [low, high] = variable?.range ?? [0, 9000];
    return fc.integer({ min: low ?? 0, max: high ?? 100 }).map(String);
  }
  if (variable?.enum !== undefined) return fc.constantFrom(...variable.enum);
  return fc.constantFrom('a', 'bc');
}

const feature = fc.record<VpcCniFeatures>(
  {
    podSecurityGroups: fc.record({ mode: fc.constantFrom('strict', 'standard') }),
    prefixDelegation: fc.record({ warmPrefixTarget: fc.integer({ min: 1, max: 9 }).map(String) }),
    networkPolicy: fc.record({ mode: fc.constantFrom('strict', 'standard') }, { requiredKeys: [] }),
    windowsIpam: fc.boolean(),
    customNetworking: fc.constant({
      region: 'eu-west-1',
      subnets: { 'eu-west-1a': { id: 'subnet-0123456789abcdef0', securityGroups: ['sg-0123456789abcdef0'] } },
    }),
    warmTargets: fc.constantFrom({}, { warmIpTarget: '5', minimumIpTarget: '10' }, { warmEniTarget: '2', maxEni: '4' }),
  },
  { requiredKeys: [] },
);

interface Sample {
  readonly version: string;
  readonly values: Values;
}

/** Random features that the version has, with random further keys. */
const sample: fc.Arbitrary<Sample> = fc.tuple(version, feature).chain(([pinned, features]) => {
  const own = leaves.filter((key) => vpcCni.accepts(key, pinned));
  const values: Values = {};
  for (const part of featureValues(features, pinned)) {
    if (paths(part.values).every((path) => isAccepted(path, pinned))) merge(values, part.values);
  }
  return fc.subarray(own, { maxLength: 8 }).chain((chosen) =>
    fc.tuple(...chosen.map(valueOf)).map((extra) => {
      const all = structuredClone(values);
      chosen.forEach((key, index) => {
        set(all, key.path.split('.'), extra[index]);
      });
      return { version: pinned, values: all };
    }),
  );
});

describe('random configurations', () => {
  it('fit the schema of their version, for this library and for a JSON schema validator', () => {
    fc.assert(
      fc.property(sample, ({ version: pinned, values }) => {
        expect(configurationProblems(values as DataMap, { kind: 'pinned', version: pinned })).toEqual([]);
        const isValid = versionSchema(pinned);
        isValid(values);
        expect(isValid.errors ?? []).toEqual([]);
        expect(configurationConflicts(values as DataMap, { version: pinned, ipFamily: 'ipv4' })).toEqual([]);
      }),
      { numRuns: runs(150) },
    );
  });

  it('pass the rules on the VPC CNI', () => {
    const rules = allRules.filter((rule) => rule.subject === 'vpc-cni');
    fc.assert(
      fc.property(sample, ({ version: pinned, values }) => {
        const { resources, diagnostics } = readTemplates([{ file: 'template.json', text: templateOf(pinned, values) }]);
        expect(diagnostics).toEqual([]);
        const failed = runRules(new EksModel(resources), rules).filter(
          ({ verdict, severity }) => verdict === 'fail' && severity !== 'info',
        );
        expect(failed.map(({ rule, message }) => `${rule}: ${message}`)).toEqual([]);
      }),
      { numRuns: runs(60) },
    );
  });

  it('are refused with any one key misspelt, at that key', () => {
    fc.assert(
      fc.property(
        sample,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('drop', 'double', 'swap', 'case', 'append'),
        ({ version: pinned, values }, which, where, how) => {
          const candidates = keyPaths(values).filter((path) => isClosed(path.slice(0, -1)));
          fc.pre(candidates.length > 0);
          const path = candidates[which % candidates.length] ?? [];
          const name = path.at(-1) ?? '';
          const misspelt = mutate(name, where % name.length, how);
          const wrong = [...path.slice(0, -1), misspelt];
          // Another key may come out, or the same.
          fc.pre(misspelt !== '' && keyAt(wrong) === undefined);
          const broken = structuredClone(values);
          rename(broken, path, misspelt);
          const found = configurationProblems(broken as DataMap, { kind: 'pinned', version: pinned }).map(
            (problem) => problem.path,
          );
          expect(found).toContain(wrong.join('.'));
          expect(versionSchema(pinned)(broken)).toBe(false);
        },
      ),
      { numRuns: runs(200) },
    );
  });

  it("are refused with a key that the version doesn't have", () => {
    const cases = fc
      .tuple(sample, fc.constantFrom(...leaves))
      .filter(([one, key]) => !vpcCni.accepts(key, one.version));
    fc.assert(
      fc.property(
        cases.chain(([one, key]) => valueOf(key).map((value) => ({ one, key, value }))),
        ({ one, key, value }) => {
          const wrong = structuredClone(one.values);
          set(wrong, key.path.split('.'), value);
          expect(
            configurationProblems(wrong as DataMap, { kind: 'pinned', version: one.version }).map(({ kind }) => kind),
          ).toEqual([expect.stringMatching(/^(?:too-new|removed)$/)]);
          expect(versionSchema(one.version)(wrong)).toBe(false);
        },
      ),
      { numRuns: runs(150) },
    );
  });
});

function templateOf(pinned: string, values: Values): string {
  const clusterVersion = versions.find((one) => one.version === pinned)?.clusterMinors.at(-1) ?? '1.34';
  return JSON.stringify({
    Resources: {
      ClusterRole: {
        Type: 'AWS::IAM::Role',
        Properties: {
          AssumeRolePolicyDocument: {
            Version: '2012-10-17',
            Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'eks.amazonaws.com' } }],
          },
          ManagedPolicyArns: [
            'arn:aws:iam::aws:policy/AmazonEKSClusterPolicy',
            'arn:aws:iam::aws:policy/AmazonEKSVPCResourceController',
          ],
        },
      },
      Cluster: {
        Type: 'AWS::EKS::Cluster',
        Properties: {
          Name: 'main',
          Version: clusterVersion,
          RoleArn: { 'Fn::GetAtt': ['ClusterRole', 'Arn'] },
          ResourcesVpcConfig: { SubnetIds: ['subnet-0123456789abcdef1', 'subnet-0123456789abcdef2'] },
        },
      },
      Cni: {
        Type: 'AWS::EKS::Addon',
        Properties: {
          AddonName: 'vpc-cni',
          AddonVersion: pinned,
          ClusterName: { Ref: 'Cluster' },
          ResolveConflicts: 'PRESERVE',
          PreserveOnDelete: true,
          ConfigurationValues: JSON.stringify(values),
        },
      },
    },
  });
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keyPaths(values: Values, prefix: readonly string[] = []): string[][] {
  return Object.entries(values).flatMap(([name, value]) => [
    [...prefix, name],
    ...(isMap(value) ? keyPaths(value, [...prefix, name]) : []),
  ]);
}

function paths(values: object): string[] {
  return keyPaths(values as Values).map((path) => path.join('.'));
}

/** The key of the table at a path, free names included. */
function keyAt(path: readonly string[]): ConfigurationKey | undefined {
  return path.reduce<ConfigurationKey | undefined>(
    (parent, name, index) =>
      index === 0
        ? vpcCni.key(name)
        : parent === undefined
          ? undefined
          : (vpcCni.key(`${parent.path}.${name}`) ?? vpcCni.key(`${parent.path}.*`)),
    undefined,
  );
}

function isClosed(path: readonly string[]): boolean {
  return path.length === 0 || keyAt(path)?.closed === true;
}

function isAccepted(path: string, pinned: string): boolean {
  const key = keyAt(
    path.startsWith('eniConfig.subnets.')
      ? ['eniConfig', 'subnets', ...path.slice('eniConfig.subnets.'.length).split('.')]
      : path.split('.'),
  );
  return key !== undefined && vpcCni.accepts(key, pinned);
}

function set(values: Values, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) values[name] = value;
  else {
    const inner = values[name];
    const map: Values = isMap(inner) ? inner : {};
    values[name] = map;
    set(map, rest, value);
  }
}

function merge(values: Values, more: object): void {
  for (const [name, value] of Object.entries(more) as [string, unknown][]) {
    const own = values[name];
    if (isMap(own) && isMap(value)) merge(own, value);
    else values[name] = structuredClone(value);
  }
}

function rename(values: Values, [name = '', ...rest]: readonly string[], misspelt: string): void {
  if (rest.length > 0) {
    const inner = values[name];
    if (isMap(inner)) rename(inner, rest, misspelt);
    return;
  }
  values[misspelt] = values[name];
  Reflect.deleteProperty(values, name);
}

function mutate(name: string, at: number, how: 'drop' | 'double' | 'swap' | 'case' | 'append'): string {
  const letter = name[at] ?? '';
  const before = name.slice(0, at);
  const after = name.slice(at + 1);
  switch (how) {
    case 'drop':
      return before + after;
    case 'double':
      return before + letter + letter + after;
    case 'swap':
      return before + after.slice(0, 1) + letter + after.slice(1);
    case 'case':
      return before + (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()) + after;
    case 'append':
      return `${name}S`;
  }
}
