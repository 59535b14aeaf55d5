import { gzipSync } from 'node:zlib';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { hclFile } from '../../../lib/terraform/module/hcl-file';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { launchTemplateUserDataEncoding } from '../../../lib/rules/launch-template/launch-template-user-data-encoding';
import { block, CLUSTER, launchTemplate, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule } from '../rule-tester';
import { instancesOf } from '../terraform/front-ends';

const IMDS = 'MetadataOptions: { HttpTokens: required, HttpPutResponseHopLimit: 2 }';
const PRODUCTION =
  'Parameters:\n  Stage: { Type: String }\nConditions:\n  IsProduction: !Equals [!Ref Stage, production]';

/** A MIME document with one shell script, which holds the given text as a comment. */
function mime(comment: string): string {
  return [
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="//"',
    '',
    '--//',
    'Content-Type: text/x-shellscript; charset="us-ascii"',
    '',
    '#!/bin/bash',
    `# ${comment}`,
    '--//--',
    '',
  ].join('\n');
}

const OVERHEAD = Buffer.byteLength(mime(''));
const SMALL = mime('small');
const AS_LARGE_AS_ALLOWED = mime('x'.repeat(16384 - OVERHEAD));
const TOO_LARGE = mime('x'.repeat(16385 - OVERHEAD));

/** Text that hardly compresses. */
function noise(length: number): string {
  let state = 42;
  let text = '';
  while (text.length < length) {
    state = (state * 1103515245 + 12345) % 2147483648;
    text += state.toString(36);
  }
  return text.slice(0, length);
}

function base64(text: string | Uint8Array): string {
  return Buffer.from(text).toString('base64');
}

function managed(userData: string): string {
  return resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMDS, `UserData: ${userData}`));
}

/** By the engine. */
function encoded(text: string): string {
  return `{ 'Fn::Base64': ${JSON.stringify(text)} }`;
}

/** By the engine, with parts between that are decided at deployment. */
function composed(...parts: readonly string[]): string {
  return `{ 'Fn::Base64': { 'Fn::Join': ['', [${parts.map((part) => JSON.stringify(part)).join(', !GetAtt Cluster.Endpoint, ')}]] } }`;
}

const TAGS = 'Tags: [{ Key: kubernetes.io/cluster/main, Value: owned, PropagateAtLaunch: true }]';

function selfManaged(launch: string, template: string): string {
  return resources(
    CLUSTER,
    block('Group', 'AWS::AutoScaling::AutoScalingGroup', ["MinSize: '1'", "MaxSize: '2'", launch, TAGS]),
    template,
  );
}

