import {
  clusterCoordinates,
  fillsReferences,
  isOfTemplate,
  OF_PARAMETERS,
  ownServiceRange,
  type BootCase,
  type ClusterCoordinates,
} from '../../eks';
import { nodeConfigOf, type BootstrapCall } from '../../eks/user-data/bootstrap-script';
import {
  correctedLines,
  correctedText,
  WITHIN_MODULE,
  type CorrectedLines,
  type TextCorrection,
} from '../../eks/user-data/correction';
import type { UserDataDocument, UserDataPart } from '../../eks/user-data/document';
import { renderNodeConfig, validateNodeConfig, type NodeConfigSpec } from '../../eks/user-data/node-config';
import { runningScriptOf } from '../../eks/user-data/scripts';
import type { ShellCommand, ShellWord } from '../../eks/user-data/shell';
import { readWindows } from '../../eks/user-data/windows';
import { kubeletVersionOf } from './boot-version';

/*
 * The user's own user data with the bootstrap that it lacks, or with that of AL2023 in place of that of AL2. Undefined where a value isn't known, or
 * where it can't be told how the file has it.
 */

/** How user data names the cluster, where `${…}` in it is filled in. */
export function coordinatesIn({ boot, template, document }: BootCase): ClusterCoordinates | undefined {
  const resource = template ?? boot.nodeGroup;
  if (document === undefined || !fillsReferences(document.text, resource)) return undefined;
  return clusterCoordinates(boot.view.cluster, resource);
}

/** The same for a NodeConfig, for which code for the whole user data of a template can bring what fills it in, and a range that has to be looked up. */
function coordinatesOfConfig(boot: BootCase): (ClusterCoordinates & { readonly cidr: string }) | undefined {
  const { template, document } = boot;
  const resource = template ?? boot.boot.nodeGroup;
  const isFillable = document !== undefined && isOfTemplate(document.text, resource);
  const own = boot.boot.view.cluster;
  const elsewhere = own === undefined ? OF_PARAMETERS : undefined;
  const cluster = coordinatesIn(boot) ?? (isFillable ? (clusterCoordinates(own, resource) ?? elsewhere) : undefined);
  return cluster === undefined ? undefined : { ...cluster, cidr: cluster.cidr ?? CHOSEN_RANGE };
}

/**
 * The service range that EKS chooses in most cases where a cluster is given none, which no attribute of a template tells. Source: awslabs/amazon-eks-ami,
 * files/bootstrap.sh, which tells the DNS server by it.
 */
const CHOSEN_RANGE = '172.20.0.0/16';

const CHOSEN_BY =
  'the choice of EKS where the VPC has addresses of 10.0.0.0/8, else 10.100.0.0/16; describe-cluster tells it as serviceIpv4Cidr';

/** With the call that joins AL2 nodes to their cluster, at the end of the last script. */
export function withBootstrapScript(boot: BootCase): CorrectedLines | undefined {
  const { document } = boot;
  const cluster = coordinatesIn(boot);
  const part = document?.parts.findLast((one) => runningScriptOf(one) !== undefined);
  const commands = part === undefined ? [] : (runningScriptOf(part)?.script.commands ?? []);
  // What follows the end of a script doesn't run.
  const isOpen = commands.at(-1)?.reachable !== false && !/^(?:exit|exec)$/.test(commands.at(-1)?.words[0]?.text ?? '');
  if (document === undefined || cluster === undefined || part === undefined || !isOpen || !isPlain(document, part))
    return undefined;
  const end = part.bodyOffset + part.body.text.trimEnd().length;
  return correctedLines(document.text, { start: end, end, text: `\n/etc/eks/bootstrap.sh ${cluster.name}` });
}

