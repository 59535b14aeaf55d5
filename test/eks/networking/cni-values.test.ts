import fc from 'fast-check';
import { runs } from '../../share';
import {
  addonVersions,
  compareVersions,
  vpcCniVariable,
  vpcCniVariables,
  vpcCni,
  type ConfigurationKey,
  type VpcCniVariable,
} from '../../../lib/knowledge';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { awsNodeNumber, awsNodeSetting, prefixWarmTargets } from '../../../lib/eks/networking/cni-environment';
import { configurationProblems } from '../../../lib/eks/networking/addon-schema-check';
import { CniSettings } from '../../../lib/eks/networking/cni-settings';
import { cniValueReport, type CniValueContext } from '../../../lib/eks/networking/cni-values';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { vpcCniEnvValues } from '../../../lib/rules/vpc-cni/vpc-cni-env-values';
import { nowhere, Unknown, type Data, type DataMap } from '../../../lib/value';
import { cpuTime } from '../../cpu-time';

const ADDON: CniValueContext = { ipFamily: 'ipv4', schemaFirst: true };
const CHART: CniValueContext = { ipFamily: 'ipv4', schemaFirst: false };

const report = (data: Data | undefined, context = ADDON, version?: string) =>
  cniValueReport(new CniSettings(data, version), context);
const problem = (name: string, value: Data, context = ADDON, version?: string) =>
  report({ env: { [name]: value } }, context, version).problems[0];

