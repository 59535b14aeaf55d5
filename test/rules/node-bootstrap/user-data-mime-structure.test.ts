import { gzipSync } from 'node:zlib';
import { MultipartBody, MultipartUserData } from 'aws-cdk-lib/aws-ec2';
import { userDataMimeStructure } from '../../../lib/rules/node-bootstrap/user-data-mime-structure';
import { CLUSTER, launchTemplate, namedNodeGroup, nodeGroup, resources, template, USES_NODES } from '../node-templates';
import { testRule, type ExpectedFinding, type InvalidVector, type Vector } from '../rule-tester';
import {
  booting,
  clusterBlock,
  CONDITION,
  IMAGES,
  mime,
  nodeConfig,
  nodeConfigPart,
  part,
  SELF_MANAGED,
  shellPart,
  withEksAmi,
  withNodeClass,
  withOwnAmi,
} from './user-data-templates';

const OLD_CLUSTER = CLUSTER.replace('1.33', '1.32');
const AL2023 = 'AmiType: AL2023_x86_64_STANDARD';
const NEVER_JOIN = 'So the nodes never join the cluster.';
const NODEADM_FAILS = 'nodeadm ends with an error';
const NO_CONFIG = 'nodeadm finds no NodeConfig';
const NOTHING_RUNS = 'cloud-init runs none of the parts';

const ADDITION = nodeConfigPart('kubelet: {}');
const JOINING = nodeConfigPart(clusterBlock());
const HELLO = shellPart('echo hello');
const BOOTSTRAP = shellPart('/etc/eks/bootstrap.sh main');

/** What only nodeadm reads, with the cluster in the last part. */
const CONFIGS = mime(ADDITION, JOINING);
/** What only cloud-init reads, with the bootstrap in the last part. */
const SCRIPTS = mime(HELLO, BOOTSTRAP);
const BOTH = mime(JOINING, HELLO);

/** The property with a text on one line, in which line ends and odd characters show as in JSON. */
function exact(text: string): string {
  return `UserData: { 'Fn::Base64': ${JSON.stringify(text)} }`;
}

function encoded(bytes: string | Uint8Array): string {
  return `UserData: ${Buffer.from(bytes).toString('base64')}`;
}

/** A managed group with the public AMI of a system, so that the user data has to bring the bootstrap. */
function own(family: keyof typeof IMAGES, property: string): string {
  return resources(OLD_CLUSTER, nodeGroup(USES_NODES), launchTemplate(IMAGES[family], property));
}

/** The same, but EKS brings the bootstrap. */
function byEks(property: string, amiType = 'AL2023_x86_64_STANDARD'): string {
  return resources(OLD_CLUSTER, nodeGroup(`AmiType: ${amiType}`, USES_NODES), launchTemplate(property));
}

/** The launch template `Nodes` with the lines of a text in `Fn::Join`, and a parameter in place of one piece of it. */
function joined(text: string, piece: string, parameter: string): string {
  const items = text
    .split('\n')
    .map((line) =>
      line.includes(piece) ? `!Sub ${JSON.stringify(line.replace(piece, `\${${parameter}}`))}` : JSON.stringify(line),
    );
  return launchTemplate(
    'UserData:',
    '  Fn::Base64: !Join',
    '    - "\\n"',
    ...items.map((item, index) => `    ${index === 0 ? '-' : ' '} - ${item}`),
  );
}

function replaceLast(text: string, found: string, by: string): string {
  const at = text.lastIndexOf(found);
  if (at < 0) throw new Error(`no "${found}" in the text`);
  return text.slice(0, at) + by + text.slice(at + found.length);
}

/** What a reader makes of a mistake: a severity, where the finding points (as in JSON) and what it says; `fine` if it doesn't mind. */
type Cell = 'fine' | readonly [severity: ExpectedFinding['severity'], at: string, ...says: readonly string[]];

/** A mistake, and what it does on AL2023 to {@link CONFIGS}, and on AL2 to {@link SCRIPTS}. */
interface Row {
  readonly name: string;
  readonly broken: (text: string) => string;
  readonly nodeadm: Cell;
  readonly cloudInit: Cell;
}

