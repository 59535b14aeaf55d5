import Ajv from 'ajv';
import fc from 'fast-check';
import { parse } from 'yaml';
import { runs } from '../../share';
import {
  missingClusterFields,
  PlainText,
  renderNodeConfig,
  validateNodeConfig,
  type NodeConfigSpec,
} from '../../../lib/eks/user-data/node-config';

const certificate = Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n').toString('base64');

const complete: NodeConfigSpec = {
  cluster: {
    name: '123',
    apiServerEndpoint: 'https://example.eks.amazonaws.com',
    certificateAuthority: certificate,
    cidr: '172.20.0.0/16',
  },
  kubelet: {
    config: {
      maxPods: 110,
      shutdownGracePeriod: '60s',
      evictionHard: { 'memory.available': '5%' },
      clusterDNS: ['172.20.0.10'],
      serializeImagePulls: false,
    },
    flags: ['--node-labels=tier=web,mycorp.io/team=a'],
    maxPodsExpression: '(default_enis * (ips_per_eni - 1)) * 16 + 2',
  },
  containerd: {
    config: '[grpc]\nmax_recv_message_size = 1\n',
    baseRuntimeSpec: { process: { rlimits: [{ type: 'RLIMIT_NOFILE', soft: 1, hard: 2 }] } },
  },
  instance: {
    localStorage: { strategy: 'RAID0', mountPath: '/mnt/disks', disabledMounts: ['PodLogs'] },
    environment: { default: { HTTP_PROXY: 'http://proxy:3128' } },
    network: { nameservers: ['10.0.0.2'], domains: ['example.org'] },
  },
  featureGates: { InstanceIdNodeName: true, FastImagePull: false },
};

/**
 * The types that nodeadm's published CustomResourceDefinition and Go types give its fields, as JSON Schema; closed, because nodeadm drops
 * what it doesn't know.
 */
const text = { type: 'string' };
const closed = (properties: object): object => ({ type: 'object', additionalProperties: false, properties });
const publishedSchema = closed({
  apiVersion: { const: 'node.eks.aws/v1alpha1' },
  kind: { const: 'NodeConfig' },
  metadata: { type: 'object' },
  spec: closed({
    cluster: closed({
      apiServerEndpoint: text,
      certificateAuthority: text,
      cidr: text,
      enableOutpost: { type: 'boolean' },
      id: text,
      name: text,
    }),
    containerd: closed({ baseRuntimeSpec: { type: 'object' }, config: text }),
    featureGates: { type: 'object', additionalProperties: { type: 'boolean' } },
    instance: closed({
      environment: { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } },
      localStorage: closed({
        strategy: { enum: ['RAID0', 'RAID10', 'Mount'] },
        mountPath: text,
        disabledMounts: { type: 'array', items: text },
      }),
      network: closed({ nameservers: { type: 'array', items: text }, domains: { type: 'array', items: text } }),
    }),
    kubelet: closed({ config: { type: 'object' }, flags: { type: 'array', items: text }, maxPodsExpression: text }),
  }),
});

function document(spec: unknown): unknown {
  return { apiVersion: 'node.eks.aws/v1alpha1', kind: 'NodeConfig', spec };
}