describe('cniValueReport', () => {
  it('says what is wrong, what happens and what is allowed', () => {
    expect(problem('ENABLE_POD_ENI', 'yes')).toEqual({
      path: 'env.ENABLE_POD_ENI',
      found: '"yes"',
      defect: 'is no boolean',
      effect: 'ignored',
      consequence: 'the CNI logs an error and uses its default, "false"',
      allowed: '`"true"` or `"false"`',
    });
  });

  it.each([
    ['AWS_VPC_K8S_CNI_VETHPREFIX', 'at most 4 characters, other than eth, lo, vlan'],
    ['AWS_VPC_K8S_PLUGIN_LOG_FILE', 'stderr or a path, other than stdout'],
    ['IP_COOLDOWN_PERIOD', 'an integer from 0 on'],
    ['POD_MTU', 'an integer from 576 to 9001'],
    ['AWS_VPC_K8S_CNI_RANDOMIZESNAT', 'one of `"hashrandom"`, `"prng"`, `"none"`'],
    ['ADDITIONAL_ENI_TAGS', 'JSON object of string values'],
  ])('says what %s takes', (name, allowed) => {
    const wrong = name === 'AWS_VPC_K8S_PLUGIN_LOG_FILE' ? 'stdout' : 'wrong!';
    expect(problem(name, wrong)?.allowed).toBe(allowed);
  });

  it('takes the range of the IP family, and doubts where only one takes the number', () => {
    const mtu = (value: string, ipFamily: CniValueContext['ipFamily']) =>
      report({ env: { POD_MTU: value } }, { ...ADDON, ipFamily });
    expect(mtu('1000', 'ipv4')).toMatchObject({ problems: [], doubts: [] });
    expect(mtu('1000', 'ipv6').problems).toMatchObject([{ allowed: 'an integer from 1280 to 9001', effect: 'exits' }]);
    expect(mtu('1000', undefined)).toMatchObject({ problems: [], doubts: [expect.stringContaining('IP family')] });
    expect(mtu('9002', undefined).problems).toHaveLength(1);
    expect(mtu('1280', undefined)).toMatchObject({ problems: [], doubts: [] });
  });

  it('takes tags as long as EC2 does', () => {
    const tag = (key: number, value: number) =>
      problem('ADDITIONAL_ENI_TAGS', JSON.stringify({ ['k'.repeat(key)]: 'v'.repeat(value) }))?.defect;
    expect(tag(128, 256)).toBeUndefined();
    expect(tag(129, 256)).toContain('too long');
    expect(tag(128, 257)).toContain('too long');
  });

  it.each(['+5', '007', '0'])('reads %s as Go does', (text) => {
    expect(problem('WARM_IP_TARGET', text)).toBeUndefined();
  });

  it.each([
    '5.0',
    '1e3',
    '0x5',
    ' 5',
    '5 ',
    '1_000',
    '９',
    '9223372036854775808',
    '-99999999999999999999',
    '9'.repeat(5000),
  ])('does not read %s as an integer', (text) => {
    expect(problem('WARM_ENI_TARGET', text)?.defect).toBe('is no integer');
  });

  it.each(['0x80', '128', '0', '0b11', '0o17', '017'])('reads %s as a mark', (text) => {
    expect(problem('AWS_VPC_K8S_CNI_CONNMARK', text, CHART)).toBeUndefined();
  });

  it.each(['0xZZ', '8 0', '0b2'])('does not read %s as a mark', (text) => {
    expect(problem('AWS_VPC_K8S_CNI_CONNMARK', text, CHART)?.defect).toBe('is no integer');
  });

  it('knows since when a wrong MTU stops aws-node', () => {
    expect(problem('AWS_VPC_ENI_MTU', '1', ADDON, 'v1.16.3-eksbuild.2')?.effect).toBe('ignored');
    expect(problem('AWS_VPC_ENI_MTU', '1', ADDON, 'v1.16.4')?.effect).toBe('exits');
    expect(problem('AWS_VPC_ENI_MTU', '1', ADDON, 'v1.16.4-eksbuild.2')?.effect).toBe('exits');
    expect(problem('AWS_VPC_ENI_MTU', '1')?.effect).toBe('exits');
  });

  it('leaves to the schema what it refuses, and judges the same of a chart', () => {
    const env = { ENABLE_POD_ENI: 1, ENABLE_MULTI_NIC: 'yes', AWS_VPC_K8S_CNI_VETHPREFIX: 12345 };
    expect(report({ env })).toEqual(expect.objectContaining({ problems: [], doubts: [], judged: 0 }));
    expect(report({ env }, CHART).problems.map(({ path }) => path)).toEqual([
      'env.ENABLE_MULTI_NIC',
      'env.AWS_VPC_K8S_CNI_VETHPREFIX',
    ]);
  });

  it('doubts what is not known, where it counts', () => {
    const hidden = new Unknown('it is a parameter', nowhere);
    expect(report(hidden).doubts).toEqual(['the configuration values are not known (it is a parameter)']);
    expect(report({ env: hidden }).doubts).toEqual(['env is not known (it is a parameter)']);
    expect(report({ env: { ENABLE_POD_ENI: hidden, CLUSTER_ENDPOINT: hidden } }).doubts).toEqual([
      'env.ENABLE_POD_ENI is not known (it is a parameter)',
    ]);
    expect(report({ nodeAgent: hidden }).doubts).toHaveLength(1);
    expect(report({ enableNetworkPolicy: hidden }).doubts).toHaveLength(1);
  });

  it('says of every wrong value of the table what happens', () => {
    for (const variable of vpcCniVariables()) {
      if (variable.invalid === undefined) continue;
      // A new wording must be read by somebody: it decides between an error and a warning.
      expect(variable.invalid).toMatch(
        /^(?:aws-node exits|ipamd does not start|ipamd logs|ignored|treated as not set|<= 0|logged|bad items)/,
      );
    }
  });

  it('is linear in long values', () => {
    const long = 50_000;
    const elapsed = cpuTime();
    report({
      env: {
        AWS_VPC_K8S_CNI_EXCLUDE_SNAT_CIDRS: '10.0.0.0/8,'.repeat(long),
        ADDITIONAL_ENI_TAGS: '['.repeat(long),
        WARM_IP_TARGET: '9'.repeat(long),
        MAX_ENI: `${'1'.repeat(long)}x`,
      },
    });
    expect(elapsed()).toBeLessThan(3000);
  });
});

