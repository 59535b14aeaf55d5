import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataAwsEksCluster } from '@cdktf/provider-aws/lib/data-aws-eks-cluster';
import { EksAddon } from '@cdktf/provider-aws/lib/eks-addon';
import { EksNodeGroup } from '@cdktf/provider-aws/lib/eks-node-group';
import { IamOpenidConnectProvider } from '@cdktf/provider-aws/lib/iam-openid-connect-provider';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import { AwsProvider } from '@cdktf/provider-aws/lib/provider';
import { SecurityGroup } from '@cdktf/provider-aws/lib/security-group';
import { Subnet } from '@cdktf/provider-aws/lib/subnet';
import { App, TerraformVariable, type TerraformStack } from 'cdktf';
import {
  ConstructionError,
  PodIdentityAgent,
  PodIdentityKind,
  ResolveConflicts,
  VpcCniAddon,
  type ICluster,
  type VpcCniAddonProps,
} from '../../../constructs/cdktf';
import { newestAddonVersion } from '../../../lib/knowledge';
import { addonOf, newCluster, newStack, resourcesOf } from './stacks';

type Options = Omit<VpcCniAddonProps, 'cluster'>;

const cni = (options: Options = {}): TerraformStack => {
  const stack = newStack();
  new VpcCniAddon(stack, 'Cni', { cluster: newCluster(stack), ...options });
  return stack;
};

const dependencies = (stack: TerraformStack): string[] =>
  [addonOf(stack)['depends_on']].flat().map((name) => String(name).replace(/_[0-9A-F]{8}$/, ''));

describe('defaults', () => {
  it('preserve changes on update, take over on creation, pin the version and keep the CNI', () => {
    expect(addonOf(cni())).toMatchObject({
      addon_name: 'vpc-cni',
      addon_version: newestAddonVersion('vpc-cni', '1.34'),
      cluster_name: '${aws_eks_cluster.Cluster.name}',
      resolve_conflicts_on_create: 'OVERWRITE',
      resolve_conflicts_on_update: 'PRESERVE',
      preserve: true,
    });
    // Version 6 of the provider has no more of it.
    expect(addonOf(cni())).not.toHaveProperty('resolve_conflicts');
    expect(addonOf(cni())).not.toHaveProperty('configuration_values');
  });

  it('give the CNI a role of its own through Pod Identity, after the agent and the permissions', () => {
    const stack = cni();
    expect(addonOf(stack)['pod_identity_association']).toEqual([
      {
        role_arn: expect.stringMatching(/^\$\{aws_iam_role\.Cni_Role_\w+\.arn\}$/) as string,
        service_account: 'aws-node',
      },
    ]);
    expect(addonOf(stack)).not.toHaveProperty('service_account_role_arn');
    expect(dependencies(stack)).toEqual([
      'aws_iam_role_policy_attachment.Cni_Role_Attachment',
      'aws_eks_addon.Cni_PodIdentityAgent',
    ]);
    expect(addonOf(stack, 'eks-pod-identity-agent')).toMatchObject({
      addon_version: newestAddonVersion('eks-pod-identity-agent', '1.34'),
      resolve_conflicts_on_update: 'PRESERVE',
      preserve: true,
    });
  });
});

describe('version', () => {
  const ofAttributes = (attributes: Partial<Extract<ICluster, { clusterName: string }>>, options: Options = {}) => {
    const stack = newStack();
    return new VpcCniAddon(stack, 'Cni', {
      cluster: { clusterName: 'main', ...attributes },
      podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
      ...options,
    }).version;
  };

  it("must be said for a cluster whose Kubernetes version isn't known", () => {
    expect(() => ofAttributes({})).toThrow('set version, or kubernetesVersion');
    expect(ofAttributes({ kubernetesVersion: '1.33' })).toBe(newestAddonVersion('vpc-cni', '1.33'));
    expect(ofAttributes({}, { kubernetesVersion: '1.32' })).toBe(newestAddonVersion('vpc-cni', '1.32'));
    expect(ofAttributes({}, { version: 'v9.9.9-eksbuild.1' })).toBe('v9.9.9-eksbuild.1');
  });

  it('may be a variable, written in either way', () => {
    for (const write of [(variable: TerraformVariable) => variable.stringValue, () => '${var.version}']) {
      const stack = newStack();
      const variable = new TerraformVariable(stack, 'version', { type: 'string' });
      new VpcCniAddon(stack, 'Cni', { cluster: newCluster(stack), version: write(variable), podSecurityGroups: {} });
      expect(addonOf(stack)['addon_version']).toBe('${var.version}');
    }
  });
});