/** With the call that joins Windows nodes to their cluster, at the end of the PowerShell. */
export function withWindowsBootstrap(boot: BootCase): CorrectedLines | undefined {
  const { document } = boot;
  const cluster = coordinatesIn(boot);
  if (document === undefined || cluster === undefined) return undefined;
  const { text } = document;
  const block = readWindows(text).blocks.findLast(({ tag, isClosed }) => tag === 'powershell' && isClosed);
  if (block === undefined || !/\n[ \t]*$/.test(text.text.slice(0, block.bodyEnd))) return undefined;
  const at = text.text.lastIndexOf('\n', block.bodyEnd) + 1;
  const call = `& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName ${cluster.name}`;
  return correctedLines(text, { start: at, end: at, text: `${call}\n` });
}

/** With the NodeConfig that joins AL2023 nodes to their cluster. */
export function withNodeConfig(boot: BootCase): CorrectedLines | undefined {
  const cluster = coordinatesOfConfig(boot);
  return cluster === undefined ? undefined : withPart(boot, { cluster });
}

/** With a NodeConfig in place of the one call of `bootstrap.sh`, that does what the call does; alone without it, where it does nothing on AL2023. */
export function inNodeConfig(boot: BootCase): CorrectedLines | undefined {
  const { document } = boot;
  const calls = (document?.parts ?? []).flatMap((part) =>
    (runningScriptOf(part)?.bootstrapCalls ?? []).map((call) => ({ call, part })),
  );
  const [first] = calls;
  if (document === undefined || first === undefined || calls.length > 1) return undefined;
  const { call, part } = first;
  const removal = withoutCommand(document, part, call.command);
  const spec = specOf(boot, call);
  if (removal === undefined || spec === undefined || !isPlain(document, part)) return undefined;
  const open = parametersOf(boot, call)?.others;
  const isEmpty = Object.keys(spec).length === 0;
  if (isEmpty && (isByUser(boot) || document.format !== 'multipart')) return undefined;
  return isEmpty ? correctedLines(document.text, removal) : withPart(boot, spec, removal, open);
}

/** What the bootstrap that comes anyway finds out or is given by itself. */
const TOLD_ANYWAY: ReadonlySet<string> = new Set([
  '--apiserver-endpoint',
  '--b64-cluster-ca',
  '--container-runtime',
  '--dns-cluster-ip',
  '--ip-family',
]);

/** Without a call of `bootstrap.sh` that says nothing of its own, such as arguments of kubelet, beside a bootstrap that comes anyway. */
export function withoutBareCall(
  document: UserDataDocument,
  part: UserDataPart,
  { command, options, possibleOptions, hasUnknownWords, ignored, unknownFlags, isPatched }: BootstrapCall,
): CorrectedLines | undefined {
  const isBare =
    [...options.keys()].every((name) => TOLD_ANYWAY.has(name)) &&
    possibleOptions.size + ignored.length + unknownFlags.length + command.redirections.length === 0;
  const removal = isBare && !hasUnknownWords && !isPatched ? withoutCommand(document, part, command) : undefined;
  return removal === undefined ? undefined : correctedLines(document.text, removal);
}

/**
 * Code of the CDK that puts a NodeConfig in place of the one call of `bootstrap.sh`, where the script does nothing else. Empty where it does, or where a
 * value isn't known.
 */
