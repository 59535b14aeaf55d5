import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import { IamOpenidConnectProvider } from '@cdktf/provider-aws/lib/iam-openid-connect-provider';
import { Fn, TerraformResource, TerraformVariable } from 'cdktf';
import type { Construct } from 'constructs';
import {
  ClusterAutoscalerRole,
  EbsCsiDriverRole,
  EbsVolumeScope,
  EfsCsiDriverRole,
  ExternalDnsRole,
  KarpenterRoles,
  LoadBalancerControllerRole,
  PodIdentityAgent,
  PodIdentityKind,
  type PodRoleProps,
} from '../../../constructs/cdktf';
import { newCluster } from './stacks';

export const ZONE = 'Z0123456789ABCDEFGHIJ';

/** All roles of a cluster. */
export function allRoles(scope: Construct, props: PodRoleProps) {
  const loadBalancerController = new LoadBalancerControllerRole(scope, 'Controller', props);
  const externalDns = new ExternalDnsRole(scope, 'Dns', { ...props, hostedZones: [{ zoneId: ZONE }], zoneTags: true });
  const key = 'arn:aws:kms:eu-west-1:111122223333:key/0123abcd-0123-4567-89ab-0123456789ab';
  const ebsCsiDriver = new EbsCsiDriverRole(scope, 'Ebs', { ...props, kmsKeys: [{ arn: key }] });
  const efsCsiDriver = new EfsCsiDriverRole(scope, 'Efs', props);
  const clusterAutoscaler = new ClusterAutoscalerRole(scope, 'Autoscaler', props);
  const karpenter = new KarpenterRoles(scope, 'Karpenter', { ...props, accessEntry: false });
  return { loadBalancerController, externalDns, ebsCsiDriver, efsCsiDriver, clusterAutoscaler, karpenter };
}

/** Roles of controllers, by what is special in them; several fit in a stack. */
export const controllerRoleCases: Readonly<Record<string, (scope: Construct) => void>> = {
  'Pod Identity': (scope) => {
    allRoles(scope, { cluster: newCluster(scope) });
  },
  'IRSA with the provider of the stack': (scope) => {
    const cluster = newCluster(scope);
    new IamOpenidConnectProvider(scope, 'Oidc', {
      url: cluster.identity.get(0).oidc.get(0).issuer,
      clientIdList: ['sts.amazonaws.com'],
      thumbprintList: [],
    });
    allRoles(scope, { cluster, identity: PodIdentityKind.IRSA });
  },
  'an add-on with associations of its own': (scope) => {
    const cluster = newCluster(scope);
    const role = new EbsCsiDriverRole(scope, 'Ebs', { cluster, association: false, volumes: EbsVolumeScope.CLUSTER });
    new EksAddon(scope, 'Addon', {
      clusterName: cluster.name,
      addonName: 'aws-ebs-csi-driver',
      resolveConflictsOnUpdate: 'PRESERVE',
      preserve: true,
      dependsOn: role.dependencies,
      ...role.addonSettings,
    });
  },
  'a cluster that is made elsewhere, with other names': (scope) => {
    const vpcId = new TerraformVariable(scope, 'vpc', { type: 'string', default: 'vpc-0123456789abcdef0' }).stringValue;
    const cluster = { clusterName: 'elsewhere', kubernetesVersion: '1.34', vpcId };
    const boundary = { arn: 'arn:aws:iam::111122223333:policy/boundary' };
    const props = { cluster, podIdentityAgent: PodIdentityAgent.INSTALL, permissionsBoundary: boundary };
    new LoadBalancerControllerRole(scope, 'Controller', {
      ...props,
      version: '2.8.3',
      namespace: 'ingress',
      serviceAccount: 'controller',
      roleName: 'controller',
      managedPolicies: [{ arn: 'arn:aws:iam::111122223333:policy/more' }],
    });
    new ClusterAutoscalerRole(scope, 'Autoscaler', props);
    new KarpenterRoles(scope, 'Karpenter', {
      ...props,
      version: '1.10.0',
      accessEntry: true,
      nodePolicies: [{ arn: 'arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore' }],
    });
  },
};

/** A release of a chart of the controller. Not in the cases above, because its provider isn't there. */
export function release(
  scope: Construct,
  { role, chart, version }: { role: LoadBalancerControllerRole | ExternalDnsRole; chart: string; version: string },
): void {
  const made = new TerraformResource(scope, 'Release', {
    terraformResourceType: 'helm_release',
    dependsOn: role.dependencies,
  });
  made.addOverride('name', chart);
  made.addOverride('chart', chart);
  made.addOverride('version', version);
  made.addOverride('namespace', role.namespace);
  made.addOverride('values', [Fn.yamlencode(role.helmValues)]);
}