describe('the environment of aws-node', () => {
  const settings = (data: Data) => new CniSettings(data, undefined);

  it('has variables of extraEnv that the container has from nowhere else', () => {
    expect(awsNodeSetting(settings({ extraEnv: [{ name: 'WARM_IP_TARGET', value: '5' }] }), 'WARM_IP_TARGET')).toEqual({
      kind: 'configured',
      text: '5',
    });
    expect(awsNodeNumber(settings({ env: { WARM_IP_TARGET: '5' } }), 'WARM_IP_TARGET')).toEqual({
      kind: 'number',
      value: 5,
      isConfigured: true,
    });
    expect(awsNodeNumber(settings({}), 'WARM_IP_TARGET')).toEqual({ kind: 'none' });
    expect(
      ['5 ', '5x', 'x5', '+-5'].map(
        (text) => awsNodeNumber(settings({ env: { WARM_IP_TARGET: text } }), 'WARM_IP_TARGET').kind,
      ),
    ).toEqual(['none', 'none', 'none', 'none']);
  });

  it.each([
    [{ env: { WARM_IP_TARGET: '2' }, extraEnv: [{ name: 'WARM_IP_TARGET', value: '5' }] }, 'WARM_IP_TARGET'],
    [{ extraEnv: [{ name: 'ENABLE_POD_ENI', value: 'true' }] }, 'ENABLE_POD_ENI'],
    [{ extraEnv: [{ name: 'MAX_ENI', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }] }, 'MAX_ENI'],
    [{ extraEnv: [{ name: '${Name}', value: '1' }] }, 'MAX_ENI'],
    [{ extraEnv: new Unknown('why', nowhere) }, 'MAX_ENI'],
  ])('does not know which of two values counts, nor what comes from elsewhere', (data, name) => {
    expect(awsNodeSetting(settings(data), name).kind).toBe('unknown');
  });

  it('knows that two equal values are one', () => {
    expect(
      awsNodeSetting(settings({ extraEnv: [{ name: 'ENABLE_POD_ENI', value: 'false' }] }), 'ENABLE_POD_ENI'),
    ).toEqual({ kind: 'configured', text: 'false' });
  });

  it.each<[DataMap, 'ipv4' | 'ipv6' | undefined, boolean, string]>([
    [{}, 'ipv4', true, 'not-needed'],
    [{}, undefined, false, 'not-needed'],
    // EKS turns prefixes on in IPv6 clusters, and nobody else does.
    [{}, 'ipv6', false, 'not-needed'],
    [{}, 'ipv6', true, 'missing'],
    [{}, undefined, true, 'unknown'],
    [{ ENABLE_PREFIX_DELEGATION: 'false' }, 'ipv6', true, 'not-needed'],
    [{ ENABLE_PREFIX_DELEGATION: 'false' }, undefined, true, 'not-needed'],
    [{ ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '0' }, 'ipv4', false, 'missing'],
    [{ ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '0', MINIMUM_IP_TARGET: '1' }, undefined, true, 'set'],
    [
      { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: '0', WARM_IP_TARGET: new Unknown('why', nowhere) },
      'ipv4',
      true,
      'unknown',
    ],
    [{ ENABLE_PREFIX_DELEGATION: new Unknown('why', nowhere), WARM_PREFIX_TARGET: '0' }, 'ipv4', true, 'unknown'],
    [{ ENABLE_PREFIX_DELEGATION: new Unknown('why', nowhere), WARM_PREFIX_TARGET: '1' }, 'ipv4', true, 'set'],
  ])('needs a warm target for prefixes: %j on %s, managed %s', (env, family, managed, expected) => {
    const withoutDefault = { WARM_PREFIX_TARGET: '0', ...env };
    expect(prefixWarmTargets(settings({ env: withoutDefault }), family, managed).kind).toBe(expected);
  });

  it('compares warm targets as text, as the CNI does', () => {
    const warm = (target: string) =>
      prefixWarmTargets(
        settings({ env: { ENABLE_PREFIX_DELEGATION: 'true', WARM_PREFIX_TARGET: target } }),
        'ipv4',
        true,
      ).kind;
    expect(['1', '00', 'one', '05'].map(warm)).toEqual(['set', 'set', 'set', 'set']);
    expect(['0', '', '-1', '+5', ' 5'].map(warm)).toEqual(['missing', 'missing', 'missing', 'missing', 'missing']);
  });
});

