import { runRules } from '../../../../lib/engine';
import { EksModel } from '../../../../lib/eks';
import { userDataAmiFamily } from '../../../../lib/rules/node-bootstrap/user-data-ami-family';
import { readInstances } from '../../../../lib/front-ends/terraform/resources';
import { unknown, type Written } from '../../../terraform/instances';
import { attribute, doubts, expand, findings, type Given } from './calls';

const TEMPLATE = 'module.eks.module.eks_managed_node_group["workers"].aws_launch_template.this[0]';
const SIZES = {
  instance_types: ['m6i.large'],
  metadata_options: { http_put_response_hop_limit: 2, http_tokens: 'required' },
};
const IMAGE = 'ami-0123456789abcdef0';

function v20(workers: Given) {
  return expand(
    {
      cluster_name: 'main',
      cluster_version: '1.33',
      cluster_service_ipv4_cidr: '10.100.0.0/16',
      eks_managed_node_groups: { workers: { ...SIZES, ...workers } },
    },
    { version: '20.37.2', region: 'eu-central-1' },
  );
}

function v21(workers: Given) {
  return expand(
    {
      name: 'main',
      kubernetes_version: '1.33',
      service_ipv4_cidr: '10.100.0.0/16',
      eks_managed_node_groups: { workers: { ...SIZES, ...workers } },
    },
    { region: 'eu-central-1' },
  );
}

/** The user data that a node gets, with `${…}` for what isn't known; its text shows that as digits. */
function userData(module: ReturnType<typeof v20>): string {
  const template = readInstances(module.instances).find(({ id }) => id === TEMPLATE);
  if (template?.kind !== 'launch-template') throw new Error('no launch template');
  const { userData: value } = template;
  return value.kind === 'known' ? value.value.text.show() : value.kind;
}

const rules = (module: ReturnType<typeof v20>) =>
  findings([module]).filter((line) => !/^(?:vpc-cni|cluster-network-addons)/.test(line));