describe('identity', () => {
  it('can be IRSA, with the provider of the stack or a given one', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    new IamOpenidConnectProvider(stack, 'Oidc', {
      url: cluster.identity.get(0).oidc.get(0).issuer,
      clientIdList: ['sts.amazonaws.com'],
    });
    const addon = new VpcCniAddon(stack, 'Cni', { cluster, identity: PodIdentityKind.IRSA });
    expect(addonOf(stack)).toMatchObject({
      service_account_role_arn: expect.stringMatching(/^\$\{aws_iam_role\.Cni_Role_/) as string,
    });
    expect(addonOf(stack)).not.toHaveProperty('pod_identity_association');
    expect(dependencies(stack)).toEqual(['aws_iam_role_policy_attachment.Cni_Role_Attachment']);
    expect(addon.cniRole?.role).toBe(addon.role);
    expect(() => cni({ identity: PodIdentityKind.IRSA })).toThrow(
      "Test/Cni/Role: identity is IRSA, but the cluster's OpenID Connect provider isn't known; give openIdConnectProvider, or use",
    );
    expect(() =>
      cni({
        identity: PodIdentityKind.IRSA,
        openIdConnectProvider: { arn: 'arn:aws:iam::111122223333:oidc-provider/x', url: 'https://x' },
      }),
    ).not.toThrow();
  });

  it('can be the node role, or a role of the user', () => {
    expect(addonOf(cni({ useNodeRole: true }))).not.toHaveProperty('pod_identity_association');
    const own = cni({ role: { arn: 'arn:aws:iam::111122223333:role/cni' } });
    expect(addonOf(own)['pod_identity_association']).toEqual([
      { role_arn: 'arn:aws:iam::111122223333:role/cni', service_account: 'aws-node' },
    ]);
    expect(Object.keys(resourcesOf(own, 'aws_iam_role'))).toEqual(['ClusterRole']);
  });
});

describe('the Pod Identity agent', () => {
  it('of a cluster that is made elsewhere needs a word', () => {
    const make = (options: Options) => {
      const stack = newStack();
      new VpcCniAddon(stack, 'Cni', { cluster: { clusterName: 'main' }, kubernetesVersion: '1.34', ...options });
      return stack;
    };
    expect(() => make({})).toThrow("podIdentityAgent isn't set");
    expect(
      Object.keys(resourcesOf(make({ podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE }), 'aws_eks_addon')),
    ).toHaveLength(1);
    expect(addonOf(make({ podIdentityAgent: PodIdentityAgent.INSTALL }), 'eks-pod-identity-agent')).toMatchObject({
      cluster_name: 'main',
    });
  });

  const agent = (stack: TerraformStack, clusterName: string) =>
    new EksAddon(stack, 'Agent', { clusterName, addonName: 'eks-pod-identity-agent' });

  it('is that of the stack, if there is one', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    agent(stack, cluster.name);
    new VpcCniAddon(stack, 'Cni', { cluster });
    expect(Object.keys(resourcesOf(stack, 'aws_eks_addon'))).toHaveLength(2);
    expect(dependencies(stack)).toContain('aws_eks_addon.Agent');
  });

  it('is made for this cluster, whatever others have', () => {
    const stack = newStack();
    agent(stack, newCluster(stack, { name: 'other' }, 'Other').name);
    new VpcCniAddon(stack, 'Cni', { cluster: newCluster(stack) });
    expect(Object.keys(resourcesOf(stack, 'aws_eks_addon'))).toHaveLength(3);
  });

  it('is refused twice', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    new VpcCniAddon(stack, 'Cni', { cluster });
    agent(stack, cluster.name);
    expect(() => addonOf(stack)).toThrow('the add-on eks-pod-identity-agent twice, as Test/Agent too');
  });
});