/** Texts that a variable takes, by the table alone. */
function validText(variable: VpcCniVariable, ipv6: boolean): fc.Arbitrary<string> {
  const { type, enum: allowed, ignoreCase, range, rangeIPv6, maxLength, forbidden = [], format } = variable;
  if (allowed !== undefined)
    return fc
      .constantFrom(...allowed)
      .chain((one) => fc.constantFrom(one, ...(ignoreCase === true ? [one.toLowerCase()] : [])));
  if (type === 'boolean')
    return fc.constantFrom('1', 't', 'T', 'TRUE', 'true', 'True', '0', 'f', 'F', 'FALSE', 'false', 'False');
  if (type === 'integer') {
    const [min = null, max = null] = (ipv6 ? (rangeIPv6 ?? range) : range) ?? [];
    return fc.integer({ min: min ?? -1000, max: max ?? 100_000 }).map(String);
  }
  if (format === 'JSON object of string values')
    return fc
      .dictionary(
        fc.string({ minLength: 1, maxLength: 20 }).filter((key) => !key.includes('amazonaws')),
        fc.string({ maxLength: 50 }),
        { maxKeys: 4 },
      )
      .map((tags) => JSON.stringify(tags));
  if (format === 'comma-separated IPv4 CIDRs')
    return fc
      .array(
        fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })).map(([address, mask]) => `${address}/${mask}`),
        { maxLength: 5 },
      )
      .map((items) => items.join(','));
  return fc
    .stringMatching(maxLength === undefined ? /^[a-z/.-]{1,30}$/ : new RegExp(`^[a-z]{1,${maxLength}}$`))
    .filter((text) => !forbidden.includes(text));
}

/** A key of the environment with a text that it takes, as path and value. */
function validEntry(key: ConfigurationKey, ipv6: boolean): fc.Arbitrary<readonly [string, string]> {
  const variable = vpcCniVariable(key.path.slice(key.path.lastIndexOf('.') + 1));
  if (variable === undefined) throw new Error(`the table has no variable for ${key.path}`);
  // IPv6 works with prefixes only.
  const isNeeded = ipv6 && key.path === 'env.ENABLE_PREFIX_DELEGATION';
  const text = isNeeded
    ? fc.constantFrom('1', 'true', 'TRUE')
    : key.enum === undefined
      ? validText(variable, ipv6)
      : fc.constantFrom(...key.enum);
  return text.map((value) => [key.path, value] as const);
}

/** Building an arbitrary costs more than using it. */
const entries = new Map<string, fc.Arbitrary<readonly [string, string]>>();

function entryOf(key: ConfigurationKey, ipv6: boolean): fc.Arbitrary<readonly [string, string]> {
  const id = `${ipv6} ${key.path}`;
  const entry = entries.get(id) ?? validEntry(key, ipv6);
  entries.set(id, entry);
  return entry;
}

interface Configured {
  readonly version: string;
  readonly ipv6: boolean;
  readonly data: DataMap;
}

const environmentKeys = vpcCni.keys.filter(({ path }) => /^(?:init\.)?env\.[^.]+$/.test(path));

const configured: fc.Arbitrary<Configured> = fc
  .tuple(fc.constantFrom(...addonVersions('vpc-cni').map(({ version }) => version)), fc.boolean())
  .chain(([version, ipv6]) => {
    const keys = environmentKeys.filter((key) => vpcCni.accepts(key, version));
    return fc
      .subarray(keys, { maxLength: 12 })
      .chain((chosen) => fc.tuple(...chosen.map((key) => entryOf(key, ipv6))))
      .map((chosen) => {
        const of = (start: string) =>
          Object.fromEntries(
            chosen.filter(([path]) => path.startsWith(start)).map(([path, value]) => [path.slice(start.length), value]),
          );
        const init = of('init.env.');
        return {
          version,
          ipv6,
          data: { env: of('env.'), ...(Object.keys(init).length === 0 ? {} : { init: { env: init } }) },
        };
      });
  });

