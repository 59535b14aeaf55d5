import { Stack, type App } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as route53 from 'aws-cdk-lib/aws-route53';
import type { IConstruct } from 'constructs';
import {
  ClusterAutoscalerRole,
  EbsCsiDriverRole,
  EbsVolumeScope,
  EfsCsiDriverRole,
  ExternalDnsRole,
  LoadBalancerControllerRole,
  PodIdentityAgent,
  PodIdentityKind,
  type PodRoleProps,
} from '../../../../constructs/aws-cdk';
import { combinations, SHARE, Untried } from './choices';
import { clusterKinds, ENVIRONMENT, tryMake } from './made';

interface Roles {
  readonly kind: 'controller' | 'dns' | 'ebs' | 'efs' | 'autoscaler';
  readonly identity: Partial<PodRoleProps>;
  readonly names: Partial<PodRoleProps>;
  readonly policies: 'own' | 'more';
  readonly special: boolean;
}

const roleCombinations = combinations<Roles>({
  kind: ['controller', 'dns', 'ebs', 'efs', 'autoscaler'],
  identity: [{}, { association: false }, { identity: PodIdentityKind.IRSA }],
  names: [{}, { namespace: 'platform', serviceAccount: 'mine' }],
  policies: ['own', 'more'],
  special: [false, true],
});

/** The role of a controller; `special` has the options that it has by itself. */
function controllerRole(
  stack: Stack,
  id: string,
  kind: Roles['kind'],
  props: PodRoleProps,
  special: boolean,
): IConstruct {
  switch (kind) {
    case 'controller':
      return new LoadBalancerControllerRole(stack, id, {
        ...props,
        ...(special ? { version: '2.8.3', vpcId: 'vpc-0123456789abcdef0' } : {}),
      });
    case 'dns': {
      const zoneName = 'example.com';
      const zone = route53.HostedZone.fromHostedZoneAttributes(stack, `Zone${id}`, { hostedZoneId: 'Z0123', zoneName });
      return new ExternalDnsRole(stack, id, { ...props, hostedZones: [zone], zoneTags: special });
    }
    case 'ebs': {
      const key = kms.Key.fromKeyArn(stack, `Key${id}`, 'arn:aws:kms:eu-west-1:123456789012:key/0123abcd');
      return new EbsCsiDriverRole(stack, id, {
        ...props,
        ...(special ? { kmsKeys: [key], volumes: EbsVolumeScope.CLUSTER } : {}),
      });
    }
    case 'efs':
      return new EfsCsiDriverRole(stack, id, props);
    case 'autoscaler':
      return new ClusterAutoscalerRole(stack, id, props);
  }
}

/** Roles of controllers, each on a cluster of its own kind in turn: two associations of one service account would be one too many. */
export function addControllerRoles(app: App): void {
  for (const [turn, [kind, makeCluster]] of Object.entries(clusterKinds).entries()) {
    const untried = new Untried(2);
    const stack = new Stack(app, `${kind}Roles`, { env: ENVIRONMENT });
    const cluster = makeCluster(stack);
    const agent = kind.startsWith('Imported') ? { podIdentityAgent: PodIdentityAgent.INSTALL } : {};
    const more = {
      managedPolicies: [iam.ManagedPolicy.fromManagedPolicyArn(stack, 'More', 'arn:aws:iam::123456789012:policy/more')],
      permissionsBoundary: iam.ManagedPolicy.fromManagedPolicyArn(stack, 'Limit', 'arn:aws:iam::123456789012:policy/b'),
    };
    for (const {
      options: { kind: role, identity, names, policies, special },
      number,
      choices,
    } of roleCombinations) {
      if ((number + turn) % SHARE !== 0 || !untried.has(choices)) continue;
      const id = `Role${number}`;
      const namespace = `space-${number}`;
      const props = {
        cluster,
        ...(identity.identity === PodIdentityKind.IRSA ? {} : agent),
        ...identity,
        ...(names.namespace === undefined ? { namespace } : { ...names, namespace }),
        ...(policies === 'more' ? more : {}),
      };
      if (tryMake(stack, id, () => controllerRole(stack, id, role, props, special)) !== undefined)
        untried.accept(choices);
    }
  }
}
