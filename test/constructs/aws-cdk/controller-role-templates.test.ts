import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as route53 from 'aws-cdk-lib/aws-route53';
import {
  ClusterAutoscalerRole,
  EbsCsiDriverRole,
  EbsVolumeScope,
  EfsCsiDriverRole,
  ExternalDnsRole,
  KarpenterRoles,
  LoadBalancerControllerRole,
  PodIdentityKind,
  type PodRoleProps,
} from '../../../constructs/aws-cdk';
import { nativeCluster, newStack, type TemplateResource } from './clusters';
import { goldenValues } from '../../golden';

const IRSA = { identity: PodIdentityKind.IRSA };

const made: Readonly<Record<string, (stack: Stack, props: PodRoleProps) => unknown>> = {
  LoadBalancerControllerRole: (stack, props) =>
    new LoadBalancerControllerRole(stack, 'Role', { ...props, version: '2.13.4' }),
  ExternalDnsRole: (stack, props) => {
    const zone = { hostedZoneId: 'Z0123456789', zoneName: 'example.com' };
    const hostedZones = [route53.HostedZone.fromHostedZoneAttributes(stack, 'Zone', zone)];
    return new ExternalDnsRole(stack, 'Role', { ...props, hostedZones });
  },
  EbsCsiDriverRole: (stack, props) => {
    const kmsKeys = [kms.Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-west-1:123456789012:key/0123abcd')];
    const volumes = props.identity === undefined ? EbsVolumeScope.CLUSTER : EbsVolumeScope.DRIVER;
    return new EbsCsiDriverRole(stack, 'Role', { ...props, kmsKeys, volumes });
  },
  EfsCsiDriverRole: (stack, props) => new EfsCsiDriverRole(stack, 'Role', props),
  ClusterAutoscalerRole: (stack, props) => new ClusterAutoscalerRole(stack, 'Role', props),
  KarpenterRoles: (stack, props) => new KarpenterRoles(stack, 'Role', { ...props, version: '1.14.1' }),
};

const expectGolden = goldenValues(join(__dirname, 'golden/controller-role-templates.json'));

describe.each(Object.entries(made))('the template of %s', (name, make) => {
  it.each<[string, Partial<PodRoleProps>]>([
    ['Pod Identity', {}],
    ['IRSA', IRSA],
  ])('with %s', (identity, props) => {
    const stack = newStack('eu-west-1');
    make(stack, { cluster: nativeCluster(stack), ...props });
    const resources = Template.fromStack(stack).toJSON().Resources as Record<string, TemplateResource>;
    // Without those of the cluster.
    const own = Object.fromEntries(Object.entries(resources).filter(([id]) => id.startsWith('Role')));
    expectGolden(`${name}, ${identity}`, own);
  });
});
