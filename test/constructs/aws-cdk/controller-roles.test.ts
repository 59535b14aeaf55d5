import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import * as eks from 'aws-cdk-lib/aws-eks';
import type * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as kms from 'aws-cdk-lib/aws-kms';
import * as route53 from 'aws-cdk-lib/aws-route53';
import {
  ClusterAutoscalerRole,
  ConstructionError,
  EbsCsiDriverRole,
  EbsVolumeScope,
  EfsCsiDriverRole,
  ExternalDnsRole,
  LoadBalancerControllerRole,
  PodIdentityAgent,
  PodIdentityKind,
  VpcCniAddon,
  type ICluster,
  type LoadBalancerControllerRoleProps,
  type PodRole,
  type PodRoleProps,
} from '../../../constructs/aws-cdk';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readPaths } from '../../../lib/front-ends/paths';
import { allRules } from '../../../lib/rules';
import {
  customCluster,
  importedCluster,
  importedVpc,
  nativeCluster,
  newStack,
  policyNames,
  resourceOf,
  resourcesOf,
  textOf,
} from './clusters';

const { IRSA, POD_IDENTITY } = PodIdentityKind;

const zoneIn = (stack: Stack, id = 'Z0123456789ABCDEFGHIJ'): route53.IHostedZone =>
  route53.HostedZone.fromHostedZoneAttributes(stack, id, { hostedZoneId: id, zoneName: 'example.com' });

/** Every role, by its service account. */
const makers: Readonly<Record<string, (stack: Stack, props: PodRoleProps) => PodRole>> = {
  'kube-system/aws-load-balancer-controller': (stack, props) => new LoadBalancerControllerRole(stack, 'Role', props),
  'external-dns/external-dns': (stack, props) =>
    new ExternalDnsRole(stack, 'Role', { ...props, hostedZones: [zoneIn(stack)] }),
  'kube-system/ebs-csi-controller-sa': (stack, props) => new EbsCsiDriverRole(stack, 'Role', props),
  'kube-system/efs-csi-controller-sa': (stack, props) => new EfsCsiDriverRole(stack, 'Role', props),
  'kube-system/cluster-autoscaler': (stack, props) => new ClusterAutoscalerRole(stack, 'Role', props),
};
const each = Object.entries(makers);

const roleOf = (stack: Stack) => {
  const role = resourcesOf(stack, 'AWS::IAM::Role').find(({ Properties }) =>
    String(Properties.Description).startsWith('Permissions of '),
  );
  if (role === undefined) throw new Error('no role');
  return role;
};

