import { gzipSync } from 'node:zlib';
import { AS_OF } from '../../as-of';
import { EksModel } from '../../../lib/eks';
import { runRules, type Finding } from '../../../lib/engine';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import { inJson, obeyed } from '../../rules/obeyed/template';
import { checkFiles } from '../../front-ends/kubernetes/manifests';
import { outcomeOf } from './outcome';
import { checkedHcl } from './terraform-findings';

/* A value that stands elsewhere than where it is used is changed where it stands, and the finding names that place. */

const CLUSTER = (version: string): string =>
  `resource "aws_eks_cluster" "main" {\nname = "main"\nversion = ${version}\nrole_arn = "r"\nvpc_config {\nsubnet_ids = ["a"]\n}\n}\n`;

const GROUP = (force: string): string =>
  `resource "aws_eks_node_group" "w" {\nfor_each = var.groups\ncluster_name = "main"\nnode_role_arn = "r"\nsubnet_ids = ["a"]\nami_type = "BOTTLEROCKET_x86_64"\nforce_update_version = ${force}\nscaling_config {\nmin_size = 1\nmax_size = 2\ndesired_size = 1\n}\n}\n`;

describe('in Terraform, a value that', () => {
  it.each([
    [
      'is the default of a variable',
      'variable "v" {\n  default = "1.27"\n}\n',
      CLUSTER('var.v'),
      'main.tf:2',
      'default',
    ],
    ['is a local value', 'locals {\n  v = "1.27"\n}\n', CLUSTER('local.v'), 'main.tf:2', 'v'],
    [
      'is the default of a variable behind a local value',
      'variable "v" {\n  default = "1.27"\n}\nlocals {\n  here = var.v\n}\n',
      CLUSTER('local.here'),
      'main.tf:2',
      'default',
    ],
    [
      'is an entry of a map in a default',
      'variable "groups" {\n  default = {\n    a = {\n      force = true\n    }\n  }\n}\n',
      GROUP('each.value.force'),
      'main.tf:4',
      'force',
    ],
  ])('%s is changed there', (_, before, resource, place, name) => {
    const text = before + resource;
    const [finding] = findingsOf(text);
    expect(finding?.fixCode?.split('\n')[0]).toMatch(new RegExp(`^# ${place}, `));
    expect(finding?.fixCode?.split('\n').find((line) => !line.startsWith('#'))).toMatch(new RegExp(`^${name} = `));
    expect(finding?.fix).toContain(`The value stands in ${place}, `);
    expect(finding?.related.map(({ source }) => placeOf(source.locate()))).toContain(place);
    expect(finding === undefined ? undefined : outcomeOf(text, finding)).toBe('works');
  });

  it.each([
    ['is worked out', 'variable "v" {\n  default = "1"\n}\n', CLUSTER('"${var.v}.27"')],
    ['is made of another text', 'variable "v" {\n  default = "V1.27"\n}\n', CLUSTER('trimprefix(lower(var.v), "v")')],
    ['is one of several settings', '', CLUSTER('"1.27"')],
  ])('%s is changed where it is used', (_, before, resource) => {
    const [finding] = findingsOf(before + resource);
    expect(finding?.fixCode).toMatch(/^version = /);
    expect(finding?.fix).not.toContain('The value stands');
  });
});

describe('what several groups of a module have', () => {
  const module = (force: string): string =>
    `variable "groups" {\n  type = any\n}\nmodule "group" {\n  source   = "../group"\n  for_each = { for k, v in var.groups : k => v if true }\n  force    = ${force}\n}\n`;
  const GROUPS =
    'module "groups" {\n  source = "./groups"\n  groups = {\n    a = {\n      force = true\n    }\n    b = {}\n  }\n}\n';
  const folder = `variable "force" {\n  type    = bool\n  default = null\n}\n${GROUP('var.force').replace('for_each = var.groups\n', '')}`;

  it.each(['try(each.value.force, null)', 'lookup(each.value, "force", null)', 'var.groups[each.key].force'])(
    'is changed in the map of the caller, where one of them gets it by %s',
    (force) => {
      const { result } = checkFiles({ 'main.tf': GROUPS, 'groups/main.tf': module(force), 'group/main.tf': folder }, [
        'main.tf',
      ]);
      const found = result.findings.filter(
        ({ rule, verdict }) => rule === 'node-group-force-update' && verdict === 'fail',
      );
      expect(found.map(({ fixCode }) => fixCode)).toEqual([
        '# main.tf:5, argument groups of module.groups:\nforce = false',
      ]);
    },
  );
});

