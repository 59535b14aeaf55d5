// What npm run fuzz begins with, and how it breaks it.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { generateTemplate } from '../bench/generate-template.mjs';
import { root } from './install.mjs';
import { requireTestModule } from './test-modules.mjs';

const yaml = createRequire(import.meta.url)('yaml');

/** The whole inputs, by door: the vectors of the rules and what they are in Terraform, the examples, and documents of each other kind. */
export function collectInputs() {
  const { allVectors } = requireTestModule('test/metamorphic/vectors.ts');
  const { translate } = requireTestModule('test/rules/terraform/translate.ts');
  const { hclText } = requireTestModule('test/rules/terraform/hcl.ts');
  const inputs = {
    template: [JSON.stringify(generateTemplate(20))],
    plan: [],
    hcl: [],
    'tf.json': [],
    'user-data': [...USER_DATA],
    configuration: [...CONFIGURATIONS],
    baseline: [...BASELINES],
  };
  for (const { template } of allVectors()) {
    if (template.trimStart().startsWith('{"format_version"') || template.includes('"resource_changes"'))
      inputs.plan.push(template);
    else {
      inputs.template.push(template);
      const said = translate(template);
      if (typeof said === 'string') continue;
      inputs['tf.json'].push(JSON.stringify(said.configuration));
      inputs.hcl.push(hclText(said.configuration));
    }
  }
  for (const kind of ['safe', 'misconfigured']) {
    const folder = join(root, 'examples', 'terraform', kind);
    inputs.hcl.push(
      readdirSync(folder)
        .filter((file) => file.endsWith('.tf'))
        .map((file) => readFileSync(join(folder, file), 'utf8'))
        .join('\n'),
    );
    inputs.plan.push(readFileSync(join(root, 'examples', 'terraform', 'plans', `${kind}.json`), 'utf8'));
    // A preview of Pulumi is told by its text, as a plan is.
    inputs.plan.push(readFileSync(join(root, 'examples', 'pulumi', `${kind}.json`), 'utf8'));
  }
  return inputs;
}

const NODE_CONFIG =
  'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\nspec:\n  cluster: { name: main, apiServerEndpoint: https://x, certificateAuthority: Yg==, cidr: 10.100.0.0/16 }\n  kubelet:\n    config: { maxPods: 110 }\n    flags: [--node-labels=a=b]\n';
const SCRIPT =
  '#!/bin/bash\nset -ex\n/etc/eks/bootstrap.sh main --use-max-pods false --kubelet-extra-args "--max-pods=110 --node-labels=a=b" || exit 1\n';

const USER_DATA = [
  NODE_CONFIG,
  SCRIPT,
  `MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"\n\n--B\nContent-Type: application/node.eks.aws\n\n${NODE_CONFIG}--B\nContent-Type: text/x-shellscript; charset="us-ascii"\n\n${SCRIPT}--B--\n`,
  '[settings.kubernetes]\ncluster-name = "main"\napi-server = "https://x"\ncluster-certificate = "Yg=="\nmax-pods = 110\n[settings.kubernetes.node-labels]\n"a/b" = "c"\n',
  '<powershell>\n[string]$EKSBootstrapScriptFile = "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1"\n& $EKSBootstrapScriptFile -EKSClusterName main -KubeletExtraArgs "--max-pods=110" 3>&1 4>&1\n</powershell>\n<persist>true</persist>\n',
  '#cloud-config\nruncmd:\n  - [/etc/eks/bootstrap.sh, main]\nwrite_files:\n  - { path: /etc/x, content: y }\n',
  '#!/bin/bash\ncat <<EOF > /etc/eks/nodeadm.yaml\nkind: NodeConfig\nEOF\nnodeadm init -c file:///etc/eks/nodeadm.yaml\n',
  Buffer.from(NODE_CONFIG).toString('base64'),
];