describe('conflicts', () => {
  it.each<[Options, string, string]>([
    [{ takeOver: true }, 'OVERWRITE', 'PRESERVE'],
    [{ takeOver: { until: '2027-03-31' } }, 'OVERWRITE', 'PRESERVE'],
    [{ takeOver: false }, 'NONE', 'PRESERVE'],
    [{ resolveConflicts: ResolveConflicts.NONE, resolveConflictsReason: 'updates must stop' }, 'NONE', 'NONE'],
    [
      { resolveConflicts: ResolveConflicts.NONE, resolveConflictsReason: 'updates must stop', takeOver: true },
      'OVERWRITE',
      'NONE',
    ],
    [
      { resolveConflicts: ResolveConflicts.OVERWRITE, resolveConflictsReason: 'nobody may change it' },
      'OVERWRITE',
      'OVERWRITE',
    ],
  ])('of %j are resolved by %s on creation and %s on update', (options, onCreate, onUpdate) => {
    expect(addonOf(cni(options))).toMatchObject({
      resolve_conflicts_on_create: onCreate,
      resolve_conflicts_on_update: onUpdate,
    });
  });

  it("are refused without reason, or for a day that isn't one", () => {
    expect(() => cni({ resolveConflicts: ResolveConflicts.OVERWRITE })).toThrow(
      'resolveConflicts is OVERWRITE without resolveConflictsReason',
    );
    expect(() => cni({ takeOver: { until: 'soon' } })).toThrow('takeOver.until is "soon"');
  });
});

describe('configuration', () => {
  it('takes tokens as values, and quotes the rest as Terraform needs it', () => {
    const stack = newStack();
    const snat = new TerraformVariable(stack, 'snat', { type: 'string' });
    const addresses = new TerraformVariable(stack, 'addresses', { type: 'number' });
    new VpcCniAddon(stack, 'Cni', {
      cluster: newCluster(stack),
      env: { AWS_VPC_K8S_CNI_EXTERNALSNAT: snat.stringValue, ENABLE_SUBNET_DISCOVERY: '${var.snat}' },
      warmTargets: { warmIpTarget: addresses.numberValue },
      configurationValues: { podLabels: { say: 'a "b" \\ $${c}' } },
    });
    expect(addonOf(stack)['configuration_values']).toBe(
      '${jsonencode({"env" = {"WARM_IP_TARGET" = "${tostring(var.addresses)}", "AWS_VPC_K8S_CNI_EXTERNALSNAT" = "${var.snat}", "ENABLE_SUBNET_DISCOVERY" = "${var.snat}"}, "podLabels" = {"say" = "a \\"b\\" \\\\ $${c}"}})}',
    );
  });

  it('renders subnets and groups of the stack, in their zones', () => {
    const stack = newStack();
    const subnet = new Subnet(stack, 'PodsA', {
      vpcId: 'vpc-0123456789abcdef0',
      cidrBlock: '10.0.0.0/20',
      availabilityZone: 'eu-west-1a',
    });
    const group = new SecurityGroup(stack, 'Pods', { vpcId: 'vpc-0123456789abcdef0' });
    new VpcCniAddon(stack, 'Cni', {
      cluster: newCluster(stack),
      customNetworking: { subnets: [{ subnet, securityGroups: [group, 'sg-0123456789abcdef0'] }] },
    });
    expect(addonOf(stack)['configuration_values']).toContain(
      '"eniConfig" = {"create" = true, "region" = "eu-west-1", "subnets" = {"eu-west-1a" = {"id" = "${aws_subnet.PodsA.id}", "securityGroups" = ["${aws_security_group.Pods.id}", "sg-0123456789abcdef0"]}}}',
    );
  });

  it("takes the region from the zones where the provider doesn't tell it", () => {
    const stack = newStack('${var.region}');
    const addon = new VpcCniAddon(stack, 'Cni', {
      cluster: newCluster(stack),
      customNetworking: { subnets: [{ subnet: 'subnet-a', availabilityZone: 'us-west-2-lax-1a' }] },
    });
    expect(addon.configuration).toMatchObject({ eniConfig: { region: 'us-west-2' } });
    const two = [
      { subnet: 'subnet-a', availabilityZone: 'eu-west-1a' },
      { subnet: 'subnet-b', availabilityZone: 'eu-west-2a' },
    ];
    expect(
      () =>
        new VpcCniAddon(stack, 'Other', { cluster: newCluster(stack, {}, 'C2'), customNetworking: { subnets: two } }),
    ).toThrow('customNetworking.subnets[1].availabilityZone is "eu-west-2a", and an earlier subnet is in eu-west-1');
  });

  it('refuses small subnets for prefixes', () => {
    const stack = newStack();
    const subnet = new Subnet(stack, 'Pods', {
      vpcId: 'vpc-0123456789abcdef0',
      cidrBlock: '10.0.0.0/27',
      availabilityZone: 'eu-west-1a',
    });
    expect(
      () =>
        new VpcCniAddon(stack, 'Cni', {
          cluster: newCluster(stack),
          prefixDelegation: {},
          customNetworking: { subnets: [{ subnet }] },
        }),
    ).toThrow('customNetworking.subnets[0].subnet is 10.0.0.0/27');
  });
});