function findings({ version, ipv6, data }: Configured) {
  const content = {
    Resources: {
      Cluster: {
        Type: 'AWS::EKS::Cluster',
        Properties: { KubernetesNetworkConfig: { IpFamily: ipv6 ? 'ipv6' : 'ipv4' } },
      },
      Cni: {
        Type: 'AWS::EKS::Addon',
        Properties: {
          ClusterName: { Ref: 'Cluster' },
          AddonName: 'vpc-cni',
          AddonVersion: version,
          ConfigurationValues: JSON.stringify(data),
        },
      },
    },
  };
  const model = new EksModel(readTemplates([{ file: 'template.json', content }]).resources);
  return runRules(model, [vpcCniEnvValues]);
}

describe('properties', () => {
  it('a configuration that the table allows has no finding, in any version', () => {
    fc.assert(
      fc.property(configured, (one) => {
        expect(findings(one)).toEqual([]);
        expect(configurationProblems(one.data, { kind: 'pinned', version: one.version })).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });

  it('one wrong boolean or number among them is found, whatever else is set', () => {
    const wrong = fc.constantFrom('yes', 'on', 'tRue', '1.5', 'five', ' 1', 'null');
    fc.assert(
      fc.property(configured, wrong, fc.nat(), ({ version, ipv6, data }, text, pick) => {
        const candidates = environmentKeys.filter(
          (key) =>
            vpcCni.accepts(key, version) &&
            key.enum === undefined &&
            key.path.startsWith('env.') &&
            /^(?:boolean|integer)$/.test(key.format ?? ''),
        );
        const path = candidates[pick % candidates.length]?.path ?? '';
        // Prefix delegation that then lacks its target is another rule's.
        fc.pre(!/PREFIX|IP_TARGET/.test(path));
        const env = { ...(data.env as Record<string, string>), [path.slice('env.'.length)]: text };
        expect(findings({ version, ipv6, data: { ...data, env } }).map(({ message }) => message)).toEqual([
          expect.stringContaining(path),
        ]);
      }),
      { numRuns: runs(40) },
    );
  });

  it('nothing throws on any data', () => {
    const data = fc.letrec<{ data: Data }>((tie) => ({
      data: fc.oneof(
        { depthSize: 'small' },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.constant(new Unknown('why', nowhere)),
        fc.array(tie('data'), { maxLength: 3 }),
        fc.dictionary(
          fc.oneof(
            fc.string(),
            fc.constantFrom('env', 'init', 'name', 'value', 'extraEnv', 'nodeAgent', 'ENABLE_POD_ENI', '__proto__'),
          ),
          tie('data'),
          { maxKeys: 4 },
        ),
      ),
    })).data;
    fc.assert(
      fc.property(data, data, data, (env, extraEnv, init) => {
        for (const one of [
          env,
          { env, extraEnv, init, enableNetworkPolicy: env, nodeAgent: init },
          { extraEnv: [extraEnv, { name: env, value: init }] },
        ]) {
          for (const context of [ADDON, CHART]) report(one, context);
          for (const name of ['WARM_IP_TARGET', 'ENABLE_POD_ENI'])
            awsNodeSetting(new CniSettings(one, undefined), name);
          prefixWarmTargets(new CniSettings(one, undefined), undefined, true);
        }
      }),
      { numRuns: runs(200) },
    );
  });

  it('the generator reaches old and new keys', () => {
    const { since } = vpcCni.key('env.POD_MTU') ?? {};
    const sample = fc.sample(configured, { numRuns: 40, seed: 7 });
    expect(sample.some(({ version }) => since !== undefined && compareVersions(version, since) < 0)).toBe(true);
    expect(sample.some(({ data }) => dataHas(data, 'POD_MTU'))).toBe(true);
  });
});

function dataHas(data: DataMap, name: string): boolean {
  return JSON.stringify(data).includes(`"${name}"`);
}