testRule(launchTemplateUserDataEncoding, {
  valid: [
    { name: 'exactly 16384 bytes', template: managed(encoded(AS_LARGE_AS_ALLOWED)) },
    { name: '16384 bytes encoded by the user, whose base64 is longer', template: managed(base64(AS_LARGE_AS_ALLOWED)) },
    { name: 'gzip that is small only as compressed', template: managed(base64(gzipSync(mime('x'.repeat(50000))))) },
    { name: 'base64 in several lines', template: managed(`"${base64(SMALL).replaceAll(/.{60}/g, '$&\\n')}"`) },
    {
      name: 'a long script with parts that are decided at deployment',
      template: managed(composed(mime('x'.repeat(10000)), 'b', 'c')),
    },
    {
      name: 'base64 within a script is no second encoding',
      template: managed(encoded(mime(base64('a certificate of a cluster')))),
    },
    { name: 'a word of base64 characters is no encoding', template: managed(encoded('rebootrebootrebo')) },
    { name: 'no user data', template: resources(CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMDS)) },
    {
      name: 'a parameter of at most 4 KB, encoded by the engine',
      template: template(
        'Parameters:\n  Script: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMDS, 'UserData: { "Fn::Base64": !Ref Script }'),
      ),
    },
  ],
  invalid: [
    {
      name: 'a script as it is',
      template: managed('"#!/bin/bash\\nyum install -y agent\\n"'),
      findings: [
        {
          message: 'notEncoded',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData',
          related: ['LaunchTemplate:'],
          says: ['Launch template "Nodes" of node group "Workers"', '`#!/bin/bash`', 'Invalid BASE64'],
        },
      ],
      fixed: managed(encoded(SMALL)),
    },
    {
      name: 'a script with references, substituted and not encoded',
      template: managed('!Sub "#!/bin/bash\\necho ${Cluster}\\n"'),
      findings: [
        { message: 'notEncoded', severity: 'error', resource: 'Nodes', at: 'UserData', says: ['`#!/bin/bash`'] },
      ],
      fixed: managed(encoded(SMALL)),
    },
    {
      name: 'URL-safe base64',
      template: managed("'aGVsbG8-d29ybGQ_'"),
      findings: [{ message: 'notEncoded', severity: 'error', resource: 'Nodes', at: 'UserData' }],
    },
    {
      name: 'one byte too many',
      template: managed(encoded(TOO_LARGE)),
      findings: [
        {
          message: 'tooLarge',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData',
          related: ['LaunchTemplate:'],
          says: ['16385 bytes', '16384'],
          omits: ['compressed'],
        },
      ],
      fixed: managed(encoded(SMALL)),
    },
    {
      name: 'one byte too many, encoded by the user',
      template: managed(base64(TOO_LARGE)),
      findings: [{ message: 'tooLarge', severity: 'error', resource: 'Nodes', at: 'UserData', says: ['16385 bytes'] }],
    },
    {
      name: 'characters of several bytes count as such',
      template: managed(encoded(mime('€'.repeat(5462)))),
      findings: [
        {
          message: 'tooLarge',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData',
          says: [`${OVERHEAD + 3 * 5462} bytes`],
        },
      ],
    },
    {
      name: 'gzip that is too large even so',
      also: ['node-user-data-format'],
      template: managed(base64(gzipSync(mime(noise(40000))))),
      findings: [{ message: 'tooLarge', severity: 'error', resource: 'Nodes', at: 'UserData', says: ['compressed'] }],
    },
    {
      name: 'known parts that are too large alone',
      template: managed(composed(mime('x'.repeat(17000)), '')),
      findings: [
        {
          message: 'tooLarge',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData',
          says: [`${OVERHEAD + 17000} bytes, without what is decided at deployment`],
        },
      ],
    },
    {
      name: 'base64 of base64 is a warning',
      template: managed(base64(base64(SMALL))),
      findings: [
        {
          message: 'doubled',
          severity: 'warning',
          resource: 'Nodes',
          at: 'UserData',
          related: ['LaunchTemplate:'],
          says: ['twice'],
        },
      ],
      fixed: managed(base64(SMALL)),
    },
    {
      name: 'base64 that the engine encodes again is a warning',
      template: managed(encoded(base64(SMALL))),
      findings: [{ message: 'doubled', severity: 'warning', resource: 'Nodes', at: 'UserData' }],
      fixed: managed(encoded(SMALL)),
    },
    {
      name: 'what a self-managed group uses',
      template: selfManaged(
        "LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: '1' }",
        launchTemplate(IMDS, 'UserData: "#!/bin/bash\\n/etc/eks/bootstrap.sh main\\n"'),
      ),
      findings: [
        {
          message: 'notEncoded',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData',
          says: ['Launch template "Nodes" of node group "Group"'],
        },
      ],
    },
    {
      name: 'a launch configuration',
      template: selfManaged(
        'LaunchConfigurationName: !Ref Config',
        block('Config', 'AWS::AutoScaling::LaunchConfiguration', [
          'ImageId: ami-0123456789abcdef0',
          'InstanceType: m7i.large',
          'UserData: "#!/bin/bash\\n/etc/eks/bootstrap.sh main\\n"',
        ]),
      ),
      findings: [
        {
          message: 'notEncoded',
          severity: 'error',
          resource: 'Config',
          at: 'UserData',
          related: ['LaunchConfigurationName: !Ref Config'],
          says: ['Launch configuration "Config"'],
        },
      ],
    },
    {
      name: 'one branch of a condition is named',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMDS, `UserData: !If [IsProduction, "#!/bin/bash\\n", ${encoded(SMALL)}]`),
      ),
      findings: [
        {
          message: 'notEncoded',
          severity: 'error',
          resource: 'Nodes',
          at: 'UserData',
          says: ['This happens when condition IsProduction is true'],
        },
      ],
    },
    {
      name: 'a condition on the AMI does not matter',
      template: template(
        PRODUCTION,
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(
          IMDS,
          'ImageId: !If [IsProduction, ami-0123456789abcdef0, !Ref AWS::NoValue]',
          'UserData: "#!/bin/bash\\n"',
        ),
      ),
      findings: [
        { message: 'notEncoded', severity: 'error', resource: 'Nodes', at: 'UserData', omits: ['This happens'] },
      ],
    },
  ],
  unverifiable: [
    {
      name: 'a parameter that may be base64',
      template: template(
        'Parameters:\n  Data: { Type: String }',
        CLUSTER,
        nodeGroup(USES_NODES),
        launchTemplate(IMDS, 'UserData: !Ref Data'),
      ),
      resources: ['Nodes'],
      because: 'Data',
    },
    {
      name: 'a large text whose rest may be too much',
      template: managed(composed(mime('x'.repeat(14000)), '')),
      resources: ['Nodes'],
      because: `${OVERHEAD + 14000} bytes`,
    },
    {
      name: 'base64 without its padding',
      template: managed(base64('a script of some length').replaceAll('=', '')),
      resources: ['Nodes'],
      because: 'padding',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup('LaunchTemplate: { Id: lt-0abc }')),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    { name: 'a group without launch template', template: resources(CLUSTER, nodeGroup()) },
    {
      name: 'a template that no node group uses',
      template: resources(CLUSTER, launchTemplate('UserData: "#!/bin/bash\\n"')),
    },
    {
      name: 'a template of an Auto Scaling group that is no node group',
      template: resources(
        CLUSTER,
        launchTemplate('UserData: "#!/bin/bash\\n"'),
        block('Group', 'AWS::AutoScaling::AutoScalingGroup', [
          "MinSize: '1'",
          "MaxSize: '2'",
          "LaunchTemplate: { LaunchTemplateId: !Ref Nodes, Version: '1' }",
        ]),
      ),
    },
  ],
});

describe('launch-template-user-data-encoding and expressions of Terraform', () => {
  it.each(['lookup(var.texts, "nodes-${var.stage}")', '"${var.texts["a}"]}"'])('says nothing of %s', (expression) => {
    const hcl = [
      'variable "texts" {}\nvariable "stage" {}',
      `resource "aws_launch_template" "nodes" {\n  user_data = ${expression}\n}`,
      'resource "aws_eks_node_group" "workers" {\n  cluster_name = "main"\n  launch_template {\n    id = aws_launch_template.nodes.id\n    version = "1"\n  }\n}',
    ];
    const judged = runRules(new EksModel(readInstances(instancesOf(hclFile(hcl.join('\n'), 'main.tf')))), [
      launchTemplateUserDataEncoding,
    ]);
    expect(judged.map(({ verdict }) => verdict)).toEqual(['unverifiable']);
  });
});
