import type { Nodes } from './corrected';

/* User data with one mistake in it, which a rule puts right in the lines as they are written. */

export const AL2023: Nodes = { amiType: 'AL2023_x86_64_STANDARD' };
const OWN_AL2023: Nodes = {
  ...AL2023,
  image: '/aws/service/eks/optimized-ami/1.32/amazon-linux-2023/x86_64/standard/recommended/image_id',
};
export const OWN_AL2: Nodes = {
  amiType: 'AL2_x86_64',
  image: '/aws/service/eks/optimized-ami/1.32/amazon-linux-2/recommended/image_id',
};
export const OWN_BOTTLEROCKET: Nodes = {
  amiType: 'BOTTLEROCKET_x86_64',
  image: '/aws/service/bottlerocket/aws-k8s-1.32/x86_64/latest/image_id',
};
const OWN_WINDOWS: Nodes = {
  amiType: 'WINDOWS_CORE_2022_x86_64',
  image: '/aws/service/ami-windows-latest/Windows_Server-2022-English-Core-EKS_Optimized-1.32/image_id',
};

const mime = (...parts: readonly (readonly string[])[]): readonly string[] => [
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="B"',
  '',
  ...parts.flatMap((part) => ['--B', ...part]),
  '--B--',
];
const nodeConfig = (...spec: readonly string[]): readonly string[] => [
  'Content-Type: application/node.eks.aws',
  '',
  'apiVersion: node.eks.aws/v1alpha1',
  'kind: NodeConfig',
  'spec:',
  ...spec.map((line) => `  ${line}`),
  '',
];
const script = (...lines: readonly string[]): readonly string[] => [
  'Content-Type: text/x-shellscript; charset="us-ascii"',
  '',
  '#!/bin/bash',
  ...lines,
  '',
];
const ECHO = script('echo ${NAME}');
const config = (...spec: readonly string[]): readonly string[] => mime(nodeConfig(...spec), ECHO);
const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const ONCE = Buffer.from(CERTIFICATE).toString('base64');
const cluster = (change: Readonly<Record<string, string>>): readonly string[] =>
  config(
    'cluster:',
    ...Object.entries({
      name: '${CLUSTER}',
      apiServerEndpoint: 'https://x.eks.amazonaws.com',
      certificateAuthority: ONCE,
      cidr: '10.96.0.0/16',
      ...change,
    }).flatMap(([key, value]) => (value === '' ? [] : [`  ${key}: ${value}`])),
  );
export const toml = (...lines: readonly string[]): readonly string[] => [
  '[settings.kubernetes]',
  'cluster-name = "${CLUSTER}"',
  'api-server = "https://x.eks.amazonaws.com"',
  `cluster-certificate = "${ONCE}"`,
  ...lines,
];
const call = (...rest: readonly string[]): readonly string[] => ['#!/bin/bash', 'set -o errexit', ...rest];

/** A document of a NodeConfig and a script, with something wrong in it. */
export const changed = (change: (lines: string[]) => void): readonly string[] => {
  const lines = [...config('instance:', '  localStorage:', '    strategy: RAID0')];
  change(lines);
  return lines;
};
const secondBoundary = (lines: readonly string[]): number => lines.indexOf('--B', 5);

/** What is wrong, the rule and the message that say so, and what has to stand there afterwards. */
type Case = readonly [name: string, message: string, nodes: Nodes, lines: readonly string[], becomes: string];

