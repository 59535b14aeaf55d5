import { loadBalancerControllerActions, loadBalancerControllerPolicies, versionOfChart } from '../../../lib/knowledge';
import {
  clusterAutoscalerPolicy,
  ebsKeysPolicy,
  externalDnsPolicy,
  loadBalancerControllerPolicy,
  RolePermissions,
  type IamPolicyDocument,
} from '../../../lib/eks/iam';
import { roleWith } from './roles';

/** What IAM takes of a managed policy, without white space. */
const MOST_CHARACTERS = 6144;

const partitions = ['aws', 'aws-cn', 'aws-us-gov', 'aws-iso', 'aws-iso-b', 'aws-iso-e', 'aws-iso-f', 'aws-eusc'];
const place = (partition: string) => ({ partition, knownPartition: partition });
const permissionsOf = ({ Statement }: IamPolicyDocument) => new RolePermissions(roleWith(Statement));

describe('the policy of the AWS Load Balancer Controller', () => {
  const versions = [
    '2.4.7',
    '2.5.0',
    '2.7.0',
    '2.8.3',
    '2.9.0',
    '2.10.0',
    '2.11.0',
    '2.12.0',
    '2.13.0',
    '3.0.0',
    '3.5.0',
  ];

  it('is known from 2.4.7 up to the last version whose actions are known', () => {
    const { oldest, newest } = loadBalancerControllerPolicies();
    expect([oldest, newest]).toEqual([versions[0], versions.at(-1)]);
    expect(versionOfChart('aws-load-balancer-controller', newest)).toBe(newest);
    expect(loadBalancerControllerActions(newest)).toBeDefined();
    const [major = '', minor] = newest.split('.');
    expect(loadBalancerControllerActions(`${major}.${Number(minor) + 1}.0`)).toBeUndefined();
  });

  describe.each(partitions)('in %s', (partition) => {
    it.each(versions)('of %s has all actions of the version that the partition has, and no other', (version) => {
      const document = loadBalancerControllerPolicy(version, place(partition));
      const allowed = new Set(document.Statement.flatMap(({ Action }) => Action));
      const lacking = /^aws-iso/.test(partition)
        ? /:(?:DescribeCapacityReservation|DescribeTrustStores|ModifyCapacityReservation|\w+ListenerAttributes)$/
        : /^$/;
      // Elastic Load Balancing asks for the last one whatever the version.
      const actions = new Set([
        ...(loadBalancerControllerActions(version)?.all ?? []).filter((action) => !lacking.test(action)),
        'ec2:GetSecurityGroupsForVpc',
      ]);
      expect([...allowed].sort()).toEqual([...actions].sort());
      expect(permissionsOf(document).missing([...actions])).toMatchObject({ missing: [], unknown: [] });
      expect(document.Statement.every(({ Action }) => Action.length > 0)).toBe(true);
    });

    it.each(versions)('of %s fits into a managed policy, and has ARNs of the partition alone', (version) => {
      const text = JSON.stringify(loadBalancerControllerPolicy(version, place(partition)));
      expect(text.length).toBeLessThan(MOST_CHARACTERS);
      expect(new Set(text.match(/arn:[^:]*/g))).toEqual(new Set([`arn:${partition}`]));
    });
  });

  it('lets it tag what it makes, and later only what has its tag', () => {
    const document = loadBalancerControllerPolicy('2.4.7', place('aws'));
    const conditions = document.Statement.filter(({ Action }) => Action.includes('elasticloadbalancing:AddTags')).map(
      ({ Condition }) => Object.keys(Condition ?? {}),
    );
    expect(conditions).toEqual([['Null'], [], ['StringEquals', 'Null']]);
  });

  it('has everything where the partition is not known', () => {
    const document = loadBalancerControllerPolicy('3.5.0', { partition: 'P', knownPartition: undefined });
    expect(JSON.stringify(document)).toContain('elasticloadbalancing:DescribeTrustStores');
  });
});

describe('the policy of ExternalDNS', () => {
  it('changes records of its zones alone', () => {
    const document = externalDnsPolicy({ zoneIds: ['Z1', 'Z2'], readsTags: false }, place('aws-cn'));
    const permissions = permissionsOf(document);
    const change = 'route53:ChangeResourceRecordSets';
    expect(permissions.allows(change, 'arn:aws-cn:route53:::hostedzone/Z2')).toBe('allowed');
    expect(permissions.allows(change, 'arn:aws-cn:route53:::hostedzone/Z3')).toBe('denied');
    expect(permissions.allows('route53:ListHostedZones')).toBe('allowed');
    expect(permissions.allows('route53:ListTagsForResources')).toBe('denied');
  });

  it('of 80 zones with the longest ids fits into a managed policy', () => {
    const zoneIds = Array.from({ length: 80 }, (_, index) => `Z${String(index).padStart(31, '0')}`);
    const text = JSON.stringify(externalDnsPolicy({ zoneIds, readsTags: true }, place('aws-us-gov')));
    expect(text.length).toBeLessThan(MOST_CHARACTERS);
  });

  it('reads the tags of all zones where it chooses by them', () => {
    const permissions = permissionsOf(externalDnsPolicy({ zoneIds: ['Z1'], readsTags: true }, place('aws')));
    for (const action of ['route53:ListTagsForResource', 'route53:ListTagsForResources'])
      expect(permissions.allows(action, 'arn:aws:route53:::hostedzone/Z9')).toBe('allowed');
  });
});

it('the policy of the Cluster Autoscaler has a condition for all that changes something', () => {
  const { Statement } = clusterAutoscalerPolicy('main');
  const free = Statement.filter(({ Condition }) => Condition === undefined).flatMap(({ Action }) => Action);
  expect(free.filter((action) => !/:(?:Describe|Get)/.test(action))).toEqual([]);
  expect(Statement.at(-1)?.Condition).toEqual({
    StringEquals: {
      'aws:ResourceTag/k8s.io/cluster-autoscaler/enabled': 'true',
      'aws:ResourceTag/k8s.io/cluster-autoscaler/main': 'owned',
    },
  });
});

it('the policy for keys of EBS grants them to services of AWS alone', () => {
  const arn = 'arn:aws:kms:eu-west-1:111122223333:key/1';
  const { Statement } = ebsKeysPolicy([arn]);
  expect(Statement.map(({ Resource }) => Resource)).toEqual([[arn], [arn]]);
  expect(Statement.find(({ Action }) => Action.includes('kms:CreateGrant'))?.Condition).toEqual({
    Bool: { 'kms:GrantIsForAWSResource': 'true' },
  });
});