export function nodeConfigInCdk(boot: BootCase): string {
  const { document, template } = boot;
  const scripts = (document?.parts ?? []).flatMap((part) => runningScriptOf(part) ?? []);
  const [script, ...others] = scripts;
  const [call, ...more] = script?.bootstrapCalls ?? [];
  if (document?.parts.length !== scripts.length || others.length > 0 || call === undefined || more.length > 0)
    return '';
  const isAlone = script?.script.commands.every(
    (command) => command === call.command || command.words[0]?.text === 'set',
  );
  const spec = isAlone === true && template?.dialect.name === 'aws-cdk' ? specOf(boot, call, IN_CDK) : undefined;
  if (spec === undefined || Object.keys(spec).length === 0) return '';
  // The call may name the cluster by itself.
  const own = `\${${boot.boot.view.cluster?.id ?? ''}}`;
  const cluster = spec.cluster?.name === own ? { cluster: { ...spec.cluster, name: IN_CDK.name } } : {};
  const whole = { apiVersion: 'node.eks.aws/v1alpha1', kind: 'NodeConfig', spec: { ...spec, ...cluster } };
  const isOpen = isRangeOpen(boot, spec);
  const text = objectInCdk(whole, '  ').replace(/^ *cidr: .*$/m, (line) => (isOpen ? `${line} // ${CHOSEN_BY}` : line));
  // What else a template fills in, the app has under another name.
  if (text.includes('${')) return '';
  return [
    '// before the LaunchTemplate:',
    'const userData = new ec2.MultipartUserData();',
    'userData.addPart(ec2.MultipartBody.fromRawBody({',
    "  contentType: 'application/node.eks.aws',",
    `  body: Stack.of(this).toJsonString(${text}),`,
    '}));',
    '// in the options of the LaunchTemplate:',
    'userData, // in place of what it has',
  ].join('\n');
}

/** What stands for the cluster in a NodeConfig that becomes code of the CDK. */
const IN_CDK = {
  name: '${cluster.clusterName}',
  apiServerEndpoint: '${cluster.clusterEndpoint}',
  certificateAuthority: '${cluster.clusterCertificateAuthorityData}',
} as const;

function objectInCdk(value: unknown, indent: string): string {
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return `[${(value as readonly unknown[]).map((item) => objectInCdk(item, inner)).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return [
      '{',
      ...Object.entries(value).map(([key, item]) => {
        const name = /^[a-zA-Z]\w*$/.test(key) ? key : `'${key}'`;
        return `${inner}${name}: ${objectInCdk(item, inner)},`;
      }),
      `${indent}}`,
    ].join('\n');
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^\$\{(cluster\.\w+)\}$/.exec(value)?.[1] ?? `'${value.replaceAll(/[\\']/g, '\\$&')}'`;
}

/** What a NodeConfig has to say for what a call says; undefined if something of it is decided later than in the template, or by somebody. */
function specOf(
  boot: BootCase,
  call: BootstrapCall,
  names?: Omit<ClusterCoordinates, 'cidr'>,
): NodeConfigSpec | undefined {
  const { command, condition, isGuarded, isPatched, possibleOptions } = call;
  if (condition !== 'always' || isGuarded || isPatched || possibleOptions.size > 0) return undefined;
  if (command.effective.some((word) => !isWritten(word)) || command.redirections.length > 0) return undefined;
  const version = kubeletVersionOf(boot);
  const byUser = isByUser(boot);
  const own = names === undefined ? undefined : boot.boot.view.cluster;
  const cluster = !byUser
    ? undefined
    : names === undefined
      ? coordinatesOfConfig(boot)
      : { ...names, cidr: own === undefined ? undefined : (ownServiceRange(own) ?? CHOSEN_RANGE) };
  if (byUser && cluster?.cidr === undefined) return undefined;
  const given = parametersOf(boot, call);
  const named = given?.name === undefined ? {} : { name: `\${${given.name}}` };
  const { spec: translated, notes } = nodeConfigOf(call, {
    kubernetesVersion: version.kind === 'known' ? version.value : '1.33',
    ...(cluster?.cidr === undefined ? {} : { cluster: { ...cluster, ...named, cidr: cluster.cidr } }),
  });
  const spec = names === undefined ? namedAsWritten(translated, call, cluster) : translated;
  if (WITHIN_MODULE.test(JSON.stringify(spec))) return undefined;
  const document = { apiVersion: 'node.eks.aws/v1alpha1', kind: 'NodeConfig', spec };
  const isOpaque = (value: unknown): boolean => typeof value === 'string' && value.includes('${');
  const isOverridden = !byUser && spec.kubelet?.config?.['maxPods'] !== undefined;
  // Of arguments of a parameter a remark tells, whether the script takes them or not.
  const told =
    given === undefined ? 0 : Number(call.hasUnknownWords) + (given.others === undefined ? 0 : call.ignored.length);
  return notes.length > told || isOverridden || validateNodeConfig(document, isOpaque).length > 0 ? undefined : spec;
}