describe('user data', () => {
  test('without options there is none', () => {
    for (const module of [
      v20({}),
      v21({}),
      v21({ ami_type: 'BOTTLEROCKET_x86_64' }),
      v20({ ami_type: 'WINDOWS_CORE_2022_x86_64' }),
    ])
      expect(userData(module)).toBe('absent');
  });

  test('a part for AL2 is wrapped up for EKS to add its own', () => {
    const text = userData(v20({ pre_bootstrap_user_data: '#!/bin/bash\necho ready\n' }));
    expect(text).toContain('Content-Type: multipart/mixed; boundary="//"');
    expect(text).toContain('Content-Type: text/x-shellscript');
    expect(text).toContain('echo ready');
    expect(rules(v20({ pre_bootstrap_user_data: '#!/bin/bash\necho ready\n' }))).toEqual([]);
  });

  test('an image of its own with nodeadm gets a whole NodeConfig', () => {
    for (const module of [
      v21({ ami_id: IMAGE, enable_bootstrap_user_data: true }),
      v20({ ami_id: IMAGE, enable_bootstrap_user_data: true, ami_type: 'AL2023_x86_64_STANDARD' }),
    ]) {
      const text = userData(module);
      expect(text).toContain('kind: NodeConfig');
      expect(text).toContain('name: main');
      expect(text).toContain('cidr: 10.100.0.0/16');
      expect(rules(module).filter((line) => line.includes(' fail '))).toEqual([]);
    }
  });

  test('without the switch an image of its own joins no cluster', () => {
    const missing = (workers: Given) => rules(v21(workers)).filter((line) => line.startsWith('node-user-data-missing'));
    // Of which family the image is, its id doesn't say.
    expect(missing({ ami_id: IMAGE })).toEqual(['node-user-data-missing-bootstrap unverifiable info']);
    expect(missing({ ami_id: IMAGE, enable_bootstrap_user_data: true })).toEqual([]);
  });

  test('parts of the call are judged at their place', () => {
    const parts = [
      {
        content_type: 'application/node.eks.aws',
        content: 'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  kublet:\n    config: {}\n',
      },
    ];
    expect(rules(v21({ cloudinit_pre_nodeadm: parts }))).toContain('node-config-unknown-field fail warning');
    const fine = [
      {
        content_type: 'application/node.eks.aws',
        content:
          'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  kubelet:\n    config:\n      shutdownGracePeriod: 30s\n',
      },
    ];
    expect(rules(v21({ cloudinit_pre_nodeadm: fine }))).toEqual([]);
    expect(userData(v21({ cloudinit_pre_nodeadm: fine, ami_id: IMAGE, enable_bootstrap_user_data: true }))).toContain(
      'shutdownGracePeriod',
    );
  });

  test('settings for Bottlerocket', () => {
    const settings = {
      ami_type: 'BOTTLEROCKET_x86_64',
      bootstrap_extra_args: '[settings.host-containers.admin]\nenabled = false\n',
    };
    expect(userData(v21(settings))).toBe(settings.bootstrap_extra_args);
    expect(rules(v21(settings))).toEqual([]);
    const own = v21({ ...settings, ami_id: IMAGE, enable_bootstrap_user_data: true });
    expect(userData(own)).toContain('"cluster-name" = "main"');
    expect(rules(own).filter((line) => line.includes(' fail '))).toEqual([]);
  });

  test('bootstrap.sh and Windows', () => {
    expect(
      userData(
        v20({
          ami_id: IMAGE,
          enable_bootstrap_user_data: true,
          bootstrap_extra_args: "--kubelet-extra-args '--max-pods=110'",
        }),
      ),
    ).toContain("/etc/eks/bootstrap.sh main --kubelet-extra-args '--max-pods=110'");
    const windows = v20({
      ami_type: 'WINDOWS_CORE_2022_x86_64',
      ami_id: IMAGE,
      enable_bootstrap_user_data: true,
      pre_bootstrap_user_data: 'Write-Host ready',
    });
    expect(userData(windows)).toMatch(
      /^<powershell>\nWrite-Host ready\n[\s\S]*-EKSClusterName main [\s\S]*<\/powershell>\n$/,
    );
  });

  test('the range of the services for bootstrap.sh', () => {
    const own = { ami_type: 'AL2_x86_64', ami_id: IMAGE, enable_bootstrap_user_data: true };
    const group = (version: string, more: Given = {}) =>
      expand(
        {
          cluster_name: 'main',
          cluster_version: '1.32',
          cluster_service_ipv4_cidr: '10.127.0.0/16',
          eks_managed_node_groups: { workers: { ...SIZES, ...own } },
          ...more,
        },
        { version, region: 'eu-central-1' },
      );
    const said = (module: ReturnType<typeof group>) =>
      rules(module).filter((line) => line.startsWith('bootstrap-script'));
    expect(userData(group('20.8.3'))).toMatch(/ --ip-family ipv4 --service-ipv4-cidr 10\.127\.0\.0\/16\n/);
    expect(userData(group('20.8.2'))).toMatch(
      /\nexport SERVICE_IPV4_CIDR=10\.127\.0\.0\/16\n\/etc\/eks\/bootstrap\.sh /,
    );
    const ipv6 = group('20.37.2', { cluster_ip_family: 'ipv6', cluster_service_ipv4_cidr: null });
    expect(userData(ipv6)).toContain(' --ip-family ipv6 --service-ipv6-cidr ');
    const either = group('20.37.2', { cluster_ip_family: unknown('family') });
    for (const module of [group('20.37.2'), group('20.8.2'), group('19.21.0'), group('~> 20.0'), ipv6, either])
      expect(said(module).filter((line) => line.includes(' fail '))).toEqual([]);
  });

  test('what is not known stays so', () => {
    expect(userData(v20({ pre_bootstrap_user_data: unknown('script') }))).toContain('script');
    expect(attribute(v21({ ami_type: unknown('type'), pre_bootstrap_user_data: 'x' }), TEMPLATE, 'user_data')).toBe(
      '? type has no default',
    );
    expect(attribute(v21({ enable_bootstrap_user_data: unknown('switch') }), TEMPLATE, 'user_data')).toBe(
      '? switch has no default',
    );
    expect(attribute(v21({ user_data_template_path: './mine.tpl' }), TEMPLATE, 'user_data')).toBe(
      '? a template of your own makes it',
    );
    expect(attribute(v20({ ami_type: unknown('type') }), TEMPLATE, 'user_data')).toBe('absent');
  });
});