export const CORRECTED_CASES: readonly Case[] = [
  [
    'a wrong apiVersion',
    'node-config-decoding/undecodable',
    AL2023,
    config('instance: {}').map((line) => line.replace('node.eks.aws/v1alpha1', 'node.eks.aws/v1')),
    'apiVersion: node.eks.aws/v1alpha1',
  ],
  [
    'no kind',
    'node-config-decoding/undecodable',
    AL2023,
    config('instance:', '  localStorage: { strategy: RAID0 }').filter((line) => line !== 'kind: NodeConfig'),
    'kind: NodeConfig',
  ],
  [
    'flags as a text',
    'node-config-decoding/undecodable',
    AL2023,
    config('kubelet:', '  flags: --v=2 --node-labels=team=a # both'),
    'flags: ["--v=2","--node-labels=team=a"] # both',
  ],
  [
    'a number for a text',
    'node-config-decoding/undecodable',
    AL2023,
    config('instance:', '  environment:', '    default:', '      LEVEL: 010'),
    'LEVEL: "010"',
  ],
  [
    'a text for a truth value',
    'node-config-decoding/undecodable',
    AL2023,
    config('featureGates:', '  FastImagePull: "True"'),
    'FastImagePull: true',
  ],
  [
    'a misspelt field',
    'node-config-unknown-field/unknown',
    AL2023,
    config('instance:', '  localstorage:', '    strategy: RAID0'),
    'localStorage:',
  ],
  [
    'a misspelt strategy',
    'node-config-value/strategy',
    AL2023,
    config('instance:', '  localStorage:', '    strategy: RAID-0'),
    'strategy: RAID0',
  ],
  [
    'a misspelt gate',
    'node-config-value/noEffect',
    AL2023,
    config('featureGates:', '  fastImagePull: true'),
    'FastImagePull: true',
  ],
  [
    'max pods in quotes',
    'node-config-value/maxPods',
    OWN_AL2023,
    [...cluster({})].flatMap((line) =>
      /^ {4}cidr/.test(line) ? [line, '  kubelet:', '    config:', '      maxPods: "58"'] : [line],
    ),
    'maxPods: 58',
  ],
  [
    'max pods of EKS',
    'node-config-overridden/mayBeOverridden',
    AL2023,
    config('kubelet:', '  config:', '    maxPods: 58', '    registryPullQPS: 20'),
    'config:\n      registryPullQPS',
  ],
  [
    'an expression beside the max pods of EKS',
    'node-config-overridden/overridden',
    AL2023,
    config('kubelet:', '  maxPodsExpression: max_pods - 2', '  config:', '    registryPullQPS: 20'),
    'kubelet:\n    config',
  ],
  [
    'max pods of EKS alone',
    'node-config-overridden/mayBeOverridden',
    AL2023,
    config('kubelet:', '  config:', '    maxPods: 58', 'instance:', '  localStorage: { strategy: RAID0 }'),
    'spec:\n  instance',
  ],
  [
    'nothing but max pods of EKS',
    'node-config-overridden/mayBeOverridden',
    AL2023,
    config('kubelet:', '  config:', '    maxPods: 58'),
    'spec: {}',
  ],
  [
    'an authority with too much padding',
    'node-config-certificate-authority/undecodable',
    OWN_AL2023,
    cluster({ certificateAuthority: `"${ONCE}=="` }),
    ONCE,
  ],
  [
    'an authority in base64 of base64',
    'node-config-certificate-authority/useless',
    OWN_AL2023,
    cluster({ certificateAuthority: Buffer.from(ONCE).toString('base64') }),
    ONCE,
  ],
  [
    'an authority as PEM',
    'node-config-certificate-authority/undecodable',
    OWN_AL2023,
    cluster({ certificateAuthority: `|\n${CERTIFICATE.trimEnd().replaceAll(/^/gm, '        ')}` }).flatMap((line) =>
      line.split('\n'),
    ),
    ONCE,
  ],
  [
    'a range of no boundary',
    'node-config-service-cidr/dns',
    { ...OWN_AL2023, network: 'default' },
    cluster({ cidr: '172.20.5.0/16' }),
    'cidr: 172.20.0.0/16',
  ],
  [
    'the range of another cluster',
    'node-config-service-cidr/dns',
    OWN_AL2023,
    cluster({ cidr: '172.20.0.0/16' }),
    'cidr: 10.96.0.0/16',
  ],
  [
    'a range of another family',
    'node-config-service-cidr/family',
    OWN_AL2023,
    cluster({ cidr: 'fd00:abcd::/108' }),
    'cidr: 10.96.0.0/16',
  ],
  [
    'a range without mask',
    'node-config-service-cidr/invalid',
    OWN_AL2023,
    cluster({ cidr: '10.96.0.0' }),
    'cidr: 10.96.0.0/16',
  ],
  [
    'a NodeConfig without range',
    'node-config-cluster/incomplete',
    OWN_AL2023,
    cluster({ cidr: '' }),
    'cidr: "10.96.0.0/16"',
  ],
  [
    'a NodeConfig without cluster',
    'node-config-cluster/incomplete',
    OWN_AL2023,
    config('instance:', '  localStorage: { strategy: RAID0 }'),
    'cluster:\n    name: "',
  ],
  [
    'an option joined by =',
    'bootstrap-script-arguments/ignored',
    OWN_AL2,
    call('echo ${NAME}', "/etc/eks/bootstrap.sh ${CLUSTER} --kubelet-extra-args='--v=2'"),
    "--kubelet-extra-args '--v=2'",
  ],
  [
    'a runtime that is gone',
    'bootstrap-script-arguments/refused',
    OWN_AL2,
    call('/etc/eks/bootstrap.sh ${CLUSTER} \\', '  --container-runtime dockerd \\', "  --kubelet-extra-args '--v=2'"),
    "\\\n  --kubelet-extra-args '--v=2'",
  ],
  [
    'max pods twice',
    'bootstrap-script-arguments/maxPods',
    OWN_AL2,
    call("/etc/eks/bootstrap.sh ${CLUSTER} --kubelet-extra-args '--max-pods=58' # few"),
    "'--max-pods=58' --use-max-pods false # few",
  ],
  [
    'no name of the cluster',
    'bootstrap-script-arguments/clusterName',
    OWN_AL2,
    call('echo ${NAME}', "/etc/eks/bootstrap.sh --kubelet-extra-args '--v=2'"),
    '/etc/eks/bootstrap.sh ${CLUSTER} --kubelet-extra-args',
  ],
  [
    'the range of another cluster in a call',
    'bootstrap-script-arguments/dns',
    OWN_AL2,
    call(
      `/etc/eks/bootstrap.sh \${CLUSTER} --apiserver-endpoint https://x.eks.amazonaws.com --b64-cluster-ca ${ONCE} --service-ipv4-cidr 172.20.0.0/16`,
    ),
    '--service-ipv4-cidr 10.96.0.0/16',
  ],
  [
    'a guessed DNS server',
    'bootstrap-script-arguments/dns',
    OWN_AL2,
    call(`/etc/eks/bootstrap.sh \${CLUSTER} --apiserver-endpoint https://x.eks.amazonaws.com --b64-cluster-ca ${ONCE}`),
    '--dns-cluster-ip 10.96.0.10',
  ],
  [
    'a way to set up disks in capitals',
    'bootstrap-script-arguments/refused',
    OWN_AL2,
    call('/etc/eks/bootstrap.sh ${CLUSTER} --local-disks RAID0'),
    '--local-disks raid0',
  ],
  [
    'help',
    'bootstrap-script-arguments/refused',
    OWN_AL2,
    call('/etc/eks/bootstrap.sh ${CLUSTER} --help'),
    'bootstrap.sh ${CLUSTER}\n',
  ],
  [
    'the IP family of another cluster',
    'bootstrap-script-arguments/ipFamily',
    OWN_AL2,
    call('/etc/eks/bootstrap.sh ${CLUSTER} --ip-family ipv6'),
    '--ip-family ipv4',
  ],
  [
    'a label without quotes',
    'bottlerocket-settings/refused',
    OWN_BOTTLEROCKET,
    toml('[settings.kubernetes.node-labels]', 'example.com = "web"'),
    '"example.com" = "web"',
  ],
  [
    'a label that is a number',
    'bottlerocket-settings/refused',
    OWN_BOTTLEROCKET,
    toml('[settings.kubernetes.node-labels]', '"example.com/size" = 3'),
    '"example.com/size" = "3"',
  ],
  ['max pods as a text', 'bottlerocket-settings/doubtful', OWN_BOTTLEROCKET, toml('max-pods = "58"'), 'max-pods = 58'],
  ['a misspelt setting', 'bottlerocket-settings/doubtful', OWN_BOTTLEROCKET, toml('max_pods = 58'), 'max-pods = 58'],
  [
    'a misspelt effect',
    'bottlerocket-settings/kubelet',
    OWN_BOTTLEROCKET,
    toml('[settings.kubernetes.node-taints]', '"example.com/a" = ["b:noschedule"]'),
    '["b:NoSchedule"]',
  ],
  [
    'a path twice',
    'bottlerocket-settings/refused',
    OWN_BOTTLEROCKET,
    toml('settings.kubernetes.max-pods = 58'),
    '\nmax-pods = 58',
  ],
  [
    'no cluster below a header',
    'bottlerocket-settings/incomplete',
    OWN_BOTTLEROCKET,
    ['# ${NAME}', '[settings.kubernetes]', 'max-pods = 58'],
    'cluster-name = "${CLUSTER}"',
  ],
  [
    'no cluster at all',
    'bottlerocket-settings/incomplete',
    OWN_BOTTLEROCKET,
    ['# ${NAME}', '[settings.host-containers.admin]', 'enabled = true'],
    'cluster-name = "${CLUSTER}"',
  ],
  [
    'a misspelt part of the cluster',
    'bottlerocket-settings/incomplete',
    OWN_BOTTLEROCKET,
    toml().map((line) => line.replace('cluster-name', 'cluster_name')),
    'cluster-name = "${CLUSTER}"',
  ],
  [
    'PowerShell without tags',
    'windows-user-data/notRun',
    OWN_WINDOWS,
    ['# ${NAME}', '& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName ${CLUSTER}'],
    '</powershell>',
  ],
  [
    'tags in capitals',
    'windows-user-data/tag',
    OWN_WINDOWS,
    [
      '<PowerShell>',
      '& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName ${CLUSTER}',
      '</PowerShell>',
    ],
    '</powershell>',
  ],
  [
    'a tag that stays open',
    'windows-user-data/notRun',
    OWN_WINDOWS,
    ['<powershell>', '& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName ${CLUSTER}'],
    '</powershell>',
  ],
  [
    'nodeadm init beside a NodeConfig',
    'nodeadm-init-in-user-data/init',
    OWN_AL2023,
    [...cluster({}).slice(0, -1), '--B', ...script('echo done', 'nodeadm init', 'echo ${NAME}'), '--B--'],
    'echo done\necho',
  ],
  [
    'the stub',
    'user-data-ami-family/stub',
    AL2023,
    mime(script('echo ${NAME}', '/etc/eks/bootstrap.sh ${CLUSTER}', 'echo done')),
    'echo ${NAME}\necho done',
  ],
  [
    'the stub with arguments',
    'user-data-ami-family/stub',
    AL2023,
    mime(
      script(
        'echo ${NAME}',
        "/etc/eks/bootstrap.sh ${CLUSTER} --kubelet-extra-args '--node-labels=team=${NAME}'",
        'echo done',
      ),
    ),
    '- "--node-labels=team=${NAME}"',
  ],
  [
    'the bootstrap of AL2',
    'user-data-ami-family/al2023',
    OWN_AL2023,
    call('echo ${NAME}', "/etc/eks/bootstrap.sh ${CLUSTER} --use-max-pods false --kubelet-extra-args '--max-pods=58'"),
    'maxPods: 58',
  ],
  [
    'the bootstrap of AL2 alone',
    'user-data-ami-family/al2023',
    OWN_AL2023,
    call('/etc/eks/bootstrap.sh ${CLUSTER}'),
    'cidr: "10.96.0.0/16"\n--//--',
  ],
  [
    'the bootstrap of AL2 in a document',
    'user-data-ami-family/al2023',
    OWN_AL2023,
    mime(script('/etc/eks/bootstrap.sh ${CLUSTER}', 'echo done')),
    'Content-Type: application/node.eks.aws',
  ],
  [
    'a script without bootstrap on AL2',
    'node-user-data-missing-bootstrap/al2',
    OWN_AL2,
    call('echo ${NAME}'),
    'echo ${NAME}\n/etc/eks/bootstrap.sh ${CLUSTER}',
  ],
  [
    'a script without bootstrap on AL2023',
    'node-user-data-missing-bootstrap/al2023',
    OWN_AL2023,
    call('echo ${NAME}'),
    'kind: "NodeConfig"',
  ],
  [
    'a document without bootstrap on AL2023',
    'node-user-data-missing-bootstrap/al2023',
    OWN_AL2023,
    mime(ECHO),
    'kind: "NodeConfig"',
  ],
  [
    'PowerShell without bootstrap',
    'node-user-data-missing-bootstrap/windows',
    OWN_WINDOWS,
    ['<powershell>', 'Write-Output "${NAME}"', '</powershell>'],
    'Start-EKSBootstrap.ps1" -EKSClusterName ${CLUSTER}\n</powershell>',
  ],
  [
    'closed before the last part',
    'user-data-mime-structure/broken',
    AL2023,
    changed((lines) => (lines[secondBoundary(lines)] = '--B--')),
    '\n--B\nContent-Type: text/x-shellscript',
  ],
  [
    'closed before a boundary',
    'user-data-mime-structure/broken',
    AL2023,
    changed((lines) => lines.splice(secondBoundary(lines), 0, '--B--')),
    'RAID0\n\n--B\nContent-Type: text/x-shellscript',
  ],
  [
    'a boundary twice',
    'user-data-mime-structure/broken',
    AL2023,
    changed((lines) => lines.splice(3, 0, '--B')),
    '"B"\n\n--B\nContent-Type: application/node.eks.aws',
  ],
  [
    'no empty line behind the headers of a part',
    'user-data-mime-structure/broken',
    AL2023,
    changed((lines) => lines.splice(5, 1)),
    'node.eks.aws\n\napiVersion',
  ],
  [
    'an empty line before the headers of a part',
    'user-data-mime-structure/broken',
    AL2023,
    changed((lines) => lines.splice(4, 0, '')),
    '--B\nContent-Type: application/node.eks.aws',
  ],
  [
    'a NodeConfig of another type',
    'user-data-mime-structure/broken',
    AL2023,
    changed((lines) => (lines[4] = 'Content-Type: text/yaml')),
    '--B\nContent-Type: application/node.eks.aws\n',
  ],
  [
    'a NodeConfig without type',
    'user-data-mime-structure/broken',
    AL2023,
    changed((lines) => (lines[4] = 'Content-Disposition: inline')),
    'Content-Type: application/node.eks.aws\n',
  ],
  [
    'no MIME-Version',
    'user-data-mime-structure/broken',
    AL2023,
    changed((lines) => lines.shift()),
    'MIME-Version: 1.0\n',
  ],
  [
    'a script without #!',
    'user-data-shebang/fails',
    AL2023,
    changed((lines) => lines.splice(lines.indexOf('#!/bin/bash'), 1)),
    '"us-ascii"\n\n#!/bin/bash\necho',
  ],
  [
    'an empty line before #!',
    'user-data-shebang/fails',
    AL2023,
    changed((lines) => lines.splice(lines.indexOf('#!/bin/bash'), 0, '')),
    '"us-ascii"\n\n#!/bin/bash\necho',
  ],
  [
    'a lone script without #!',
    'user-data-shebang/ignored',
    OWN_AL2,
    ['echo ${NAME}', '/etc/eks/bootstrap.sh ${CLUSTER}'],
    '#!/bin/bash\necho',
  ],
];

/** The messages, as `rule/message`, that have a case. */
export const CORRECTED_MESSAGES: ReadonlySet<string> = new Set(CORRECTED_CASES.map(([, message]) => message));