/**
 * The name of the cluster by the reference that the call has it from, since other callers of a module give another one; and what is named by an address
 * within a module, which no text can name, as code beside the resource names it.
 */
function namedAsWritten(
  spec: NodeConfigSpec,
  { clusterName }: BootstrapCall,
  own: Partial<ClusterCoordinates> | undefined,
): NodeConfigSpec {
  if (spec.cluster === undefined) return spec;
  const expression = clusterName?.reference?.expression;
  const written = expression?.startsWith('${') === true ? expression : `\${${expression ?? ''}}`;
  const name = expression === undefined || expression.startsWith('!') ? {} : { name: written };
  const reached = Object.entries(spec.cluster).map(([key, value]) => {
    const known = own?.[key as keyof ClusterCoordinates];
    return [key, typeof value === 'string' && WITHIN_MODULE.test(value) ? (known ?? value) : value] as const;
  });
  return { ...spec, cluster: { ...(Object.fromEntries(reached) as typeof spec.cluster), ...name } };
}

/** Parameters of a template without the cluster that a call has as its words: the name, unless that is written, and one for arguments that only its owner knows. */
interface OfParameters {
  readonly name: string | undefined;
  readonly others: string | undefined;
}

function parametersOf({ boot }: BootCase, { command, options, clusterName }: BootstrapCall): OfParameters | undefined {
  const values = new Set([...options.values()].map(({ value }) => value?.start));
  const open = command.effective
    .slice(1)
    .filter(({ text, start }) => text === undefined && !values.has(start))
    .map((word) => /^\$\{(\w+)\}$/.exec(word.show())?.[1]);
  const isNamed = clusterName?.text !== undefined;
  const [name, others, ...more] = isNamed ? [undefined, ...open] : open;
  const areParameters = open.every((one) => one !== undefined) && more.length === 0;
  const isTold = areParameters && (isNamed || /cluster/i.test(name ?? ''));
  return boot.view.cluster === undefined && isTold ? { name, others } : undefined;
}

function isByUser({ bootstrapBy }: BootCase): boolean {
  return bootstrapBy !== 'eks' && bootstrapBy !== 'karpenter';
}

/** Whether a template fills in all that isn't known of a word, so that it can stand in a NodeConfig, too. */
function isWritten({ fragments }: ShellWord): boolean {
  return fragments.every((fragment) => !('unknown' in fragment) || fragment.part !== undefined);
}

