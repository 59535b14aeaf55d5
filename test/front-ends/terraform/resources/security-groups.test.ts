import type { SecurityGroup } from '../../../../lib/eks';
import { show } from '../../cloudformation/reading';
import { assumption, instance, readOne, ref, unknown } from '../../../terraform/instances';

const cluster = instance('aws_eks_cluster.main', { name: 'main' });
const group = instance('aws_security_group.nodes', {});
const other = instance('aws_security_group.other', {});

function lines({ rules }: SecurityGroup): string[] {
  return rules.map(
    ({ direction, peer, ofPeer }) => `${direction}${ofPeer === true ? ' of peer' : ''} ${JSON.stringify(show(peer))}`,
  );
}

const read = (...others: ReturnType<typeof instance>[]) =>
  lines(readOne('security-group', 'aws_security_group.nodes', [cluster, group, other, ...others]));

describe('aws_security_group', () => {
  it('with rules of its own: one for each peer', () => {
    const own = instance('aws_security_group.nodes', {
      ingress: [
        {
          cidr_blocks: ['10.0.0.0/8', '10.1.0.0/16'],
          ipv6_cidr_blocks: [],
          prefix_list_ids: ['pl-1'],
          security_groups: [ref(other, 'id')],
          self: false,
        },
        { self: true },
      ],
      egress: [{ cidr_blocks: ['0.0.0.0/0'], self: null }, {}, unknown('dynamic')],
    });
    expect(lines(readOne('security-group', 'aws_security_group.nodes', [own, other]))).toEqual([
      'ingress "?${aws_security_group.other.id}"',
      'ingress "10.0.0.0/8"',
      'ingress "10.1.0.0/16"',
      'ingress "pl-1"',
      'ingress "?${aws_security_group.nodes.id}"',
      'egress "0.0.0.0/0"',
      'egress "absent"',
      'egress "?${dynamic}"',
    ]);
  });

  it('with rules that are resources', () => {
    expect(
      read(
        instance('aws_security_group_rule.a', {
          type: 'egress',
          security_group_id: ref(group, 'id'),
          cidr_blocks: ['0.0.0.0/0'],
          self: false,
        }),
        instance('aws_security_group_rule.b', { type: 'ingress', security_group_id: ref(group, 'id'), self: true }),
        instance('aws_vpc_security_group_ingress_rule.c', {
          security_group_id: ref(group, 'id'),
          referenced_security_group_id: ref(other, 'id'),
        }),
        instance('aws_vpc_security_group_egress_rule.d', { security_group_id: ref(group, 'id'), cidr_ipv6: '::/0' }),
        instance('aws_vpc_security_group_egress_rule.e', {
          security_group_id: ref(other, 'id'),
          cidr_ipv4: '10.0.0.0/8',
        }),
      ),
    ).toEqual([
      'egress "0.0.0.0/0"',
      'ingress "?${aws_security_group.nodes.id}"',
      'ingress "?${aws_security_group.other.id}"',
      'egress "::/0"',
    ]);
  });

  it('that a rule of another group names', () => {
    const clusterGroup = ref(cluster, 'vpc_config[0].cluster_security_group_id');
    expect(
      read(
        instance('aws_security_group_rule.a', {
          type: 'ingress',
          security_group_id: clusterGroup,
          source_security_group_id: ref(group, 'id'),
        }),
      ),
    ).toEqual(['ingress of peer "?${aws_eks_cluster.main.vpc_config[0].cluster_security_group_id}"']);
  });

  it('with a rule under a condition', () => {
    const rule = instance(
      'aws_vpc_security_group_egress_rule.a',
      { security_group_id: ref(group, 'id'), cidr_ipv4: '10.0.0.0/8' },
      { exists: assumption('prod', true) },
    );
    expect(read(rule)).toEqual(['egress {"prod is true":"10.0.0.0/8","prod is false":"absent"}']);
  });
});
