import { cniPolicyDocument, cniTagResource, RolePermissions } from '../../../lib/eks/iam';
import { cniPermissions } from '../../../lib/knowledge';
import { roleWith } from './roles';

const partitions = ['aws', 'aws-cn', 'aws-us-gov'];
const families = [['ipv4'], ['ipv6'], ['ipv4', 'ipv6']] as const;

describe('cniPolicyDocument', () => {
  const combinations = partitions.flatMap((partition) => families.map((chosen) => [partition, chosen] as const));

  it.each(combinations)(
    'in %s for %j grants the documented calls, and tags on network interfaces only',
    (partition, chosen) => {
      const { Version, Statement } = cniPolicyDocument({ families: chosen, partition });
      expect(Version).toBe('2012-10-17');
      const permissions = new RolePermissions(roleWith(Statement));
      for (const family of chosen)
        expect(permissions.missing(cniPermissions[family])).toEqual({ missing: [], unknown: [], reasons: [] });
      expect(permissions.allows('ec2:CreateTags', cniTagResource(partition))).toBe('allowed');
      expect(permissions.allows('ec2:CreateTags', `arn:${partition}:ec2:*:*:instance/*`)).toBe('denied');
      expect(permissions.allows('ec2:CreateTags', 'arn:aws-iso:ec2:*:*:network-interface/*')).toBe('denied');
      expect(permissions.allows('ec2:RunInstances')).toBe('denied');
    },
  );

  it('grants one family only when asked for one', () => {
    const permissions = new RolePermissions(
      roleWith(cniPolicyDocument({ families: ['ipv6'], partition: 'aws' }).Statement),
    );
    expect(permissions.allows('ec2:AssignPrivateIpAddresses')).toBe('denied');
    expect(permissions.allows('ec2:AssignIpv6Addresses')).toBe('allowed');
  });

  it('sorts the actions and names none twice', () => {
    const actions =
      cniPolicyDocument({ families: ['ipv6', 'ipv4', 'ipv6'], partition: 'aws' }).Statement[0]?.Action ?? [];
    expect(actions).toEqual([...new Set(actions)].sort());
    expect(cniPolicyDocument({ families: ['ipv4', 'ipv6'], partition: 'aws' }).Statement[0]?.Action).toEqual(actions);
  });

  it('takes a token for the partition as it is', () => {
    expect(cniTagResource('${Token[AWS.Partition.3]}')).toBe(
      'arn:${Token[AWS.Partition.3]}:ec2:*:*:network-interface/*',
    );
    expect(cniTagResource('$&')).toBe('arn:$&:ec2:*:*:network-interface/*');
  });

  it('refuses a policy for no family', () => {
    expect(() => cniPolicyDocument({ families: [], partition: 'aws' })).toThrow(RangeError);
  });
});