describe.each(each)('the role of %s', (account, make) => {
  it('is taken through Pod Identity, by an association behind the agent', () => {
    const stack = newStack();
    const role = make(stack, { cluster: nativeCluster(stack) });
    expect([role.identity, `${role.namespace}/${role.serviceAccount}`]).toEqual([POD_IDENTITY, account]);
    expect(roleOf(stack).Properties).toMatchObject({
      Description: expect.stringContaining(`(service account ${account})`) as string,
      AssumeRolePolicyDocument: {
        Statement: [
          {
            Effect: 'Allow',
            Principal: { Service: 'pods.eks.amazonaws.com' },
            Action: ['sts:AssumeRole', 'sts:TagSession'],
          },
        ],
      },
    });
    const association = resourceOf(stack, 'AWS::EKS::PodIdentityAssociation');
    expect(association.Properties).toMatchObject({
      ClusterName: { Ref: expect.stringMatching(/^Cluster/) as string },
      Namespace: role.namespace,
      ServiceAccount: role.serviceAccount,
      RoleArn: { 'Fn::GetAtt': [expect.stringMatching(/^Role/) as string, 'Arn'] },
    });
    expect(association.DependsOn).toEqual([expect.stringContaining('EksPodIdentityAgentAddon')]);
    expect(resourceOf(stack, 'AWS::EKS::Addon').Properties).toMatchObject({
      AddonName: 'eks-pod-identity-agent',
      AddonVersion: expect.stringMatching(/^v/) as string,
    });
  });

  it('is taken by the service account alone with IRSA, which needs no association', () => {
    const stack = newStack();
    const role = make(stack, {
      cluster: importedCluster(stack, 'aws-eks-v2', { complete: true, vpc: importedVpc(stack) }),
      identity: IRSA,
    });
    const issuer = 'oidc.eks.eu-west-1.amazonaws.com/id/0123456789ABCDEF';
    const sub = account.includes('efs')
      ? ['system:serviceaccount:kube-system:efs-csi-controller-sa', 'system:serviceaccount:kube-system:efs-csi-node-sa']
      : `system:serviceaccount:${account.replace('/', ':')}`;
    expect(roleOf(stack).Properties.AssumeRolePolicyDocument).toMatchObject({
      Statement: [
        {
          Action: 'sts:AssumeRoleWithWebIdentity',
          Condition: { StringEquals: { [`${issuer}:aud`]: 'sts.amazonaws.com', [`${issuer}:sub`]: sub } },
        },
      ],
    });
    expect(role.association).toBeUndefined();
    expect(resourcesOf(stack, 'AWS::EKS::PodIdentityAssociation')).toEqual([]);
    expect(resourcesOf(stack, 'AWS::EKS::Addon')).toEqual([]);
    const values = JSON.stringify(stack.resolve((role as LoadBalancerControllerRole).helmValues));
    expect(values).toMatch(/"annotations":\{"eks\.amazonaws\.com\/role-arn":\{"Fn::GetAtt":\["Role/);
  });

  it('has managed policies only, further ones and a boundary, too', () => {
    const stack = newStack();
    make(stack, {
      cluster: nativeCluster(stack),
      roleName: 'pods',
      managedPolicies: [iam.ManagedPolicy.fromAwsManagedPolicyName('AWSXRayDaemonWriteAccess')],
      permissionsBoundary: iam.ManagedPolicy.fromManagedPolicyArn(stack, 'Bound', 'arn:aws:iam::123456789012:policy/b'),
    });
    const role = roleOf(stack);
    expect(role.Properties).toMatchObject({
      RoleName: 'pods',
      PermissionsBoundary: 'arn:aws:iam::123456789012:policy/b',
    });
    expect(role.Properties.Policies).toBeUndefined();
    expect(resourcesOf(stack, 'AWS::IAM::Policy')).toEqual([]);
    expect(policyNames(role).at(-1)).toBe('AWSXRayDaemonWriteAccess');
  });

  it('serves other service accounts', () => {
    const stack = newStack();
    const role = make(stack, { cluster: nativeCluster(stack), namespace: 'platform', serviceAccount: 'mine' });
    expect([role.namespace, role.serviceAccount]).toEqual(['platform', 'mine']);
    expect(JSON.stringify((role as LoadBalancerControllerRole).helmValues)).toContain('"name":"mine"');
  });

  it.each<[Partial<PodRoleProps>, string]>([
    [{ namespace: 'kube_system' }, 'namespace is "kube_system"; Kubernetes takes'],
    [{ serviceAccount: '*' }, 'serviceAccount is "*"; Kubernetes takes'],
    [{ identity: IRSA, association: true }, 'association is true and identity is IRSA'],
    [{ identity: IRSA, podIdentityAgent: PodIdentityAgent.INSTALL }, 'podIdentityAgent is INSTALL and identity is'],
    [{ kubernetesVersion: '1.20' }, 'kubernetesVersion is "1.20" and the cluster has 1.34'],
  ])('refuses %j', (props, message) => {
    const stack = newStack();
    expect(() => make(stack, { cluster: nativeCluster(stack), ...props })).toThrow(`Test/Role: ${message}`);
  });

  it('of an imported cluster asks who looks after the agent, and for a provider', () => {
    const stack = newStack();
    const cluster = importedCluster(stack, 'aws-eks', { vpc: importedVpc(stack) });
    expect(() => make(stack, { cluster })).toThrow("podIdentityAgent isn't set; without the agent the pods get no");
    const other = newStack();
    const imported = importedCluster(other, 'aws-eks', { vpc: importedVpc(other) });
    expect(() => make(other, { cluster: imported, identity: IRSA })).toThrow(ConstructionError);
  });
});

it('roles and add-on of an imported cluster share an agent', () => {
  const stack = newStack();
  const cluster = importedCluster(stack, 'aws-eks', { vpc: importedVpc(stack) });
  const props = { cluster, podIdentityAgent: PodIdentityAgent.INSTALL, kubernetesVersion: '1.34' };
  new EfsCsiDriverRole(stack, 'Efs', props);
  new EbsCsiDriverRole(stack, 'Ebs', props);
  new VpcCniAddon(stack, 'Cni', props);
  const agents = resourcesOf(stack, 'AWS::EKS::Addon').filter(
    ({ Properties }) => Properties.AddonName === 'eks-pod-identity-agent',
  );
  expect(agents).toHaveLength(1);
});

describe('LoadBalancerControllerRole', () => {
  const make = (props: Partial<LoadBalancerControllerRoleProps> = {}) => {
    const stack = newStack();
    return { stack, role: new LoadBalancerControllerRole(stack, 'Role', { cluster: nativeCluster(stack), ...props }) };
  };

  it('has the newest policy, or that of a version', () => {
    const { stack, role } = make();
    expect([role.version, role.chartVersion]).toEqual(['3.5.0', '3.5.0']);
    expect(JSON.stringify(resourceOf(stack, 'AWS::IAM::ManagedPolicy'))).toContain('ec2:DescribeRouteTables');
    const older = make({ version: '2.8.3' });
    expect(older.role.chartVersion).toBe('1.8.4');
    expect(JSON.stringify(resourceOf(older.stack, 'AWS::IAM::ManagedPolicy'))).not.toContain('ListenerAttributes');
  });

  it('tells the chart cluster, region and VPC', () => {
    const { stack, role } = make();
    expect(stack.resolve(role.helmValues)).toEqual({
      clusterName: { Ref: expect.stringMatching(/^Cluster/) as string },
      region: { Ref: 'AWS::Region' },
      vpcId: { Ref: expect.stringMatching(/^ClusterDefaultVpc/) as string },
      serviceAccount: { create: true, name: 'aws-load-balancer-controller' },
    });
  });

  it.each<[string, string]>([
    ['2.4.6', 'version is "2.4.6", and Kubernetes has needed 2.4.7 since 1.25'],
    ['9.0.0', 'version is "9.0.0", and the newest whose policy is known here is 3.5.0'],
    ['v2.13.0', 'version is "v2.13.0"; a version of the controller looks like 3.5.0'],
    ['2.13', 'version is "2.13"; a version of the controller looks like 3.5.0'],
  ])('refuses version %s', (version, message) => {
    expect(() => make({ version })).toThrow(`Test/Role: ${message}`);
  });

  it('needs the VPC of an imported cluster', () => {
    const stack = newStack();
    const props = { cluster: importedCluster(stack, 'aws-eks-v2'), podIdentityAgent: PodIdentityAgent.INSTALL };
    expect(() => new LoadBalancerControllerRole(stack, 'None', props)).toThrow("the cluster doesn't tell its VPC");
    const role = new LoadBalancerControllerRole(stack, 'Role', { ...props, vpcId: 'vpc-0123456789abcdef0' });
    expect(role.helmValues).toMatchObject({ vpcId: 'vpc-0123456789abcdef0' });
  });

  it('leaves out what isolated partitions lack', () => {
    const stack = newStack('us-iso-east-1');
    new LoadBalancerControllerRole(stack, 'Role', { cluster: nativeCluster(stack) });
    const text = JSON.stringify(resourceOf(stack, 'AWS::IAM::ManagedPolicy'));
    expect(text).not.toContain('elasticloadbalancing:DescribeTrustStores');
    expect(text).toContain('elasticloadbalancing:DescribeListeners');
  });
});

describe('ExternalDnsRole', () => {
  const statements = (stack: Stack) =>
    (
      resourceOf(stack, 'AWS::IAM::ManagedPolicy').Properties.PolicyDocument as {
        Statement: { Action: unknown; Resource: unknown }[];
      }
    ).Statement;

  it('changes the given zones only, each once', () => {
    const stack = newStack();
    const zone = new route53.PublicHostedZone(stack, 'Zone', { zoneName: 'example.org' });
    const role = new ExternalDnsRole(stack, 'Role', {
      cluster: nativeCluster(stack),
      hostedZones: [zone, zoneIn(stack), zone],
    });
    const [records, list, ...others] = statements(stack);
    expect(others).toEqual([]);
    expect((records?.Resource as unknown[]).map(textOf)).toEqual([
      expect.stringMatching(/^arn:\$\{AWS::Partition\}:route53:::hostedzone\/\$\{Zone.*\}$/),
      'arn:${AWS::Partition}:route53:::hostedzone/Z0123456789ABCDEFGHIJ',
    ]);
    expect([list?.Action, list?.Resource]).toEqual(['route53:ListHostedZones', '*']);
    expect(stack.resolve(role.helmValues)).toMatchObject({
      provider: { name: 'aws' },
      extraArgs: [expect.anything(), '--zone-id-filter=Z0123456789ABCDEFGHIJ'],
    });
  });

  it('may read tags of all zones', () => {
    const stack = newStack();
    new ExternalDnsRole(stack, 'Role', { cluster: nativeCluster(stack), hostedZones: [zoneIn(stack)], zoneTags: true });
    expect(statements(stack)[2]).toMatchObject({
      Action: ['route53:ListTagsForResource', 'route53:ListTagsForResources'],
    });
  });

  it('needs zones, and not too many', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    expect(() => new ExternalDnsRole(stack, 'None', { cluster, hostedZones: [] })).toThrow('hostedZones is empty');
    const hostedZones = Array.from({ length: 81 }, (_, index) => zoneIn(stack, `Z${index}`));
    expect(() => new ExternalDnsRole(stack, 'Many', { cluster, hostedZones })).toThrow('hostedZones has 81 zones');
    expect(() => new ExternalDnsRole(stack, 'Odd', { cluster, hostedZones: [zoneIn(stack, 'zone/*')] })).toThrow(
      'hostedZones has "zone/*"; the id of a hosted zone looks like',
    );
  });
});

describe('EbsCsiDriverRole', () => {
  it.each<[EbsVolumeScope | undefined, string]>([
    [undefined, 'AmazonEBSCSIDriverPolicyV2'],
    [EbsVolumeScope.CLUSTER, 'AmazonEBSCSIDriverEKSClusterScopedPolicy'],
    [EbsVolumeScope.ACCOUNT, 'service-role/AmazonEBSCSIDriverPolicy'],
  ])('has the policy of scope %s', (volumes, policy) => {
    const stack = newStack();
    const role = new EbsCsiDriverRole(stack, 'Role', {
      cluster: nativeCluster(stack),
      ...(volumes === undefined ? {} : { volumes }),
    });
    expect(policyNames(roleOf(stack))).toEqual([policy]);
    expect('k8sTagClusterId' in (role.helmValues['controller'] as object)).toBe(volumes === EbsVolumeScope.CLUSTER);
  });

  it('may use given keys, and grant them to EBS alone', () => {
    const stack = newStack();
    const key = new kms.Key(stack, 'Key');
    new EbsCsiDriverRole(stack, 'Role', { cluster: nativeCluster(stack), kmsKeys: [key, key] });
    const resource = { 'Fn::GetAtt': [expect.stringMatching(/^Key/) as string, 'Arn'] };
    expect(resourceOf(stack, 'AWS::IAM::ManagedPolicy').Properties.PolicyDocument).toMatchObject({
      Statement: [
        { Action: expect.arrayContaining(['kms:GenerateDataKeyWithoutPlaintext']) as string[], Resource: resource },
        {
          Action: 'kms:CreateGrant',
          Resource: resource,
          Condition: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
        },
      ],
    });
  });

  it('refuses the scope of a cluster with IRSA', () => {
    const stack = newStack();
    const cluster = nativeCluster(stack);
    expect(
      () => new EbsCsiDriverRole(stack, 'Role', { cluster, identity: IRSA, volumes: EbsVolumeScope.CLUSTER }),
    ).toThrow('Test/Role: volumes is CLUSTER and identity is IRSA');
  });

  it.each<[string, Partial<PodRoleProps>, unknown]>([
    ['an association of its own', {}, {}],
    [
      'an association of the add-on',
      { association: false },
      { podIdentityAssociations: [{ serviceAccount: 'ebs-csi-controller-sa', roleArn: expect.anything() as unknown }] },
    ],
    ['IRSA', { identity: IRSA }, { serviceAccountRoleArn: expect.anything() as unknown }],
  ])('gives the role to the add-on by %s', (_, props, settings) => {
    const stack = newStack();
    const role = new EbsCsiDriverRole(stack, 'Role', { cluster: nativeCluster(stack), ...props });
    expect(stack.resolve(role.addonSettings)).toEqual(settings);
    new eks.CfnAddon(stack, 'Ebs', { addonName: 'aws-ebs-csi-driver', clusterName: 'main', ...role.addonSettings });
    expect(resourcesOf(stack, 'AWS::EKS::PodIdentityAssociation')).toHaveLength(role.association === undefined ? 0 : 1);
  });
});

it('ClusterAutoscalerRole changes groups with the tags of its cluster, whose name may be known at deployment', () => {
  const document = (makeCluster: (stack: Stack) => ICluster, options: Partial<PodRoleProps>) => {
    const stack = newStack();
    new ClusterAutoscalerRole(stack, 'Role', { cluster: makeCluster(stack), ...options });
    return resourceOf(stack, 'AWS::IAM::ManagedPolicy').Properties.PolicyDocument;
  };
  const scale = (name: string) => ({
    Sid: 'Scale',
    Effect: 'Allow',
    Action: ['autoscaling:SetDesiredCapacity', 'autoscaling:TerminateInstanceInAutoScalingGroup'],
    Condition: {
      StringEquals: {
        'aws:ResourceTag/k8s.io/cluster-autoscaler/enabled': 'true',
        [`aws:ResourceTag/k8s.io/cluster-autoscaler/${name}`]: 'owned',
      },
    },
  });
  const known = document((stack) => importedCluster(stack, 'aws-eks'), { podIdentityAgent: PodIdentityAgent.INSTALL });
  expect((known as { Statement: unknown[] }).Statement[1]).toEqual({ ...scale('production'), Resource: '*' });
  const text = textOf(document((stack) => nativeCluster(stack), {}));
  expect((JSON.parse(text) as { Statement: unknown[] }).Statement[1]).toEqual({
    ...scale(/\$\{Cluster\w+\}/.exec(text)?.[0] ?? ''),
    Resource: ['*'],
  });
});

describe('the rules', () => {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  /** What the rules about controllers say of an app, as sentences. */
  function judged(region: string | undefined, make: (stack: Stack, cluster: eks.Cluster | eksv2.Cluster) => void) {
    const outdir = mkdtempSync(join(tmpdir(), 'eks-guardrails-controllers-'));
    folders.push(outdir);
    const app = new App({ outdir });
    const stack = new Stack(app, 'Test', region === undefined ? {} : { env: { region, account: '123456789012' } });
    const cluster = nativeCluster(stack, { kubectl: true });
    make(stack, cluster);
    app.synth();
    const { resources, diagnostics } = readPaths([outdir]);
    expect(diagnostics).toEqual([]);
    return runRules(new EksModel(resources), allRules, { preset: 'strict' })
      .filter(({ rule }) => /load-balancer|external-dns|irsa|pod-identity|arn-partition/.test(rule))
      .map(({ rule, verdict, message }) => `${verdict} ${rule}: ${message}`);
  }

  const withController =
    (version: string, chart: string, identity = POD_IDENTITY) =>
    (stack: Stack, cluster: eks.Cluster | eksv2.Cluster) => {
      const role = new LoadBalancerControllerRole(stack, 'Role', { cluster, version, identity });
      const release = cluster.addHelmChart('Controller', {
        chart: 'aws-load-balancer-controller',
        release: 'aws-load-balancer-controller',
        version: chart,
        namespace: role.namespace,
        values: role.helmValues,
      });
      release.node.addDependency(role);
    };

  it.each([
    ['2.4.7', '1.4.8', 'eu-west-1'],
    ['2.9.0', '1.9.0', 'cn-north-1'],
    ['2.13.4', '1.13.4', 'us-gov-west-1'],
    ['3.5.0', '3.5.0', 'us-iso-east-1'],
    ['3.5.0', '3.5.0', undefined],
  ])('have nothing to say of controller %s by chart %s in %s', (version, chart, region) => {
    expect(judged(region, withController(version, chart))).toEqual([]);
    expect(judged(region, withController(version, chart, IRSA))).toEqual([]);
  });

  it('tell when the chart is newer than the policy', () => {
    expect(judged('eu-west-1', withController('2.8.3', '1.13.4'))).toEqual([
      expect.stringMatching(/^fail load-balancer-controller-policy: .*DescribeListenerAttributes/),
    ]);
  });

  it.each([[undefined], ['cn-north-1']])('have nothing to say of ExternalDNS, by chart or add-on, in %s', (region) => {
    const props = (stack: Stack) => ({ hostedZones: [zoneIn(stack)], zoneTags: true });
    expect(
      judged(region, (stack, cluster) => {
        const role = new ExternalDnsRole(stack, 'Role', { cluster, ...props(stack) });
        cluster.addHelmChart('Dns', {
          chart: 'external-dns',
          release: 'external-dns',
          version: '1.21.1',
          namespace: role.namespace,
          values: { ...role.helmValues, policy: 'upsert-only' },
        });
      }),
    ).toEqual([]);
    expect(
      judged(region, (stack, cluster) => {
        const role = new ExternalDnsRole(stack, 'Role', { cluster, association: false, ...props(stack) });
        new eks.CfnAddon(stack, 'Dns', {
          clusterName: cluster.clusterName,
          addonName: 'external-dns',
          addonVersion: 'v0.20.0-eksbuild.1',
          preserveOnDelete: true,
          resolveConflicts: 'PRESERVE',
          ...role.addonSettings,
        });
      }),
    ).toEqual([]);
  });

  it.each([
    ['aws-eks', (stack: Stack) => customCluster(stack)],
    ['aws-eks-v2', (stack: Stack) => nativeCluster(stack)],
  ])('read the documents of all roles on a cluster of %s', (_, makeCluster) => {
    for (const [, make] of each) {
      for (const identity of [POD_IDENTITY, IRSA]) {
        const outdir = mkdtempSync(join(tmpdir(), 'eks-guardrails-controllers-'));
        folders.push(outdir);
        const app = new App({ outdir });
        const stack = new Stack(app, 'Test');
        make(stack, { cluster: makeCluster(stack), identity });
        app.synth();
        const { resources } = readPaths([outdir]);
        const role = resources.find((one) => one.kind === 'role' && one.path?.startsWith('Test/Role') === true);
        const policies = role?.kind === 'role' ? role.policies : [];
        expect(policies.length).toBeGreaterThan(0);
        expect(policies.map((one) => (one.kind === 'document' ? one.document.kind : one.arn.kind))).not.toContain(
          'absent',
        );
      }
    }
  });
});
