import { AutoscalingGroup } from '@cdktf/provider-aws/lib/autoscaling-group';
import type { EksClusterConfig } from '@cdktf/provider-aws/lib/eks-cluster';
import { IamRole } from '@cdktf/provider-aws/lib/iam-role';
import { IamRolePolicyAttachment } from '@cdktf/provider-aws/lib/iam-role-policy-attachment';
import { TerraformHclModule, type TerraformStack } from 'cdktf';
import {
  AmiFamily,
  ConstructionError,
  ManagedNodeGroup,
  VpcCniAddon,
  WindowsBootstrap,
  WindowsIpam,
  WindowsNodeAccess,
  WindowsNodeGroup,
  type WindowsNodeGroupProps,
} from '../../../constructs/cdktf';
import { AMI, decoded, elsewhere, subnets } from './node-groups';
import { newCluster, newStack, resourcesOf, type Arguments } from './stacks';

type Options = Omit<WindowsNodeGroupProps, 'cluster' | 'subnets'>;

const API = { accessConfig: { authenticationMode: 'API' } };
const ELSEWHERE: Options = { windowsIpam: WindowsIpam.MANAGED_ELSEWHERE, linuxNodesElsewhere: true };

function make(
  options: Options = ELSEWHERE,
  cluster: Partial<EksClusterConfig> = {},
  stack = newStack(),
): { stack: TerraformStack; group: WindowsNodeGroup } {
  return {
    stack,
    group: new WindowsNodeGroup(stack, 'Windows', { cluster: newCluster(stack, cluster), subnets, ...options }),
  };
}

const attachmentsOf = (stack: TerraformStack): [string, Arguments][] =>
  Object.entries(resourcesOf(stack, 'aws_iam_role_policy_attachment'));

function windowsGroup(stack: TerraformStack): Arguments {
  const found = Object.entries(resourcesOf(stack, 'aws_eks_node_group')).find(([name]) =>
    name.startsWith('Windows'),
  )?.[1];
  if (found === undefined) throw new Error('no group');
  return found;
}

describe('a group of Windows nodes', () => {
  it('is of Windows 2022 Core', () => {
    expect(windowsGroup(make().stack)['ami_type']).toBe('WINDOWS_CORE_2022_x86_64');
    expect(windowsGroup(make({ ...ELSEWHERE, amiType: 'WINDOWS_FULL_2019_x86_64' }).stack)['ami_type']).toBe(
      'WINDOWS_FULL_2019_x86_64',
    );
    expect(() => make({ ...ELSEWHERE, amiFamily: AmiFamily.AL2023 })).toThrow(
      "Test/Windows: amiFamily is AL2023, which isn't Windows; use ManagedNodeGroup",
    );
  });

  it("waits for the policy on the cluster's role, which two groups share", () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    for (const id of ['Windows', 'Windows2']) new WindowsNodeGroup(stack, id, { ...ELSEWHERE, cluster, subnets });
    const controllers = attachmentsOf(stack).filter(([, { policy_arn: arn }]) =>
      String(arn).endsWith('AmazonEKSVPCResourceController'),
    );
    expect(controllers.map(([, { role }]) => role)).toEqual(['${aws_iam_role.ClusterRole.name}']);
    expect(windowsGroup(stack)['depends_on']).toContain(`aws_iam_role_policy_attachment.${controllers[0]?.[0] ?? ''}`);
  });

  it('takes the policy that is there', () => {
    const stack = newStack();
    const role = new IamRole(stack, 'Role', { assumeRolePolicy: '{}' });
    new IamRolePolicyAttachment(stack, 'Mine', {
      role: role.name,
      policyArn: 'arn:aws:iam::aws:policy/AmazonEKSVPCResourceController',
    });
    new WindowsNodeGroup(stack, 'Windows', {
      ...ELSEWHERE,
      cluster: newCluster(stack, { roleArn: role.arn }),
      subnets,
    });
    expect(
      attachmentsOf(stack)
        .filter(([, { policy_arn: arn }]) => String(arn).endsWith('AmazonEKSVPCResourceController'))
        .map(([name]) => name),
    ).toEqual(['Mine']);
  });

  it("runs the user's scripts", () => {
    const { stack } = make({
      ...ELSEWHERE,
      windowsBootstrap: new WindowsBootstrap({ scripts: ['Write-Host "${env:USERNAME}"'] }),
    });
    expect(decoded(Object.values(resourcesOf(stack, 'aws_launch_template'))[0]?.['user_data'])).toContain(
      'Write-Host "${env:USERNAME}"',
    );
  });
});