describe('the cluster', () => {
  const attachments = (stack: TerraformStack) =>
    Object.values(resourcesOf(stack, 'aws_iam_role_policy_attachment')).filter(({ policy_arn: arn }) =>
      String(arn).endsWith('/AmazonEKSVPCResourceController'),
    );

  it.each<[string, Options]>([
    ['security groups for pods', { podSecurityGroups: {} }],
    ['Windows', { windowsIpam: true }],
    ['a switch that is decided at deployment', { configurationValues: { enableWindowsIpam: '${var.windows}' } }],
  ])('gets the policy of the VPC resource controller for %s, before the add-on', (_, options) => {
    const stack = cni(options);
    expect(attachments(stack)).toEqual([
      expect.objectContaining({
        role: '${aws_iam_role.ClusterRole.name}',
        policy_arn:
          'arn:${data.aws_partition.EksGuardrailsPartition.partition}:iam::aws:policy/AmazonEKSVPCResourceController',
      }),
    ]);
    expect(dependencies(stack)).toContain('aws_iam_role_policy_attachment.Cni_ResourceController');
  });

  it('gets it once, and only then', () => {
    expect(attachments(cni())).toEqual([]);
    const stack = newStack();
    const cluster = newCluster(stack);
    new IamRolePolicyAttachment(stack, 'Own', {
      role: '${aws_iam_role.ClusterRole.name}',
      policyArn: 'arn:aws:iam::aws:policy/AmazonEKSVPCResourceController',
    });
    new VpcCniAddon(stack, 'Cni', { cluster, podSecurityGroups: {} });
    expect(attachments(stack)).toHaveLength(1);
    expect(dependencies(stack)).toContain('aws_iam_role_policy_attachment.Own');
  });

  it("of another role or elsewhere doesn't get it", () => {
    const stack = newStack();
    new VpcCniAddon(stack, 'Cni', {
      cluster: newCluster(stack, { roleArn: 'arn:aws:iam::111122223333:role/cluster' }),
      podSecurityGroups: {},
    });
    expect(attachments(stack)).toEqual([]);
  });

  it('has one vpc-cni add-on', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    new VpcCniAddon(stack, 'A', { cluster });
    expect(() => new VpcCniAddon(stack, 'B', { cluster })).toThrow(ConstructionError);
    expect(() => new VpcCniAddon(stack, 'C', { cluster })).toThrow(
      'Test/C: the cluster already has the vpc-cni add-on Test/A',
    );
  });

  it('tells its provider to all that is made for it', () => {
    const stack = newStack();
    const provider = new AwsProvider(stack, 'West', { region: 'us-west-2', alias: 'west' });
    new VpcCniAddon(stack, 'Cni', { cluster: newCluster(stack, { provider }), podSecurityGroups: {} });
    for (const type of ['aws_eks_addon', 'aws_iam_policy', 'aws_iam_role_policy_attachment']) {
      for (const made of Object.values(resourcesOf(stack, type))) expect(made).toMatchObject({ provider: 'aws.west' });
    }
    expect(
      () =>
        new VpcCniAddon(stack, 'Wrong', {
          cluster: newCluster(stack, { provider }, 'Second'),
          customNetworking: { subnets: [{ subnet: 'subnet-a', availabilityZone: 'eu-west-1a' }] },
        }),
    ).toThrow('the region of the provider is us-west-2');
  });

  it('tells its region, where it has one of its own', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    Object.defineProperty(cluster, 'regionInput', { value: 'us-west-2' });
    new VpcCniAddon(stack, 'Cni', { cluster });
    expect(addonOf(stack)['region']).toBe('us-west-2');
    expect(addonOf(stack, 'eks-pod-identity-agent')['region']).toBe('us-west-2');
  });

  it('may be without nodes of this library', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    new EksNodeGroup(stack, 'Nodes', {
      clusterName: cluster.name,
      nodeRoleArn: 'arn:aws:iam::111122223333:role/nodes',
      subnetIds: ['subnet-0123456789abcdef0'],
      scalingConfig: { minSize: 1, maxSize: 2, desiredSize: 1 },
    });
    new VpcCniAddon(stack, 'Cni', { cluster, podSecurityGroups: {}, prefixDelegation: {} });
    expect(() => addonOf(stack)).not.toThrow();
  });
});