function row(name: string, broken: Row['broken'], nodeadm: Cell, cloudInit: Cell): Row {
  return { name, broken, nodeadm, cloudInit };
}

const MULTIPART = 'Content-Type: multipart/mixed';
/** The first boundary line. */
const FIRST = '--//\\nContent-Type';

/** Mistakes that a document for either reader may have. */
const ROWS: readonly Row[] = [
  row(
    'a closing line between two parts',
    (text) => replaceLast(text, '--//\n', '--//--\n'),
    ['error', '--//--\\nContent', 'The boundary is closed on line 12; ', NEVER_JOIN],
    ['error', '--//--\\nContent', 'The boundary is closed on line 10; the shell script', NEVER_JOIN],
  ),
  row(
    'no closing line',
    (text) => text.replace('--//--', ''),
    ['error', '\\n\\n" }', 'never closed', '"unexpected EOF"', NEVER_JOIN],
    'fine',
  ),
  row(
    'a closing line behind text',
    (text) => text.replace('\n\n--//--', '--//--'),
    ['error', '--//--', 'stands behind other text', NODEADM_FAILS, NEVER_JOIN],
    ['warning', '--//--', 'text of the last part', 'its last command'],
  ),
  row(
    'an indented closing line',
    (text) => text.replace('--//--', '  --//--'),
    ['error', '--//--', 'is indented', NODEADM_FAILS, NEVER_JOIN],
    ['warning', '--//--', 'is indented', 'its last command'],
  ),
  row(
    'another boundary than the declared one',
    (text) => text.replace('"//"', '"EKS"'),
    ['error', FIRST, 'is "--//", but the Content-Type on line 2 declares "EKS"', NODEADM_FAILS, NEVER_JOIN],
    ['error', FIRST, NOTHING_RUNS, NEVER_JOIN],
  ),
  row(
    'indented boundary lines',
    (text) => text.replace(/^--/gm, '    --'),
    ['error', FIRST, "doesn't begin its line", NODEADM_FAILS, NEVER_JOIN],
    ['error', FIRST, NOTHING_RUNS, NEVER_JOIN],
  ),
  row(
    'a declared boundary with the dashes',
    (text) => text.replace('"//"', '"--//"'),
    ['error', FIRST, '"----//"', NODEADM_FAILS, NEVER_JOIN],
    ['error', FIRST, NOTHING_RUNS, NEVER_JOIN],
  ),
  row(
    'no boundary in the Content-Type',
    (text) => text.replace('; boundary="//"', ''),
    ['error', MULTIPART, 'names no boundary', NODEADM_FAILS, NEVER_JOIN],
    ['error', MULTIPART, NOTHING_RUNS, NEVER_JOIN],
  ),
  row(
    'a boundary with / without quotes',
    (text) => text.replace('"//"', '//'),
    ['error', MULTIPART, 'needs quotes', NO_CONFIG, NEVER_JOIN],
    'fine',
  ),
  row(
    'a boundary with = without quotes',
    (text) => text.replace('"//"', '==EKS==').replaceAll('--//', '--==EKS=='),
    ['error', MULTIPART, 'needs quotes', NO_CONFIG, NEVER_JOIN],
    'fine',
  ),
  row(
    'a boundary with : without quotes',
    (text) => text.replace('"//"', 'EKS:1').replaceAll('--//', '--EKS:1'),
    ['error', MULTIPART, 'needs quotes', NO_CONFIG, NEVER_JOIN],
    'fine',
  ),
  row(
    'no blank line after the top headers',
    (text) => text.replace('"//"\n\n', '"//"\n'),
    ['error', FIRST, 'No empty line', NO_CONFIG, NEVER_JOIN],
    'fine',
  ),
  row(
    'a blank line before the first header',
    (text) => `\n${text}`,
    ['error', '\\nMIME', 'A blank line stands before', NO_CONFIG, NEVER_JOIN],
    ['error', '\\nMIME', NOTHING_RUNS, NEVER_JOIN],
  ),
  row('one space before the first header', (text) => ` ${text}`, ['error', ' MIME', NO_CONFIG, NEVER_JOIN], 'fine'),
  row(
    'a comment before the first header',
    (text) => `# nodes\n${text}`,
    ['error', '# nodes\\n', '"# nodes" stands before', NO_CONFIG, NEVER_JOIN],
    ['error', '# nodes\\n', NOTHING_RUNS, NEVER_JOIN],
  ),
  row(
    'the indentation of a template literal',
    (text) => `\n${text}`.replace(/\n(?=.)/g, '\n    '),
    ['error', '\\n    MIME', NO_CONFIG, NEVER_JOIN],
    ['error', '\\n    MIME', NOTHING_RUNS, NEVER_JOIN],
  ),
  row(
    'a byte order mark before the Content-Type',
    (text) => `\uFEFF${text.replace(/^(.*)\n(.*)\n/, '$2\n$1\n')}`,
    ['error', '\uFEFFContent-Type', 'A byte order mark', NO_CONFIG, NEVER_JOIN],
    ['error', '\uFEFFContent-Type', NOTHING_RUNS, NEVER_JOIN],
  ),
  // Go takes the mark for a part of a header's name that nobody asks for.
  row('a byte order mark before another header', (text) => `\uFEFF${text}`, 'fine', [
    'error',
    '\uFEFFMIME',
    NOTHING_RUNS,
    NEVER_JOIN,
  ]),
  row(
    'a last boundary line with CRLF among LF',
    (text) => `${text}\r\n`,
    ['error', '--//--', 'line ends', NODEADM_FAILS, NEVER_JOIN],
    'fine',
  ),
  row(
    'one boundary line with LF among CRLF',
    (text) => replaceLast(text.replace(/\n/g, '\r\n'), '--//--', '--//--\n'),
    ['error', '--//--\\n', NODEADM_FAILS, NEVER_JOIN],
    'fine',
  ),
  row(
    'no MIME-Version',
    (text) => text.replace('MIME-Version: 1.0\n', ''),
    ['warning', MULTIPART, 'no MIME-Version', 'added later has no effect'],
    ['error', MULTIPART, 'never run', NEVER_JOIN],
  ),
  row(
    'a Content-Type of text at the top',
    (text) => text.replace('multipart/mixed', 'text/plain'),
    ['error', 'Content-Type: text/plain', 'not multipart', NO_CONFIG, NEVER_JOIN],
    ['error', 'Content-Type: text/plain', NOTHING_RUNS, NEVER_JOIN],
  ),
  row('CRLF throughout', (text) => text.replace(/\n/g, '\r\n'), 'fine', 'fine'),
  row('blanks behind the boundaries', (text) => text.replace(/^(--\/\/(?:--)?)$/gm, '$1 \t'), 'fine', 'fine'),
  row('a preamble', (text) => text.replace('\n\n--//', '\n\nFor the nodes of EKS.\n--//'), 'fine', 'fine'),
  row('an epilogue', (text) => `${text}\nThat was all.\n`, 'fine', 'fine'),
  row('folded headers', (text) => text.replace('; boundary', ';\n  boundary'), 'fine', 'fine'),
  row(
    'headers in other case',
    (text) => text.replaceAll('Content-Type', 'CONTENT-type').replace('MIME-Version', 'mime-version'),
    'fine',
    'fine',
  ),
];