describe('an own AMI', () => {
  const custom: Options = { ...ELSEWHERE, customAmi: AMI };

  it('is let in by an access entry, before its nodes start', () => {
    const { stack, group } = make(custom, API);
    const [[name, entry] = ['', {}]] = Object.entries(resourcesOf(stack, 'aws_eks_access_entry'));
    expect(entry).toMatchObject({
      cluster_name: '${aws_eks_cluster.Cluster.name}',
      type: 'EC2_WINDOWS',
      principal_arn: expect.stringMatching(/^\$\{aws_iam_role\.Windows_Role_\w+\.arn\}$/) as string,
    });
    expect(windowsGroup(stack)['depends_on']).toContain(`aws_eks_access_entry.${name}`);
    expect(group.accessEntry).toBeDefined();
  });

  it('shares the entry of a role', () => {
    const stack = newStack();
    const cluster = newCluster(stack, API);
    const groups = ['Windows', 'Windows2'].map(
      (id) =>
        new WindowsNodeGroup(stack, id, {
          ...custom,
          cluster,
          subnets,
          role: 'arn:aws:iam::111122223333:role/windows',
        }),
    );
    expect(Object.keys(resourcesOf(stack, 'aws_eks_access_entry'))).toHaveLength(1);
    expect(groups.map((group) => group.accessEntry === undefined)).toEqual([false, true]);
    for (const group of Object.values(resourcesOf(stack, 'aws_eks_node_group')))
      expect(group['depends_on']).toContainEqual(expect.stringMatching(/^aws_eks_access_entry/));
  });

  it.each<[Options, Partial<EksClusterConfig>]>([
    [custom, { accessConfig: { authenticationMode: 'API_AND_CONFIG_MAP' } }],
    [{ ...custom, nodeAccess: WindowsNodeAccess.ACCESS_ENTRY }, API],
  ])('gets an entry where there are some: %j', (options, cluster) => {
    expect(make(options, cluster).group.accessEntry).toBeDefined();
  });

  it('gets none where somebody else lets it in, and where EKS does', () => {
    expect(make({ ...custom, nodeAccess: WindowsNodeAccess.MANAGED_ELSEWHERE }, {}).group.accessEntry).toBeUndefined();
    expect(make(ELSEWHERE, API).group.accessEntry).toBeUndefined();
  });

  it.each<[string, Options, Partial<EksClusterConfig>, string]>([
    [
      'no access entries',
      custom,
      {},
      'authentication mode is CONFIG_MAP, which has no access entries; map the node role in aws-auth',
    ],
    [
      'an entry without access entries',
      { ...custom, nodeAccess: WindowsNodeAccess.ACCESS_ENTRY },
      {},
      "nodeAccess is ACCESS_ENTRY and the cluster's authentication mode is CONFIG_MAP",
    ],
    [
      'access without AMI',
      { ...ELSEWHERE, nodeAccess: WindowsNodeAccess.ACCESS_ENTRY },
      API,
      'nodeAccess is ACCESS_ENTRY without customAmi',
    ],
    ['IPv6', ELSEWHERE, { kubernetesNetworkConfig: { ipFamily: 'ipv6' } }, 'EKS has no Windows nodes in IPv6 clusters'],
  ])('is refused with %s', (_, options, cluster, message) => {
    expect(() => make(options, cluster)).toThrow(ConstructionError);
    expect(() => make(options, cluster)).toThrow(message);
  });

  it('asks who lets nodes into a cluster that is made elsewhere', () => {
    const make = (nodeAccess?: WindowsNodeAccess): WindowsNodeGroup =>
      new WindowsNodeGroup(newStack(), 'Windows', {
        cluster: elsewhere,
        subnets,
        ...custom,
        ...(nodeAccess === undefined ? {} : { nodeAccess }),
      });
    expect(() => make()).toThrow("nodeAccess isn't; EKS doesn't know that the AMI is Windows");
    expect(make(WindowsNodeAccess.ACCESS_ENTRY).accessEntry).toBeDefined();
    expect(make(WindowsNodeAccess.MANAGED_ELSEWHERE).accessEntry).toBeUndefined();
  });
});

describe('what the cluster lacks', () => {
  const linux = (stack: TerraformStack, options: object = {}): void => {
    new ManagedNodeGroup(stack, 'Linux', { cluster: newCluster(stack, {}, 'Other'), subnets, ...options });
  };

  it('addresses for Windows pods', () => {
    expect(() => windowsGroup(make({ linuxNodesElsewhere: true }).stack)).toThrow(
      'nothing switches on the management of addresses for Windows nodes',
    );
    const withAddon = (windowsIpam: boolean): TerraformStack => {
      const stack = newStack();
      const cluster = newCluster(stack);
      new WindowsNodeGroup(stack, 'Windows', { cluster, subnets, linuxNodesElsewhere: true });
      new VpcCniAddon(stack, 'Cni', { cluster, windowsIpam });
      return stack;
    };
    expect(windowsGroup(withAddon(true))['depends_on']).toContainEqual(expect.stringMatching(/^aws_eks_addon/));
    expect(() => windowsGroup(withAddon(false))).toThrow(
      "the vpc-cni add-on Test/Cni doesn't manage the addresses of Windows nodes",
    );
  });

  it('Linux nodes', () => {
    const withNodes = (add: (stack: TerraformStack) => void): TerraformStack => {
      const { stack } = make({ windowsIpam: WindowsIpam.MANAGED_ELSEWHERE });
      add(stack);
      return stack;
    };
    expect(() => windowsGroup(withNodes(() => undefined))).toThrow('the app has no Linux and no Fargate nodes');
    expect(() =>
      windowsGroup(
        withNodes((stack) => {
          linux(stack, { amiFamily: AmiFamily.WINDOWS_CORE_2022 });
        }),
      ),
    ).toThrow('the app has no Linux and no Fargate nodes');
    windowsGroup(withNodes(linux));
    windowsGroup(withNodes((stack) => new AutoscalingGroup(stack, 'Asg', { minSize: 1, maxSize: 1 })));
    windowsGroup(
      withNodes((stack) => new TerraformHclModule(stack, 'Karpenter', { source: 'terraform-aws-modules/eks/aws' })),
    );
    windowsGroup(make({ windowsIpam: WindowsIpam.MANAGED_ELSEWHERE }, { computeConfig: { enabled: true } }).stack);
  });

  it('a role of its own', () => {
    const role = 'arn:aws:iam::111122223333:role/nodes';
    const { stack } = make({ ...ELSEWHERE, role });
    linux(stack, { role });
    expect(() => windowsGroup(stack)).toThrow('role is that of the Linux node group Test/Linux/Resource too');
    const other = make({ ...ELSEWHERE, role }).stack;
    linux(other, { role: `${role}2` });
    windowsGroup(other);
  });
});