describe('options that the module drops', () => {
  const doubt = (workers: Given, module = v21(workers)): readonly string[] => doubts(module);
  const PLACE = 'in eks_managed_node_groups.workers';

  test.each<[Given, string]>([
    [
      { pre_bootstrap_user_data: '#!/bin/bash' },
      `terraform-aws-modules/eks/aws 21 ignores \`pre_bootstrap_user_data\` ${PLACE} for AL2023 nodes; AL2023 takes a NodeConfig, in \`cloudinit_pre_nodeadm\``,
    ],
    [
      { bootstrap_extra_args: '--x' },
      `terraform-aws-modules/eks/aws 21 ignores \`bootstrap_extra_args\` ${PLACE} for AL2023 nodes; AL2023 takes a NodeConfig, in \`cloudinit_pre_nodeadm\``,
    ],
    [
      { cloudinit_post_nodeadm: [{ content: 'x' }] },
      `terraform-aws-modules/eks/aws 21 ignores \`cloudinit_post_nodeadm\` ${PLACE} without \`enable_bootstrap_user_data\``,
    ],
    [
      { ami_type: 'BOTTLEROCKET_x86_64', pre_bootstrap_user_data: 'x' },
      `terraform-aws-modules/eks/aws 21 ignores \`pre_bootstrap_user_data\` ${PLACE} for Bottlerocket nodes`,
    ],
    [
      { ami_type: 'AL2_x86_64', bootstrap_extra_args: '--x' },
      `terraform-aws-modules/eks/aws 21 ignores \`bootstrap_extra_args\` ${PLACE} without \`enable_bootstrap_user_data\``,
    ],
  ])('%j', (workers, message) => {
    expect(doubt(workers)).toEqual([message]);
  });

  test('empty ones, and those of the defaults for all groups, say nothing', () => {
    expect(doubt({ pre_bootstrap_user_data: '', cloudinit_post_nodeadm: [] })).toEqual([]);
    const defaults: Written = { pre_bootstrap_user_data: '#!/bin/bash' };
    const module = expand(
      {
        cluster_name: 'main',
        eks_managed_node_group_defaults: defaults,
        eks_managed_node_groups: { workers: { ami_type: 'BOTTLEROCKET_x86_64' } },
      },
      { version: '20.37.2' },
    );
    expect(doubts(module)).toEqual([]);
  });
});

test('an AMI of AL2 whose type the call does not name is to be told by the type, since the module writes the user data', () => {
  const workers = {
    ami_id: 'resolve:ssm:/aws/service/eks/optimized-ami/1.29/amazon-linux-2/recommended/image_id',
    enable_bootstrap_user_data: true,
  };
  const fixes = (given: Given) =>
    runRules(new EksModel(readInstances(v21(given).instances)), [userDataAmiFamily]).map(({ messageId, fix }) => [
      messageId,
      fix,
    ]);
  expect(fixes(workers)).toEqual([
    ['al2', expect.stringMatching(/because AL2 gets no new ones\. A module .* `ami_type`: .* `AL2_x86_64`\.$/)],
  ]);
  expect(fixes({ ...workers, ami_type: 'AL2_x86_64' })).toEqual([]);
});
