import { AS_OF } from '../../as-of';
import { EksModel } from '../../../lib/eks';
import { runRules } from '../../../lib/engine';
import { allRules } from '../../../lib/rules';
import { config, failuresIn, findingsIn, managed, resourcesIn, selfManaged } from './configs';

/*
 * A file with node groups and metadata alone makes a cluster with `create cluster`, and groups of one that is there with `create nodegroup`. Its
 * version is that of the cluster; what else the cluster is, nobody knows.
 */

function on(version: string, text: string): string {
  return text.replace('"1.34"', version);
}

function modelOf(files: Readonly<Record<string, string>>): EksModel {
  return new EksModel(Object.entries(files).flatMap(([file, text]) => resourcesIn(text, file)));
}

const WINDOWS = 'amiFamily: WindowsServer2022CoreContainer';

describe('the version of a file with groups alone', () => {
  it.each<readonly [what: string, text: string, failures: readonly string[]]>([
    ['in extended support', on('"1.32"', config(managed())), ['cluster-version-support warning 6']],
    ['out of support', on('"1.29"', config(managed())), ['cluster-version-support error 6']],
    ['of a file that upgrades a cluster', on('"1.29"', config()), ['cluster-version-support error 6']],
    [
      'without an AMI of Amazon Linux 2',
      on('"1.35"', config(managed('amiFamily: AmazonLinux2'))),
      ['ami-type-kubernetes-version error 9'],
    ],
    [
      'without a feature gate',
      on(
        '"1.35"',
        config(selfManaged('kubeletExtraConfig: {featureGates: {DisableKubeletCloudCredentialProviders: true}}')),
      ),
      ['kubelet-feature-gate error 9'],
    ],
    ['in standard support', on('"1.35"', config(managed())), []],
    ['that is looked up', on('auto', config(managed())), []],
  ])('%s', (_, text, failures) => {
    expect(failuresIn(text)).toEqual(failures);
  });

  it('is not known where something else fills it in', () => {
    const [first] = findingsIn(on('"${VERSION}"', config(managed()))).filter(
      ({ rule }) => rule === 'cluster-version-support',
    );
    expect(first?.verdict).toBe('unverifiable');
  });
});

describe('the cluster of a file with groups alone', () => {
  const kinds = (text: string) => resourcesIn(text).map(({ kind }) => kind);
  const parts = ['node-group', 'launch-template', 'role', 'configuration-file'];

  it('is none without a version, or with one that eksctl looks up', () => {
    expect(kinds(config(managed()))).toEqual(['cluster', ...parts]);
    expect(kinds(on('latest', config(managed())))).toEqual(parts);
    expect(kinds(config(managed()).replace('  version: "1.34"\n', ''))).toEqual(parts);
  });

  it('says of nothing but its version that it fails', () => {
    const text = on('"1.35"', config(managed(), '  - name: windows', `    ${WINDOWS}`));
    expect(failuresIn(text)).toEqual([]);
    const open = findingsIn(text).filter(({ verdict }) => verdict === 'unverifiable');
    expect([...new Set(open.map(({ rule }) => rule))].toSorted()).toEqual([
      'cluster-network-addons',
      'cluster-role-policies',
      'cluster-support-type',
      'vpc-cni-role-ip-family',
      'vpc-cni-role-missing',
      'vpc-cni-windows-ipam',
      'windows-node-prerequisites',
    ]);
  });

  it('may have another role for its CNI', () => {
    const policy = JSON.stringify({
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: ['ec2:DescribeInstances'], Resource: '*' }],
    });
    const text = on('"1.35"', config(managed(`iam: {attachPolicy: ${policy}}`)));
    expect(failuresIn(text).filter((failure) => failure.startsWith('vpc-cni'))).toEqual([]);
  });

  it('is the one that another file describes as a whole', () => {
    const whole = on('"1.35"', config('iam: {withOIDC: true}'));
    const groups = on('"1.29"', config(managed()));
    const { clusters, clusterViews } = modelOf({ 'cluster.yaml': whole, 'groups.yaml': groups });
    expect(clusters.map(({ stack }) => stack)).toEqual(['cluster.yaml']);
    expect(clusterViews.map(({ nodeGroups }) => nodeGroups.length)).toEqual([1]);
  });

  it('is another one in another region', () => {
    const whole = config('iam: {withOIDC: true}');
    const groups = config(managed()).replace('eu-west-1', 'us-east-1');
    const model = modelOf({ 'cluster.yaml': whole, 'groups.yaml': groups });
    expect(model.clusters.map(({ stack }) => stack)).toEqual(['cluster.yaml', 'groups.yaml']);
    expect(model.clusterViews.map(({ nodeGroups }) => nodeGroups.length)).toEqual([0, 1]);
    const rules = new Set(
      runRules(model, allRules, { asOf: AS_OF }).flatMap(({ verdict, rule }) => (verdict === 'fail' ? [rule] : [])),
    );
    expect([...rules]).toEqual(['cluster-version-support', 'cluster-support-type']);
  });
});

it('gives an add-on no role for a key that eksctl does not know', () => {
  const text = config(
    'iam: {withOIDC: true}',
    'addons:',
    '  - name: aws-mountpoint-s3-csi-driver',
    '    wellKnownPolicies: {KEY: true}',
  );
  const roles = (key: string) =>
    resourcesIn(text.replace('KEY', key)).filter(({ id }) => id.startsWith('addons.aws-mountpoint'));
  expect(roles('s3CSIController')).toEqual([]);
  expect(roles('ebsCSIController')).toHaveLength(1);
});

describe('a file with the VPC and the security group of the control plane, as for a cluster that eksctl did not make', () => {
  const VPC = ['  id: vpc-1', '  securityGroup: sg-1', '  subnets: {private: {a: {id: subnet-1}, b: {id: subnet-2}}}'];
  const GROUP = managed('iam:', '  attachPolicyARNs: [arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy]');
  const text = (...more: readonly string[]) =>
    on('"1.35"', config('iam: {withOIDC: true}', 'vpc:', ...VPC, ...more, GROUP));
  const addons = (given: string) => resourcesIn(given).filter(({ kind }) => kind === 'addon').length;

  it('does not tell which add-ons the cluster has', () => {
    expect(addons(text())).toBe(0);
    expect(failuresIn(text()).filter((failure) => failure.startsWith('vpc-cni-role-on-nodes'))).toEqual([]);
    const [first] = findingsIn(text()).filter(({ rule }) => rule === 'cluster-network-addons');
    expect(first?.verdict).toBe('unverifiable');
  });

  it.each([
    ['names a setting of a new cluster', text('cloudWatch: {clusterLogging: {enableTypes: [api]}}')],
    ['leaves out the VPC', text().replace('  id: vpc-1\n', '')],
    ['leaves out the security group', text().replace('  securityGroup: sg-1\n', '')],
  ])('makes a cluster where it %s', (_, given) => {
    expect(addons(given)).toBeGreaterThan(0);
  });
});