const CONFIGURATIONS = [
  JSON.stringify({
    preset: 'strict',
    failOn: 'warning',
    rules: { 'imds-hop-limit': 'off', 'max-pods-capacity': { severity: 'warning', options: {} } },
    ignore: [{ rule: 'imds-v1', resource: 'A*', reason: 'x', until: '2027-01-01' }],
    parameters: { cloudformation: { A: 'b' } },
  }),
  JSON.stringify({
    ignore: [{ file: '**/*.yaml', reason: 'x' }],
    terraform: { varFiles: ['a.tfvars'] },
    baseline: 'b.json',
  }),
];

const BASELINES = [
  JSON.stringify({
    version: 1,
    entries: [{ fingerprint: '0'.repeat(32), rule: 'imds-v1', resource: 'A', file: 'template.yaml' }],
  }),
];

/** What is put in the place of something else: each is right somewhere and wrong elsewhere. */
const VALUES = [
  null,
  true,
  false,
  0,
  1,
  2,
  -1,
  1.5,
  '',
  'x',
  '1',
  '${',
  '${A',
  '${AWS::NoValue}',
  '{}',
  '[',
  '{"a":',
  [],
  {},
  [[]],
  [null],
  { Ref: 'Nothing' },
  { Ref: 'AWS::NoValue' },
  { Ref: 'AWS::Region' },
  { Ref: [] },
  { 'Fn::GetAtt': 'C0' },
  { 'Fn::GetAtt': ['C0', 'Arn', 'x'] },
  { 'Fn::If': ['Missing', 1, 2] },
  { 'Fn::If': [] },
  { 'Fn::Sub': '${C0}${' },
  { 'Fn::Sub': ['${a}', { a: { Ref: 'C0' } }] },
  { 'Fn::Join': ['', [{ Ref: 'C0' }, 1, null]] },
  { 'Fn::Select': ['9', []] },
  { 'Fn::FindInMap': ['a', 'b', 'c'] },
  { 'Fn::ImportValue': { 'Fn::ImportValue': 'x' } },
  { 'Fn::Base64': { 'Fn::Base64': 'x' } },
  { 'Fn::ForEach::L': ['X', ['a', 'b'], { 'R${X}': { Type: 'AWS::EKS::Addon', Properties: { AddonName: '${X}' } } }] },
  { 'Fn::ForEach::L': ['X', { Ref: 'P' }, { 'R${X}': {} }] },
  'AWS::EKS::Nodegroup',
  'OVERWRITE',
  'AL2_x86_64',
  'v1.0.0',
  'not-a-version',
  '\u0000',
  '\ud800',
  'constructor',
  '__proto__',
  '${var.x}',
  '${each.key}',
  '${aws_eks_cluster.Cluster.name}',
  '${[for x in var.y : x]}',
  '%{ if',
];

/** Texts that mean something in one of the languages. */
const TOKENS = [
  ...[
    '"',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    '\n',
    '\t',
    '\0',
    '&a ',
    '*a',
    '<<: *a',
    '!Ref ',
    '!Sub ',
    '- ',
    '#',
    '|\n',
    '? ',
  ],
  ...[
    '${',
    '%{',
    '<<EOT\n',
    'EOT\n',
    ' ? 1 : 2',
    'for_each = var.x\n',
    'count = 2\n',
    'dynamic "x" {\n',
    'jsonencode(',
    'null',
    '...',
    '[*]',
    '//',
    '/*',
    '*/',
  ],
  ...[
    '--B\n',
    '--B--\n',
    '\r',
    'Content-Type: text/plain\n',
    'MIME-Version: 1.0\n',
    '#!/bin/sh\n',
    '[settings]\n',
    '= "',
    '"""',
    '<powershell>',
    '`',
    '$(',
    '\\\n',
    '\u200d',
    '\ufeff',
    '日',
  ],
  ...[
    '# eks-guardrails ignore imds-v1: reason\n',
    '# eks-guardrails ignore * until 2027-01-01: x\n',
    '// eks-guardrails-ignore imds-v1\n',
    '# eks-guardrails ignore\n',
    '/* eks-guardrails ignore imds-hop-limit -- x */',
  ],
];