describe('other clusters', () => {
  it('may be of a data source', () => {
    const stack = newStack();
    const cluster = new DataAwsEksCluster(stack, 'Cluster', { name: 'main' });
    expect(() => new VpcCniAddon(stack, 'Early', { cluster })).toThrow('set version, or kubernetesVersion');
    new VpcCniAddon(stack, 'Cni', {
      cluster,
      kubernetesVersion: '1.34',
      podIdentityAgent: PodIdentityAgent.MANAGED_ELSEWHERE,
      podSecurityGroups: {},
    });
    expect(addonOf(stack)).toMatchObject({
      cluster_name: '${data.aws_eks_cluster.Cluster.name}',
      addon_version: newestAddonVersion('vpc-cni', '1.34'),
    });
    // That of the CNI's role alone.
    expect(Object.keys(resourcesOf(stack, 'aws_iam_role_policy_attachment'))).toEqual([
      expect.stringMatching(/^Cni_Role_Attachment_/),
    ]);
  });

  it('may be of another stack, whose values are handed over', () => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'eks-guardrails-cni-')) });
    try {
      const clusters = newStack('eu-west-1', app, 'Clusters');
      const cluster = newCluster(clusters);
      const subnet = new Subnet(clusters, 'Pods', {
        vpcId: 'vpc-0123456789abcdef0',
        cidrBlock: '10.0.0.0/20',
        availabilityZone: 'eu-west-1a',
      });
      const stack = newStack('eu-west-1', app, 'Addons');
      new VpcCniAddon(stack, 'Cni', { cluster, podSecurityGroups: {}, customNetworking: { subnets: [{ subnet }] } });
      app.synth();
      const { resource } = JSON.parse(readFileSync(join(app.outdir, 'stacks/Addons/cdk.tf.json'), 'utf8')) as {
        resource: Record<string, Record<string, Record<string, unknown>>>;
      };
      const addon = Object.values(resource['aws_eks_addon'] ?? {}).find(({ addon_name: name }) => name === 'vpc-cni');
      expect(addon?.['cluster_name']).toMatch(/^\$\{data\.terraform_remote_state\..*\.outputs\..*ClusterName\w*\}$/i);
      expect(addon?.['configuration_values']).toMatch(/"id" = "\$\{data\.terraform_remote_state\./);
      expect(Object.values(resource['aws_iam_role_policy_attachment'] ?? {}).map(({ role }) => role)).toContainEqual(
        expect.stringMatching(/^\$\{data\.terraform_remote_state\./),
      );
    } finally {
      rmSync(app.outdir, { recursive: true, force: true });
    }
  });
});