/** Mistakes in a part of one reader, in the last one: {@link JOINING} or {@link BOOTSTRAP}. */
const CONFIG_ROWS: readonly (readonly [name: string, broken: Row['broken'], cell: Cell])[] = [
  [
    'no blank line after the headers, before ---',
    (text) => replaceLast(text, 'eks.aws\n\n', 'eks.aws\n---\n'),
    ['error', '---\\napi', 'No empty line', 'missing colon: "---"', NEVER_JOIN],
  ],
  [
    'no blank line after the headers, before YAML',
    (text) => replaceLast(text, 'eks.aws\n\n', 'eks.aws\n'),
    [
      'error',
      'apiVersion: node.eks.aws/v1alpha1\\nkind: NodeConfig\\nspec:\\n  cluster',
      'taken for headers',
      NEVER_JOIN,
    ],
  ],
  [
    'no Content-Type',
    (text) => replaceLast(text, 'Content-Type: application/node.eks.aws\n', ''),
    [
      'error',
      'apiVersion: node.eks.aws/v1alpha1\\nkind: NodeConfig\\nspec:\\n  cluster',
      'no Content-Type',
      NEVER_JOIN,
    ],
  ],
  [
    'another type',
    (text) => replaceLast(text, 'application/node.eks.aws', 'application/yaml'),
    [
      'error',
      'Content-Type: application/yaml',
      'the media type "application/yaml", which nodeadm passes over',
      NEVER_JOIN,
    ],
  ],
  [
    'a type with the API version',
    (text) => replaceLast(text, 'application/node.eks.aws', 'application/node.eks.aws/v1alpha1'),
    ['error', 'Content-Type: application/node.eks.aws/v1alpha1', 'and ends with an error', NEVER_JOIN],
  ],
  [
    'an empty NodeConfig besides the right one',
    (text) => replaceLast(text, '--//--', '--//\nContent-Type: application/node.eks.aws; empty=yes\n\n\n--//--'),
    ['error', 'Content-Type: application/node.eks.aws; empty', 'is empty', 'drops every NodeConfig', NEVER_JOIN],
  ],
  [
    'a wrong Content-Type before the right one',
    (text) => replaceLast(text, '--//\n', '--//\nContent-Type: text/plain\n'),
    ['error', 'Content-Type: text/plain', 'two Content-Type headers', NEVER_JOIN],
  ],
  [
    'a wrong Content-Type behind the right one',
    (text) => replaceLast(text, 'eks.aws\n\n', 'eks.aws\nContent-Type: text/plain\n\n'),
    'fine',
  ],
  [
    'a multipart within',
    (text) => text.replace(JOINING, part('multipart/mixed; boundary="in"', `--in\n${JOINING}\n--in--`)),
    ['error', 'Content-Type: multipart/mixed; boundary=\\"in', 'in a multipart within the multipart', NEVER_JOIN],
  ],
];