/** Numbers that depend on the seed and the number of the input alone, so that one input can be made again (mulberry32). */
export class Random {
  constructor(seed, number) {
    this.state = (seed + Math.imul(number, 0x9e3779b1)) >>> 0;
  }

  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  below(limit) {
    return Math.floor(this.next() * limit);
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}

/** A text of a door, broken in some places: as a tree where it is one, else as a text. */
export function mutated(text, all, random) {
  const kind = random.next();
  if (kind < 0.5) {
    const tree = treeOf(text);
    if (tree !== undefined) {
      for (let changes = 1 + random.below(6); changes > 0; changes--) changeTree(tree, random);
      return text.trimStart().startsWith('{') || random.next() < 0.3
        ? JSON.stringify(tree, undefined, random.below(2))
        : yaml.stringify(tree);
    }
  }
  let result = text;
  for (let changes = 1 + random.below(4); changes > 0; changes--) result = changeText(result, all, random);
  return result;
}

function treeOf(text) {
  try {
    const tree = text.trimStart().startsWith('{')
      ? JSON.parse(text)
      : yaml.parse(text, { logLevel: 'silent', customTags: TAGS });
    return typeof tree === 'object' && tree !== null ? tree : undefined;
  } catch {
    return undefined;
  }
}

/** The short forms of functions, as their long ones. */
const TAGS = [
  'Ref',
  'Condition',
  'GetAtt',
  'Sub',
  'If',
  'Join',
  'Select',
  'Split',
  'Base64',
  'FindInMap',
  'ImportValue',
  'Equals',
  'Not',
  'And',
  'Or',
].flatMap((name) => {
  const key = name === 'Ref' || name === 'Condition' ? name : `Fn::${name}`;
  const tag = `!${name}`;
  return [
    { tag, resolve: (text) => ({ [key]: text }) },
    { tag, collection: 'seq', resolve: (items) => ({ [key]: items.toJSON() }) },
    { tag, collection: 'map', resolve: (map) => ({ [key]: map.toJSON() }) },
  ];
});

/** Replaces, removes, renames or moves something at a random place. */
function changeTree(tree, random) {
  let parent = tree;
  for (let depth = 0; depth < 12; depth++) {
    const keys = Object.keys(parent);
    if (keys.length === 0) return;
    const key = random.pick(keys);
    const child = parent[key];
    if (typeof child === 'object' && child !== null && random.next() < 0.85) {
      parent = child;
      continue;
    }
    const kind = random.next();
    if (kind < 0.6) parent[key] = structuredClone(random.pick(VALUES));
    else if (kind < 0.8) delete parent[key];
    else parent[random.pick(keys)] = structuredClone(child);
    return;
  }
}

function changeText(text, all, random) {
  const at = random.below(text.length + 1);
  switch (random.below(8)) {
    case 0:
      return text.slice(0, at);
    case 1:
    case 2:
      return text.slice(0, at) + random.pick(TOKENS) + text.slice(at);
    case 3:
      return text.slice(0, at) + text.slice(at + 1 + random.below(40));
    case 4: {
      const lines = text.split('\n');
      lines.splice(random.below(lines.length), random.below(3), random.pick(lines));
      return lines.join('\n');
    }
    case 5: {
      const other = random.pick(all);
      const from = random.below(other.length);
      return text.slice(0, at) + other.slice(from, from + random.below(200)) + text.slice(at);
    }
    case 6:
      return (
        text.slice(0, at) + String.fromCharCode(random.below(random.next() < 0.9 ? 256 : 65_536)) + text.slice(at + 1)
      );
    default:
      return random.next() < 0.5 ? `\ufeff${text}` : text.replaceAll('\n', '\r\n');
  }
}