/** The lines of a command, if nothing else stands on them. */
export function withoutCommand(
  document: UserDataDocument,
  part: UserDataPart,
  { offset, end }: ShellCommand,
): TextCorrection | undefined {
  const { text } = part.body;
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const behind = text.indexOf('\n', end);
  const to = behind < 0 ? text.length : behind;
  const isAlone = text.slice(start, offset).trim() === '' && /^\s*(?:#.*)?$/.test(text.slice(end, to));
  if (!isAlone || !isPlain(document, part)) return undefined;
  return { start: part.bodyOffset + start, end: part.bodyOffset + to, text: '' };
}

/** Whether a part stands in the document as it is. */
function isPlain({ text, layers }: UserDataDocument, { body, bodyOffset }: UserDataPart): boolean {
  return layers.length === 0 && text.text.startsWith(body.text, bodyOffset);
}

const TYPES: Readonly<Record<string, string>> = {
  'shell-script': 'text/x-shellscript; charset="us-ascii"',
  'cloud-config': 'text/cloud-config; charset="us-ascii"',
};

const NODE_CONFIG_TYPE = 'Content-Type: application/node.eks.aws';

/** With a NodeConfig as a part in front of the others, and without lines that it takes the place of. */
function withPart(
  boot: BootCase,
  spec: NodeConfigSpec,
  removal?: TextCorrection,
  open?: string,
): CorrectedLines | undefined {
  const { document } = boot;
  if (document === undefined || document.layers.length > 0) return undefined;
  // What nodeadm couldn't read of the document is put right with it.
  const repairs = document.defects.map(({ correction }) => correction);
  const remark =
    open === undefined
      ? ''
      : `\n  # what ${open} gave to bootstrap.sh for kubelet goes here: "kubelet:" with "flags:" or "config:"`;
  const added = partIn(document, renderedIn(boot, spec) + remark, removal);
  const corrections = repairs.length === 0 || added === undefined ? added : inOrder([...repairs, ...added]);
  if (corrections === undefined) return undefined;
  if (spec.cluster !== undefined && coordinatesIn(boot) === undefined)
    return correctedText(document.text, ...corrections);
  const corrected = correctedLines(document.text, ...corrections);
  return corrected !== undefined && isRangeOpen(boot, spec) ? { ...corrected, isOpen: true } : corrected;
}

/** Corrections in the order of the text; undefined where one isn't known, or two are about the same place. */
function inOrder(corrections: readonly (TextCorrection | undefined)[]): readonly TextCorrection[] | undefined {
  const known = corrections.flatMap((one) => one ?? []).toSorted((one, other) => one.start - other.start);
  const areApart = known.every(({ start }, index) => index === 0 || start >= (known[index - 1]?.end ?? 0));
  return known.length < corrections.length || !areApart ? undefined : known;
}

/** Whether somebody has to look the service range up that a NodeConfig has. */
function isRangeOpen({ boot }: BootCase, { cluster }: NodeConfigSpec): boolean {
  return (
    cluster?.cidr === CHOSEN_RANGE &&
    boot.view.cluster?.type === 'AWS::EKS::Cluster' &&
    ownServiceRange(boot.view.cluster) === undefined
  );
}

function renderedIn(boot: BootCase, spec: NodeConfigSpec): string {
  const text = renderNodeConfig(spec).trimEnd();
  return isRangeOpen(boot, spec) ? text.replace(/^ *cidr: .*$/m, (line) => `${line} # ${CHOSEN_BY}`) : text;
}

function partIn(
  { text, format, parts }: UserDataDocument,
  nodeConfig: string,
  removal: TextCorrection | undefined,
): readonly TextCorrection[] | undefined {
  const whole = text.text;
  const removed = removal === undefined ? [] : [{ ...removal, end: Math.min(removal.end + 1, whole.length) }];
  if (format === 'multipart') {
    const [first] = parts;
    if (first === undefined) return undefined;
    const start = whole.lastIndexOf('\n', first.headerOffset - 2) + 1;
    const boundary = whole.slice(start, first.headerOffset).trimEnd();
    if (!/^--\S+$/.test(boundary)) return undefined;
    const added = `${[boundary, NODE_CONFIG_TYPE, '', nodeConfig, ''].join('\n')}\n`;
    return [{ start, end: start, text: added }, ...removed];
  }
  const type = TYPES[format];
  if (type === undefined || whole.includes('--//')) return undefined;
  const head = ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary="//"', '', '--//', NODE_CONFIG_TYPE, ''];
  const end = whole.trimEnd().length;
  const rest = removal === undefined ? whole : whole.slice(0, removal.start) + whole.slice(removal.end);
  // A script of nothing but its first line and options has nothing left to do.
  if (format === 'shell-script' && rest.split('\n').every((line) => /^(?:$|#|set )/.test(line.trim())))
    return [{ start: 0, end, text: [...head, nodeConfig, '--//--'].join('\n') }];
  return [
    {
      start: 0,
      end: 0,
      text: `${[...head, nodeConfig, '', '--//', `Content-Type: ${type}`, ''].join('\n')}\n`,
    },
    ...removed,
    { start: end, end, text: `${removed.at(-1)?.end === whole.length ? '' : '\n'}--//--` },
  ];
}