const SCRIPT_ROWS: typeof CONFIG_ROWS = [
  ['no blank line after the headers', (text) => replaceLast(text, '"us-ascii"\n\n', '"us-ascii"\n'), 'fine'],
  [
    'no blank line after the headers, before a colon',
    (text) => replaceLast(text, '"us-ascii"\n\n#!/bin/bash\n', '"us-ascii"\nx:y\n'),
    ['error', 'x:y\\n/etc', 'No empty line', NEVER_JOIN],
  ],
  [
    'no Content-Type',
    (text) => replaceLast(text, 'Content-Type: text/x-shellscript; charset="us-ascii"', 'X-Part: script'),
    'fine',
  ],
  ['text/plain, which cloud-init looks into', (text) => replaceLast(text, 'text/x-shellscript', 'text/plain'), 'fine'],
  [
    'another type',
    (text) => replaceLast(text, 'text/x-shellscript', 'text/x-sh'),
    ['error', 'Content-Type: text/x-sh;', 'which cloud-init passes over', NEVER_JOIN],
  ],
  [
    'a wrong Content-Type before the right one',
    (text) => replaceLast(text, '--//\n', '--//\nContent-Type: text/html\n'),
    ['error', 'Content-Type: text/html', 'two Content-Type headers', NEVER_JOIN],
  ],
  [
    'a multipart within',
    (text) => text.replace(BOOTSTRAP, part('multipart/mixed; boundary="in"', `--in\n${BOOTSTRAP}\n--in--`)),
    'fine',
  ],
];

interface Judged {
  readonly name: string;
  readonly template: string;
  readonly right: string;
  readonly cell: Cell;
}