describe('renderNodeConfig', () => {
  const conforms = new Ajv({ strict: false }).compile(publishedSchema);

  it('parses back to the same object, which conforms to the published schema', () => {
    const parsed: unknown = parse(renderNodeConfig(complete));
    expect(parsed).toEqual(document(complete));
    expect(conforms(parsed)).toBe(true);
    expect(validateNodeConfig(parsed)).toEqual([]);
  });

  it('quotes strings, so that a cluster named by a number stays a string', () => {
    expect(renderNodeConfig({ cluster: { name: '123' } })).toContain('name: "123"');
  });

  it('keeps long values on one line', () => {
    const value = 'a b '.repeat(1000);
    expect(renderNodeConfig({ cluster: { name: value } })).toContain(`name: "${value}"`);
  });

  it('writes text that stands for a number without quotes', () => {
    expect(renderNodeConfig({ kubelet: { config: { maxPods: new PlainText('${Later}') } } })).toContain(
      'maxPods: ${Later}\n',
    );
  });

  it('quotes keys that YAML 1.1 takes for truth values or numbers', () => {
    const variables = { N: '1', on: 'a', '1_0': 'b', '.': 'c' };
    expect(parse(renderNodeConfig({ instance: { environment: { default: variables } } }), { version: '1.1' })).toEqual(
      document({ instance: { environment: { default: variables } } }),
    );
  });

  it('leaves out what is undefined', () => {
    // A caller without exactOptionalPropertyTypes can pass undefined.
    const spec = { cluster: { name: 'a', cidr: undefined } } as unknown as NodeConfigSpec;
    expect(parse(renderNodeConfig(spec))).toEqual(document({ cluster: { name: 'a' } }));
  });

  it('survives any kubelet configuration', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((key) => key !== '__proto__'),
          fc.jsonValue(),
        ),
        (config) => {
          const normal: unknown = JSON.parse(JSON.stringify(config));
          expect(parse(renderNodeConfig({ kubelet: { config: normal as Record<string, unknown> } }))).toEqual(
            document({ kubelet: { config: normal } }),
          );
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

describe('validateNodeConfig', () => {
  it.each([
    ['an empty spec', {}],
    ['lower case strategies, which nodeadm accepts', { instance: { localStorage: { strategy: 'raid10' } } }],
    ['anything in the kubelet configuration', { kubelet: { config: { whatever: { deeply: ['nested'] } } } }],
    ['an IPv6 service CIDR', { cluster: { cidr: 'fd00:1234::/108' } }],
    ['a strategy that does nothing', { instance: { localStorage: { strategy: 'None' } } }],
    [
      'a certificate authority in several lines',
      { cluster: { certificateAuthority: certificate.replace(/.{20}/g, '$&\n') } },
    ],
    ['a base off its boundary that gives the right address anyway', { cluster: { cidr: '10.100.0.7/16' } }],
    ['more pods than AWS recommends', { kubelet: { config: { maxPods: 500 } } }],
    [
      "a certificate authority that isn't a certificate, as in documentation",
      { cluster: { certificateAuthority: 'Y2VydGlmaWNhdGVBdXRob3JpdHk=' } },
    ],
  ])('accepts %s', (_, spec) => {
    expect(validateNodeConfig(document(spec))).toEqual([]);
  });

  it.each([
    [
      'kubelet below cluster',
      { cluster: { kubelet: {} } },
      'spec.cluster.kubelet',
      'misplaced-field',
      'nodeadm reads `spec.kubelet`',
    ],
    [
      'a name of another schema',
      { cluster: { endpoint: 'x' } },
      'spec.cluster.endpoint',
      'unknown-field',
      'nodeadm drops it',
    ],
    ['wrong case', { featuregates: {} }, 'spec.featuregates', 'unknown-field', 'it reads `spec.featureGates`'],
    [
      'a list as CIDR',
      { cluster: { cidr: ['172.20.0.0/16'] } },
      'spec.cluster.cidr',
      'wrong-type',
      'is a list; a string is needed',
    ],
    [
      'a numeric name',
      { cluster: { name: 123 } },
      'spec.cluster.name',
      'wrong-type',
      'is the number 123; a string is needed',
    ],
    [
      'flags as one string',
      { kubelet: { flags: '--node-labels=a=b' } },
      'spec.kubelet.flags',
      'wrong-type',
      'a list of strings is needed',
    ],
    [
      'a number among the flags',
      { kubelet: { flags: ['--v=2', 3] } },
      'spec.kubelet.flags.1',
      'wrong-type',
      'is the number 3; a string is needed',
    ],
    [
      'a number as expression',
      { kubelet: { maxPodsExpression: 110 } },
      'spec.kubelet.maxPodsExpression',
      'wrong-type',
      'a string is needed',
    ],
    [
      'a string as gate',
      { featureGates: { InstanceIdNodeName: 'true' } },
      'spec.featureGates.InstanceIdNodeName',
      'wrong-type',
      'true or false is needed',
    ],
    [
      'an unknown gate',
      { featureGates: { instanceIdNodeName: true } },
      'spec.featureGates.instanceIdNodeName',
      'value',
      'InstanceIdNodeName, FastImagePull',
    ],
    [
      'an unknown strategy',
      { instance: { localStorage: { strategy: 'RAID5' } } },
      'spec.instance.localStorage.strategy',
      'strategy',
      'is "RAID5"; nodeadm knows RAID0, RAID10, Mount',
    ],
    [
      'an unknown mount',
      { instance: { localStorage: { disabledMounts: ['Pods'] } } },
      'spec.instance.localStorage.disabledMounts.0',
      'value',
      'Containerd, PodLogs, SOCI',
    ],
    [
      'variables that are no map',
      { instance: { environment: { default: 'A=b' } } },
      'spec.instance.environment.default',
      'wrong-type',
      'a map of variables is needed',
    ],
    [
      'maxPods as a string',
      { kubelet: { config: { maxPods: '110' } } },
      'spec.kubelet.config.maxPods',
      'value',
      'is "110"; a number is needed',
    ],
    ['maxPods 0', { kubelet: { config: { maxPods: 0 } } }, 'spec.kubelet.config.maxPods', 'value', 'is 0'],
    [
      'a reserved label',
      { kubelet: { flags: ['--node-labels=a=b,node-role.kubernetes.io/web='] } },
      'spec.kubelet.flags.0',
      'reserved-label',
      'reserved label node-role.kubernetes.io/web',
    ],
    [
      'a CIDR off its boundary',
      { cluster: { cidr: '10.100.5.7/16' } },
      'spec.cluster.cidr',
      'service-cidr',
      '10.100.5.10',
    ],
    [
      'doubled padding',
      { cluster: { certificateAuthority: 'Y2VydA===' } },
      'spec.cluster.certificateAuthority',
      'certificate-authority',
      'illegal base64 data',
    ],
    [
      'a bare PEM block',
      { cluster: { certificateAuthority: '-----BEGIN CERTIFICATE-----\n' } },
      'spec.cluster.certificateAuthority',
      'certificate-authority',
      'is PEM text',
    ],
    [
      'base64 of base64',
      { cluster: { certificateAuthority: Buffer.from(certificate).toString('base64') } },
      'spec.cluster.certificateAuthority',
      'certificate-authority',
      'base64 of base64',
    ],
    [
      'an empty authority',
      { cluster: { certificateAuthority: '' } },
      'spec.cluster.certificateAuthority',
      'certificate-authority',
      'is empty',
    ],
    [
      'a number as certificate authority',
      { cluster: { certificateAuthority: 1 } },
      'spec.cluster.certificateAuthority',
      'certificate-authority',
      'base64 in a string is needed',
    ],
    [
      'a certificate authority that nobody filled in',
      { cluster: { certificateAuthority: '${Authority}' } },
      'spec.cluster.certificateAuthority',
      'certificate-authority',
      'nobody filled in',
    ],
    [
      'a number as variable',
      { instance: { environment: { default: { PORT: 8080 } } } },
      'spec.instance.environment.default.PORT',
      'wrong-type',
      'a string is needed',
    ],
    [
      'a gate of kubelet among its options',
      { kubelet: { featureGates: {} } },
      'spec.kubelet.featureGates',
      'misplaced-field',
      '`spec.featureGates` or `spec.kubelet.config.featureGates`',
    ],
    [
      'a setting of kubelet among its options',
      { kubelet: { maxPods: 5 } },
      'spec.kubelet.maxPods',
      'unknown-field',
      'settings of kubelet itself stand in `spec.kubelet.config`',
    ],
    [
      'a misspelt field',
      { cluster: { certficateAuthority: 'x' } },
      'spec.cluster.certficateAuthority',
      'unknown-field',
      'it reads `spec.cluster.certificateAuthority`',
    ],
    ['a key with dots in it', { 'cluster.name': 'x' }, 'spec.cluster.name', 'unknown-field', 'nodeadm drops it'],
    ['an empty name', { cluster: { name: '' } }, 'spec.cluster.name', 'blank', 'is empty'],
    [
      'a label in a flag of two items',
      { kubelet: { flags: ['--node-labels', 'a=b,k8s.io/x=y'] } },
      'spec.kubelet.flags.0',
      'reserved-label',
      'k8s.io/x',
    ],
    ['a list as block', { kubelet: [] }, 'spec.kubelet', 'wrong-type', 'a map is needed'],
  ])('reports %s', (_, spec, path, kind, message) => {
    const problems = validateNodeConfig(document(spec));
    expect(problems.map((problem) => [problem.path, problem.kind])).toEqual([[path, kind]]);
    expect(problems[0]?.message).toContain(message);
  });

  it.each([
    [{ apiVersion: 'node.eks.aws/v1', kind: 'NodeConfig' }, 'apiVersion'],
    [{ apiVersion: 'node.eks.aws/v1alpha1', kind: 'nodeconfig' }, 'kind'],
    ['text', ''],
  ])('reports the head of %j', (value, path) => {
    expect(validateNodeConfig(value).map((problem) => problem.path)).toEqual([path]);
  });

  it('takes values that are decided later for right', () => {
    const later = { later: true };
    const spec = {
      cluster: { cidr: later, name: later },
      kubelet: { config: { maxPods: later }, flags: [later] },
      featureGates: { FastImagePull: later },
    };
    expect(validateNodeConfig(document(spec), (value) => value === later)).toEqual([]);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(Array.isArray(validateNodeConfig(document(value)))).toBe(true);
      }),
    );
  });
});

describe('missingClusterFields', () => {
  it('lists every field that nodeadm demands', () => {
    expect(missingClusterFields({})).toEqual(['name', 'apiServerEndpoint', 'certificateAuthority', 'cidr']);
    expect(missingClusterFields({ ...complete.cluster, cidr: '' })).toEqual(['cidr']);
    expect(missingClusterFields({ ...complete.cluster, enableOutpost: true })).toEqual(['id']);
    expect(missingClusterFields(complete.cluster ?? {})).toEqual([]);
  });
});