describe('a group that another takes the place of', () => {
  const template = 'resource "aws_launch_template" "w" {\n  name = "w"\n}\n';
  const group = (more: string): string =>
    `variable "type" {\n  default = "AL2_x86_64"\n}\n${template}${GROUP('false')
      .replace('for_each = var.groups\n', '')
      .replace(
        'ami_type = "BOTTLEROCKET_x86_64"',
        `ami_type = var.type\nlaunch_template {\nid = aws_launch_template.w.id\nversion = aws_launch_template.w.latest_version\n}\n${more}`,
      )}`;
  const advised = (text: string): Finding => {
    const [finding] = checkedHcl(text).findings.filter(({ rule }) => rule === 'ami-type-kubernetes-version');
    if (finding === undefined) throw new Error('there is no finding');
    return finding;
  };

  it('has its type where that is decided, and what else changes with it where it goes', () => {
    const text = group('');
    expect(advised(text).fixCode).toMatch(
      /^# in aws_launch_template\.w:\nmetadata_options \{[\s\S]*\}\n# main\.tf:2, default of variable type:\ndefault = "AL2023_x86_64_STANDARD"$/,
    );
    expect(outcomeOf(text, advised(text))).toBe('works');
  });

  it.each([
    ['"w"', '"w-2"'],
    ['"${var.type}-w"', '"${var.type}-w-2"'],
    ['var.type', '"${var.type}-2"'],
  ])('gets another name than %s where it is made before that one goes', (name, anew) => {
    const text = group(`node_group_name = ${name}\nlifecycle {\ncreate_before_destroy = true\n}`);
    expect(advised(text).fixCode).toContain(`node_group_name = ${anew} #`);
    expect(outcomeOf(text, advised(text))).toBe('works');
    expect(advised(text.replace('_destroy = true', '_destroy = false')).fixCode).not.toContain('node_group_name');
    expect(advised(text.replace('node_group_name =', 'node_group_name_prefix =')).fixCode).not.toContain(
      'node_group_name',
    );
  });
});

function findingsOf(text: string): readonly Finding[] {
  return checkedHcl(text).findings.filter(({ rule }) =>
    ['cluster-version-support', 'node-group-force-update'].includes(rule),
  );
}

function placeOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`;
}

it('a size that a longer expression gives moves as that', () => {
  const text = `variable "own" {\n  default = false\n}\nvariable "size" {\n  default = 30\n}\n${GROUP('false')
    .replace('for_each = var.groups\n', 'disk_size = var.own ? null : var.size # GiB\n')
    .replace('BOTTLEROCKET_x86_64', 'AL2023_x86_64_STANDARD')}`;
  const [finding] = checkedHcl(text).findings.filter(({ rule }) => rule === 'imds-hop-limit');
  expect(finding?.fixCode).toContain('volume_size = var.own ? null : var.size\n');
  expect(finding && outcomeOf(text, finding)).toBe('works');
});

it('a line of a template has what the template calls its values', () => {
  const { result } = checkFiles(
    {
      'main.tf': `${CLUSTER('"1.32"')}module "nodes" {\n  source = "./nodes"\n  endpoint = aws_eks_cluster.main.endpoint\n}\n`,
      'nodes/main.tf':
        'variable "endpoint" {\n  type = string\n}\nresource "aws_launch_template" "n" {\n  image_id = "ami-0123456789abcdef0"\n  user_data = base64encode(templatefile("${path.module}/user.sh", { server = var.endpoint }))\n}\nresource "aws_autoscaling_group" "n" {\n  max_size = 1\n  min_size = 1\n  launch_template {\n    id = aws_launch_template.n.id\n  }\n  tag {\n    key = "kubernetes.io/cluster/main"\n    value = "owned"\n    propagate_at_launch = true\n  }\n}\n',
      'nodes/user.sh':
        "#!/bin/bash\nset -e\n/etc/eks/bootstrap.sh main --apiserver-endpoint '${server}' --b64-cluster-ca Q0E= --kubelet-extra-args '--max-pods=20'\necho done\n",
    },
    ['main.tf'],
  );
  const [finding] = result.findings.filter(({ rule }) => rule === 'bootstrap-script-arguments');
  expect(finding?.fixCode).toContain(
    "in place of line 3 of nodes/user.sh:\n/etc/eks/bootstrap.sh main --apiserver-endpoint '${server}' ",
  );
});

describe('what a loop gives', () => {
  it('is not written into a resource outside of the loop, so words alone tell of it', () => {
    const text =
      'variable "groups" {\n  default = {\n    a = { key = "ops" }\n  }\n}\n' +
      GROUP('false')
        .replace('BOTTLEROCKET_x86_64', 'AL2023_x86_64_STANDARD')
        .replace(
          'scaling_config',
          'dynamic "remote_access" {\nfor_each = [each.value.key]\ncontent {\nec2_ssh_key = remote_access.value\n}\n}\nscaling_config',
        );
    const [finding] = checkedHcl(text).findings.filter(({ rule }) => rule === 'imds-hop-limit');
    expect(finding?.fix).toContain('its SSH key `ops`');
    expect(finding?.fixCode).toBeUndefined();
  });
});

describe('in CloudFormation, the default of a parameter', () => {
  const template = (more: string): string =>
    `Parameters:\n  Version:\n    Type: String\n    Default: '1.27'\n${more}Resources:\n  Cluster:\n    Type: AWS::EKS::Cluster\n    Properties:\n      RoleArn: r\n      Version: !Ref Version\n      ResourcesVpcConfig: { SubnetIds: [a] }\n`;
  const check = (text: string, file = 'main.yaml'): readonly Finding[] =>
    runRules(new EksModel(readTemplates([{ file, text }]).resources), allRules, { asOf: AS_OF }).filter(
      ({ rule, verdict }) => rule === 'cluster-version-support' && verdict === 'fail',
    );

  it('is changed there', () => {
    const [finding] = check(template(''));
    expect(finding?.fixCode?.split('\n')[0]).toBe('# in parameter Version, main.yaml:4:');
    if (finding === undefined) throw new Error('there is no finding');
    const after = obeyed(template(''), finding, 'YAML');
    if (typeof after !== 'string') throw new Error(after.problem);
    expect(after).toContain("Default: '1.36'");
    expect(check(after)).toEqual([]);
  });

  it('is changed with what the parameter allows, in YAML and JSON', () => {
    for (const language of ['YAML', 'JSON'] as const) {
      const yaml = template("    AllowedValues: ['1.26', '1.27']\n");
      const [text, file] = language === 'YAML' ? [yaml, 'main.yaml'] : [inJson(yaml), 'main.json'];
      const [finding] = check(text, file);
      expect(finding?.fixCode).toMatch(
        /^[#I].*n parameter Version, .*\n.*\n"?AllowedValues"?: \["1\.26", "1\.27", "1\.36"\]/,
      );
      if (finding === undefined) throw new Error('there is no finding');
      const after = obeyed(text, finding, language);
      if (typeof after !== 'string') throw new Error(after.problem);
      expect(check(after, file)).toEqual([]);
    }
  });

  it('stays where it allows more values than anybody lists', () => {
    const many = Array.from({ length: 40 }, (_, index) => `'1.${index}'`).filter((one) => one !== "'1.36'");
    const [finding] = check(template(`    AllowedValues: [${many.join(', ')}]\n`));
    expect(finding?.fixCode).toMatch(/^Version: '1\.36'/);
  });
});

describe('an app of the CDK in', () => {
  /** What the CDK reports of an app, by what runs it. */
  const report = (agent: string): string =>
    `v2:deflate64:${gzipSync(`2.276.0!aws-cdk-lib.{Stack,aws_eks.CfnAddon},${agent}!jsii-runtime.Runtime`).toString('base64')}`;
  const codes = (analytics: string): readonly (string | undefined)[] =>
    runRules(
      new EksModel(
        readTemplates([
          {
            file: 'Stack.template.json',
            content: {
              Resources: {
                Cni: {
                  Type: 'AWS::EKS::Addon',
                  Properties: { AddonName: 'vpc-cni', ClusterName: 'c', ResolveConflicts: 'OVERWRITE' },
                  Metadata: { 'aws:cdk:path': 'Stack/Cni' },
                },
                CDKMetadata: {
                  Type: 'AWS::CDK::Metadata',
                  Properties: { Analytics: analytics },
                  Metadata: { 'aws:cdk:path': 'Stack/CDKMetadata/Default' },
                },
              },
            },
          },
        ]).resources,
      ),
      allRules,
      { asOf: AS_OF },
    )
      .filter(({ rule }) => rule === 'vpc-cni-resolve-conflicts')
      .map(({ fixCode }) => fixCode?.split('\n')[0]);

  it.each(['Python/3.11.2', 'Java/21', 'DotNet/8.0.1', 'Go/1.22'])('%s gets words, not TypeScript', (agent) => {
    expect(codes(report(agent))).toEqual([undefined]);
  });

  it.each([report('node.js/v22.1.0'), 'v2:deflate64:bm9uZQ==', 'v1:none'])(
    'TypeScript, or what is not known, gets code: %#',
    (analytics) => {
      expect(codes(analytics)).toEqual(['// in the properties of the CfnAddon:']);
    },
  );
});