const CELLS: readonly Judged[] = [
  ...[...ROWS.map(({ name, broken, nodeadm }) => [name, broken, nodeadm] as const), ...CONFIG_ROWS].map(
    ([name, broken, cell]) => judged('AL2023', CONFIGS, name, broken, cell),
  ),
  ...[...ROWS.map(({ name, broken, cloudInit }) => [name, broken, cloudInit] as const), ...SCRIPT_ROWS].map(
    ([name, broken, cell]) => judged('AL2', SCRIPTS, name, broken, cell),
  ),
];

function judged(family: 'AL2' | 'AL2023', text: string, name: string, broken: Row['broken'], cell: Cell): Judged {
  const reader = family === 'AL2' ? 'cloud-init' : 'nodeadm';
  return {
    name: `${reader}: ${name}`,
    template: own(family, exact(broken(text))),
    right: own(family, exact(text)),
    cell,
  };
}

function invalidOf({ name, template: text, right, cell }: Judged): readonly InvalidVector[] {
  if (cell === 'fine') return [];
  const [severity, at, ...says] = cell;
  return [
    { name, template: text, findings: [{ message: 'broken', severity, resource: 'Nodes', at, says }], fixed: right },
  ];
}

function validOf({ name, template: text, cell }: Judged): readonly Vector[] {
  return cell === 'fine' ? [{ name, template: text }] : [];
}

function finding(at: string, severity: ExpectedFinding['severity'], ...says: readonly string[]): ExpectedFinding {
  return { message: 'broken', severity, resource: 'Nodes', at, says };
}

/** What CDK writes; nobody gets it wrong there. */
function cdk(): string {
  const multipart = new MultipartUserData();
  multipart.addPart(
    MultipartBody.fromRawBody({ contentType: 'application/node.eks.aws', body: nodeConfig(clusterBlock()) }),
  );
  multipart.addPart(
    MultipartBody.fromRawBody({ contentType: 'text/x-shellscript; charset="utf-8"', body: '#!/bin/bash\necho hello' }),
  );
  return multipart.render();
}

/** As many NodeConfigs that nodeadm passes over. */
function ignoredConfigs(count: number): string {
  return mime(
    ...Array.from({ length: count }, (_, i) => part(`application/yaml; n=${100 + i}`, nodeConfig('kubelet: {}'))),
  );
}

const PARAMETER = 'Parameters:\n  Value: { Type: String }';
const CLOSED_EARLY = replaceLast(CONFIGS, '--//\n', '--//--\n');
/** What is lost in these is more than what EKS brings. */
const RICH = mime(ADDITION, nodeConfigPart(clusterBlock(), 'instance: {}'));
const RICH_CLOSED_EARLY = replaceLast(RICH, '--//\n', '--//--\n');
const WITHOUT_END = mime(HELLO).replace('--//--', '');

testRule(userDataMimeStructure, {
  valid: [
    ...CELLS.flatMap((one) => validOf(one)),
    { name: 'a NodeConfig and a script', template: withOwnAmi(BOTH) },
    { name: 'the same where EKS brings the bootstrap', template: withEksAmi(mime(ADDITION, HELLO)) },
    { name: 'what CDK writes', template: own('AL2023', exact(cdk())) },
    { name: 'base64 of the whole', template: own('AL2023', encoded(BOTH)) },
    { name: 'gzip of the whole', template: own('AL2023', encoded(gzipSync(BOTH))) },
    {
      name: 'a part in base64',
      template: own(
        'AL2023',
        exact(
          mime(
            `Content-Transfer-Encoding: base64\n${part('application/node.eks.aws', Buffer.from(nodeConfig(clusterBlock())).toString('base64'))}`,
            HELLO,
          ),
        ),
      ),
    },
    {
      name: 'parts of which something is not known',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(
          mime(
            nodeConfigPart('kubelet:\n  flags: ["--node-labels=team=${Value}"]'),
            part('text/x-shellscript', '${Value}'),
          ),
        ),
      ),
    },
    {
      name: 'lines of dashes in a script',
      template: withEksAmi(mime(shellPart("echo '--//x'", 'echo "  --//--" > /tmp/note', '--- # yaml'))),
    },
    {
      name: 'no closing line where no NodeConfig is, with a script that brings one to nodeadm',
      template: own('AL2023', exact(mime(shellPart('nodeadm init -c file:///etc/node.yaml')).replace('"//"', '//'))),
    },
    {
      name: 'a text that is MIME without parts, where nothing needs to be merged',
      template: own(
        'AL2',
        exact('MIME-Version: 1.0\nContent-Type: text/x-shellscript\n\n#!/bin/bash\n/etc/eks/bootstrap.sh main\n'),
      ),
    },
  ],
  invalid: [
    ...CELLS.flatMap((one) => invalidOf(one)),
    {
      name: 'the boundary is closed in the middle, with an AMI that only the user data tells of',
      template: withOwnAmi(CLOSED_EARLY),
      findings: [
        finding(
          '--//--',
          'error',
          'Launch template "Nodes" of node group "Workers", in its user data: The boundary is closed on line 12; the NodeConfig that starts on line 13 is never read. So the nodes never join the cluster.',
        ),
      ],
      fixed: withOwnAmi(CONFIGS),
    },
    {
      name: 'the boundary is closed in the middle, and the cluster is named before',
      template: withOwnAmi(replaceLast(mime(JOINING, ADDITION), '--//\n', '--//--\n')),
      findings: [
        {
          ...finding(
            '--//--',
            'error',
            'the NodeConfig that starts on line 17 is never read. What it would set up is missing on the nodes.',
          ),
          omits: ['never join'],
        },
      ],
    },
    {
      name: 'the boundary is closed in the middle, where EKS brings the bootstrap',
      template: withEksAmi(replaceLast(mime(ADDITION, HELLO, nodeConfigPart('instance: {}')), '--//\n', '--//--\n')),
      findings: [
        finding(
          '--//--',
          'error',
          'The boundary is closed on line 18; the NodeConfig that starts on line 19 is never read. What it would set up',
        ),
      ],
    },
    {
      name: 'the boundary is closed before a NodeConfig that only repeats what EKS brings',
      template: withEksAmi(CLOSED_EARLY),
      findings: [finding('--//--', 'info', 'It only repeats the cluster, which EKS puts in by itself.')],
    },
    {
      name: 'the boundary is closed before a NodeConfig that says more than what EKS brings',
      template: withEksAmi(RICH_CLOSED_EARLY),
      findings: [finding('--//--', 'error', 'What it would set up is missing on the nodes.')],
    },
    {
      name: 'the boundary is closed in the middle, in Fn::Join with something unknown before',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        joined(RICH_CLOSED_EARLY, 'kubelet: {}', 'Value'),
      ),
      findings: [finding('--//--', 'error', 'The boundary is closed on line 12')],
      fixed: template(PARAMETER, CLUSTER, nodeGroup(AL2023, USES_NODES), joined(RICH, 'kubelet: {}', 'Value')),
    },
    {
      name: 'the boundary is closed in the middle, in Fn::Sub with something unknown before',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(RICH_CLOSED_EARLY.replace('kubelet: {}', 'kubelet: { flags: ["${Value}"] }')),
      ),
      findings: [finding('--//--', 'error', 'The boundary is closed on line 12')],
    },
    {
      name: 'a self-managed group, base64 in the template',
      template: resources(CLUSTER, SELF_MANAGED, launchTemplate(IMAGES.AL2023, encoded(CLOSED_EARLY))),
      findings: [
        finding(
          Buffer.from(CLOSED_EARLY)
            .toString('base64')
            .slice(Math.floor(CLOSED_EARLY.indexOf('--//--') / 3) * 4),
          'error',
          'line 12',
        ),
      ],
      fixed: resources(CLUSTER, SELF_MANAGED, launchTemplate(IMAGES.AL2023, encoded(CONFIGS))),
    },
    {
      name: 'a NodeConfig in a multipart within, besides the bootstrap of EKS',
      template: withEksAmi(mime(HELLO, part('multipart/mixed; boundary="in"', `--in\n${ADDITION}\n--in--`))),
      findings: [
        finding(
          'Content-Type: multipart/mixed; boundary="in"',
          'warning',
          'nodeadm looks at top-level parts only',
          'What it would set up',
        ),
      ],
    },
    {
      name: 'no closing line and no NodeConfig, where EKS adds one',
      template: byEks(exact(WITHOUT_END)),
      findings: [finding('\\n\\n" }', 'warning', 'unless that repairs it')],
      fixed: byEks(exact(mime(HELLO))),
    },
    {
      name: 'nothing for cloud-init to run, where EKS brings the bootstrap',
      template: withEksAmi(mime(ADDITION, HELLO).replace('"//"', '"EKS"')),
      findings: [finding('--//', 'error', NODEADM_FAILS, NOTHING_RUNS, 'EKS adds its own NodeConfig to this document')],
    },
    {
      name: 'a script that is lost besides the bootstrap of EKS on AL2',
      template: resources(
        OLD_CLUSTER,
        nodeGroup('AmiType: AL2_x86_64', USES_NODES),
        booting(mime(HELLO).replace('"//"', '"EKS"')),
      ),
      findings: [
        {
          ...finding('--//', 'error', NOTHING_RUNS, 'What it would set up is missing on the nodes.'),
          omits: ['NodeConfig', 'nodeadm'],
        },
      ],
    },
    {
      name: 'MIME that is not multipart, which EKS refuses to merge',
      template: byEks(exact('MIME-Version: 1.0\nContent-Type: text/x-shellscript\n\n#!/bin/bash\necho hello\n')),
      findings: [
        finding(
          'Content-Type: text/x-shellscript',
          'error',
          'refuses the template: "User data was not in the MIME multipart format."',
        ),
      ],
    },
    {
      name: 'nothing that bootstraps, in a document that stops nodeadm',
      template: own('AL2023', exact(WITHOUT_END)),
      findings: [finding('\\n\\n" }', 'error', 'Nothing else in it bootstraps AL2023 nodes')],
    },
    {
      name: 'text behind the end with headers of a part',
      template: withOwnAmi(`${mime(JOINING)}\n${HELLO}`),
      findings: [
        finding(
          '--//--',
          'error',
          'The boundary is closed on line 16; the shell script that starts on line 17 is never read. What it would set up',
        ),
      ],
    },
    {
      name: 'a cloud-config that nobody applies',
      template: withOwnAmi(`${mime(JOINING)}\n${part('text/cloud-config', '#cloud-config\npackages: [jq]')}`),
      findings: [finding('--//--', 'warning', 'the cloud-config that starts on line 17 is never read')],
    },
    {
      name: 'a part for nobody behind the end',
      template: withOwnAmi(`${mime(JOINING)}\n${part('text/html', '<p>Notes</p>')}`),
      findings: [finding('--//--', 'info', 'No program of a Linux node acts on such a part anyway.')],
    },
    {
      name: 'a part that is decided at deployment, behind the end',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(`${mime(ADDITION)}\n${part('text/plain', '${Value}')}`),
      ),
      findings: [finding('--//--', 'warning', 'Whatever it will hold at deployment has no effect.')],
    },
    {
      name: 'two mistakes are two findings, in the order of the lines',
      template: own(
        'AL2023',
        exact(CONFIGS.replace('application/node.eks.aws', 'application/yaml').replace('--//--', '')),
      ),
      findings: [
        { ...finding('Content-Type: application/yaml', 'error', 'What it would set up'), omits: ['never join'] },
        finding('\\n\\n" }', 'error', NEVER_JOIN),
      ],
    },
    {
      name: 'of very many mistakes the last are only counted',
      template: withEksAmi(ignoredConfigs(23)),
      findings: [
        ...Array.from({ length: 20 }, (_, i) =>
          finding(`Content-Type: application/yaml; n=${100 + i}`, 'error', 'which nodeadm passes over'),
        ),
        {
          message: 'more',
          severity: 'error',
          resource: 'Nodes',
          at: 'Content-Type: application/yaml; n=120',
          says: ['has 3 more mistakes', 'from line 165 on'],
        },
      ],
    },
    {
      name: 'Karpenter takes MIME behind `#!` for one script, beside its own bootstrap',
      template: withNodeClass('al2023@latest', `#!/bin/bash\n${BOTH}`),
      findings: [
        {
          message: 'one-script',
          severity: 'error',
          resource: 'NodeClass',
          at: 'NodeClass',
          says: ['"#!/bin/bash" stands before the MIME headers', 'the nodes join, but the NodeConfig in it is ignored'],
          omits: ['nodeadm'],
        },
      ],
    },
    {
      name: 'one branch of a condition has the broken text',
      template: template(
        CONDITION,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        launchTemplate(
          'UserData: !If',
          '  - IsProduction',
          `  - 'Fn::Base64': ${JSON.stringify(RICH_CLOSED_EARLY)}`,
          `  - ${Buffer.from(RICH).toString('base64')}`,
        ),
      ),
      findings: [finding('--//--', 'error', 'condition IsProduction is true')],
    },
    {
      name: 'one launch template of two groups is one finding',
      template: resources(
        CLUSTER,
        namedNodeGroup('Blue', AL2023, USES_NODES),
        namedNodeGroup('Green', AL2023, USES_NODES),
        booting(RICH_CLOSED_EARLY),
      ),
      findings: [finding('--//--', 'error', 'node groups "Blue" and "Green"')],
    },
  ],
  unverifiable: [
    {
      name: 'a boundary that is decided at deployment',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(mime(ADDITION).replaceAll('//', 'EKS-${Value}')),
      ),
      resources: ['Nodes'],
      because: 'Value',
    },
    {
      name: 'a media type that is decided at deployment',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(mime(part('${Value}', nodeConfig('kubelet: {}')))),
      ),
      resources: ['Nodes'],
      because: 'Value',
    },
    {
      name: 'an end that is decided at deployment',
      template: template(
        PARAMETER,
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        booting(mime(ADDITION).replace('--//--', '${Value}')),
      ),
      resources: ['Nodes'],
      because: 'Value',
    },
    {
      name: 'what only nodeadm trips over, on nodes of which nobody knows whether they have it',
      template: template(
        'Parameters:\n  Type: { Type: String }',
        CLUSTER,
        nodeGroup('AmiType: !Ref Type', USES_NODES),
        launchTemplate(exact(WITHOUT_END)),
      ),
      resources: ['Nodes'],
      because: 'nodeadm of AL2023 ends with an error on line 8 of its user data',
    },
    {
      name: 'a launch template that the input does not hold',
      template: resources(CLUSTER, nodeGroup(AL2023, "LaunchTemplate: { Id: lt-0abc, Version: '1' }")),
      resources: ['Workers'],
      because: 'lt-0abc',
    },
  ],
  notApplicable: [
    {
      name: 'Bottlerocket has no use for MIME, of which another rule tells',
      template: byEks(exact(CLOSED_EARLY), 'BOTTLEROCKET_x86_64'),
    },
    { name: 'neither has Windows', template: byEks(exact(CLOSED_EARLY), 'WINDOWS_CORE_2022_x86_64') },
    { name: 'a plain script', template: own('AL2', exact('#!/bin/bash\n/etc/eks/bootstrap.sh main\n')) },
    { name: 'a bare NodeConfig', template: own('AL2023', exact(nodeConfig(clusterBlock()))) },
    {
      name: 'user data that is not base64, of which another rule tells',
      template: resources(
        CLUSTER,
        nodeGroup(AL2023, USES_NODES),
        launchTemplate(`UserData: ${JSON.stringify(CLOSED_EARLY)}`),
      ),
    },
    {
      name: 'user data that is not known',
      template: template(PARAMETER, CLUSTER, nodeGroup(AL2023, USES_NODES), launchTemplate('UserData: !Ref Value')),
    },
    { name: 'a group without user data', template: resources(CLUSTER, nodeGroup(AL2023)) },
    { name: 'a launch template that no group uses', template: resources(CLUSTER, booting(CLOSED_EARLY)) },
  ],
});
