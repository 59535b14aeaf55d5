import { defineRule } from '../../engine';
import { bottlerocketSettingsOf, isDataMap, Unknown, type BootCase } from '../../eks';
import {
  constructsEksCannotMerge,
  dotted,
  eksOwnedSettings,
  JOIN_SETTINGS,
  missingJoinSettings,
  problemsBesideEks,
  type BottlerocketProblem,
  type BottlerocketProblemKind,
  type BottlerocketReading,
  type JoinSetting,
} from '../../eks/user-data/bottlerocket';
import { correctedLines, type TextCorrection } from '../../eks/user-data/correction';
import { judgeAllUserData } from '../parts/boot-judgements';
import { bootStateOf } from '../parts/boot-state';
import { listOf } from '../../text/in-words';
import { coordinatesIn } from '../parts/corrected-bootstrap';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { lineAt } from '../parts/about';

/*
 * Bottlerocket hands the table `settings` of its user data to the settings API before anything else starts. What the API refuses ends
 * the boot; there is no partial success. In managed groups without an AMI of their own EKS adds the cluster, and has to merge.
 * Sources: bottlerocket-os/bottlerocket-core-kit, sources/early-boot-config; Bottlerocket's reference of settings; EKS user guide,
 * "Customize managed nodes with launch templates".
 */

const CODE = {
  cloudformation: [
    'UserData:',
    '  Fn::Base64: !Sub |',
    '    [settings.kubernetes]',
    '    cluster-name = "${Cluster}"',
    '    api-server = "${Cluster.Endpoint}"',
    '    cluster-certificate = "${Cluster.CertificateAuthorityData}"',
    '    [settings.kubernetes.node-labels]',
    '    "example.com/team" = "web"',
    '    [settings.kubernetes.node-taints]',
    '    "example.com/dedicated" = ["web:NoSchedule"]',
  ].join('\n'),
  'aws-cdk': [
    "// from 'eks-guardrails/aws-cdk': writes the cluster, labels and taints by itself",
    "new ManagedNodeGroup(this, 'Workers', {",
    '  cluster,',
    '  amiFamily: AmiFamily.BOTTLEROCKET,',
    "  labels: { 'example.com/team': 'web' },",
    '  bottlerocketSettings: new BottlerocketSettings({ hostContainers: { admin: { enabled: true } } }),',
    '});',
  ].join('\n'),
  terraform: [
    'user_data = base64encode(<<-EOT',
    '  [settings.kubernetes]',
    '  cluster-name = "${aws_eks_cluster.main.name}"',
    '  api-server = "${aws_eks_cluster.main.endpoint}"',
    '  cluster-certificate = "${aws_eks_cluster.main.certificate_authority[0].data}"',
    '  [settings.kubernetes.node-labels]',
    '  "example.com/team" = "web"',
    'EOT',
    ')',
  ].join('\n'),
};

const FIX = {
  summary: '{{fix}}',
  code: CODE,
  safety: 'needs-decision',
} as const;

const PUT_RIGHT = { ...FIX, effect: NODES_ROLL, repairs: [{ kind: 'lines', field: 'userData' }] } as const;

export const bottlerocketSettings = defineRule<Message>({
  id: 'bottlerocket-settings',
  subject: 'node-bootstrap',
  title: 'The user data of Bottlerocket nodes is TOML that Bottlerocket takes, with all that a node needs to join',
  severity: 'error',
  since: '0.1.0',
  messages: {
    refused: {
      text: '{{where}}: {{subject}} {{problem}}{{line}}. Bottlerocket refuses the settings and stops booting, so the nodes never join.',
      fix: PUT_RIGHT,
    },
    kubelet: {
      text: "{{where}}: {{subject}} {{problem}}{{line}}. Bottlerocket takes any word for an effect; kubelet doesn't start with one that it doesn't know, so the nodes never join.",
      fix: PUT_RIGHT,
    },
    doubtful: {
      text: '{{where}}: {{subject}} {{problem}}{{line}}. If Bottlerocket refuses that, it stops booting, and the nodes never join.',
      fix: PUT_RIGHT,
    },
    nodeClass: {
      text: '{{where}}: {{subject}} {{problem}}{{line}}. Karpenter reads the user data as TOML to put its own settings to it; that fails, and it starts no node with this node class.',
      fix: FIX,
    },
    nodeClassIgnored: {
      text: '{{where}}: {{subject}} {{problem}}{{line}}. Of `settings.kubernetes`, Karpenter hands on only what it knows, so this has no effect. Only its own log says so, with `Unknown parameter in userData K8s settings`.',
      fix: FIX,
    },
    ignored: { text: '{{where}}: {{subject}} {{problem}}{{line}}.', fix: FIX },
    certificate: {
      text: '{{where}}: {{subject}} {{problem}}{{line}}. With anything but the certificate authority of the cluster the nodes never join.',
      fix: FIX,
    },
    incomplete: {
      text: '{{where}} brings its own bootstrap, and its settings leave out {{settings}}{{misspelt}}. Without them nothing tells the nodes which cluster to join, so they never do.',
      fix: {
        summary:
          'Add {{settings}} to `settings.kubernetes`; or leave the AMI of a managed group to EKS, which adds them then.',
        code: CODE,
        safety: 'needs-decision',
        effect: NODES_ROLL,
        repairs: [{ kind: 'lines', field: 'userData' }],
      },
    },
    unmergeable: {
      text: "{{where}}: the user data {{problem}}{{line}}. It names no AMI, so EKS has to merge its own settings into this, and documents that it can't.",
      fix: FIX,
    },
    ownLabel: { text: '{{where}}: {{subject}} {{problem}}{{line}}.', fix: FIX },
  },
  *check(model) {
    yield* judgeAllUserData(model, ['BOTTLEROCKET'], judge);
  },
});

type Message =
  | 'refused'
  | 'kubelet'
  | 'doubtful'
  | 'nodeClass'
  | 'nodeClassIgnored'
  | 'ignored'
  | 'certificate'
  | 'incomplete'
  | 'unmergeable'
  | 'ownLabel';

function judge(boot: BootCase): readonly LaunchOutcome<Message>[] {
  const { document, when, bootstrapBy } = boot;
  const state = bootStateOf(boot).kind;
  if (document === undefined || (state !== 'own' && state !== 'additions')) return [];
  const reading = bottlerocketSettingsOf(document);
  if (bootstrapBy === 'karpenter') return judgeInNodeClass(boot, reading);
  const missing = bootstrapBy === 'eks' ? [] : missingFrom(reading);
  const misspelt =
    missing.length === 0 ? [] : reading.problems.filter((problem) => missing.some((name) => isMisspelt(problem, name)));
  const problems = bootstrapBy === 'eks' ? problemsBesideEks(reading) : reading.problems;
  const outcomes = problems
    .filter((problem) => !misspelt.includes(problem))
    .map((problem) => problemOutcome(boot, reading, problem));
  if (missing.length > 0) outcomes.push(incomplete(boot, reading, missing, misspelt));
  if (bootstrapBy === 'eks') outcomes.push(...unmergeable(boot, reading));
  outcomes.push(...ownLabels(boot, reading));
  if (outcomes.length > 0) return outcomes;
  const unseen = unseenIn(boot, reading);
  return unseen === undefined ? passing(when) : [{ verdict: 'unverifiable', ...unseen, when }];
}

/** TOML that can't be read. */
const UNREADABLE: ReadonlySet<BottlerocketProblemKind> = new Set(['syntax', 'duplicate']);

/**
 * Karpenter reads the settings, sets those that a node joins with, and drops what it doesn't know of Kubernetes; all others it hands on.
 * Source: aws/karpenter-provider-aws, pkg/providers/amifamily/bootstrap (bottlerocket.go, bottlerocketsettings.go).
 */
function judgeInNodeClass(boot: BootCase, reading: BottlerocketReading): readonly LaunchOutcome<Message>[] {
  const outcomes = reading.problems.flatMap((problem): readonly LaunchOutcome<Message>[] => {
    const { kind, path } = problem;
    const outcome = problemOutcome(boot, reading, problem);
    if (UNREADABLE.has(kind)) return [{ ...outcome, message: 'nodeClass', severity: 'error' }];
    if (path[0] !== 'settings' || path[1] !== 'kubernetes')
      return path.length > 1 || kind === 'outside-settings' ? [outcome] : [];
    return kind === 'unknown-setting' ? [{ ...outcome, message: 'nodeClassIgnored', severity: 'warning' }] : [];
  });
  if (outcomes.length > 0) return outcomes;
  const unseen = unseenIn(boot, reading);
  return unseen === undefined ? passing(boot.when) : [{ verdict: 'unverifiable', ...unseen, when: boot.when }];
}

/** What keeps the rule from telling whether the settings are right. */
function unseenIn(
  { bootstrapBy }: BootCase,
  reading: BottlerocketReading,
): Pick<LaunchOutcome<Message>, 'reason' | 'source'> | undefined {
  if (reading.data instanceof Unknown)
    return { reason: `whether its user data is TOML isn't known: ${reading.data.reason}`, source: reading.data.source };
  if (bootstrapBy === 'eks' || bootstrapBy === 'karpenter') return undefined;
  const kubernetes = reading.valueAt('settings', 'kubernetes');
  for (const name of JOIN_SETTINGS) {
    // A setting that is written counts as right, whatever its value; what a key that isn't known stands for may be this one or not.
    const value =
      isDataMap(kubernetes) && Object.hasOwn(kubernetes, name)
        ? undefined
        : reading.valueAt('settings', 'kubernetes', name);
    if (value instanceof Unknown)
      return {
        reason: `whether it has \`settings.kubernetes.${name}\` isn't known: ${value.reason}`,
        source: value.source,
      };
  }
  return undefined;
}

/** Those that spoil the whole document or the table: what is missing besides shows after they are corrected. */
const STRUCTURAL: ReadonlySet<BottlerocketProblemKind> = new Set([
  'syntax',
  'duplicate',
  'no-settings',
  'repeated-path',
]);

function missingFrom(reading: BottlerocketReading): readonly JoinSetting[] {
  const hides = ({ kind, level, path }: BottlerocketProblem): boolean =>
    (level === 'error' && STRUCTURAL.has(kind)) || (kind === 'wrong-type' && path.length <= 2);
  return reading.problems.some(hides) ? [] : missingJoinSettings(reading);
}

/** `cluster_name` for `cluster-name`: that it is missing tells all. */
function isMisspelt({ kind, path }: BottlerocketProblem, name: JoinSetting): boolean {
  const plain = (text = ''): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return kind === 'unknown-setting' && plain(path.at(-1)) === plain(name);
}

const MESSAGES: Partial<Readonly<Record<BottlerocketProblemKind, Message>>> = {
  'cluster-certificate': 'certificate',
  'outside-settings': 'ignored',
  'taint-effect': 'kubelet',
};

function problemOutcome(
  { when, bootstrapBy }: BootCase,
  reading: BottlerocketReading,
  problem: BottlerocketProblem,
): LaunchOutcome<Message> {
  const isCertificate = problem.kind === 'cluster-certificate';
  // Which of the two certificates wins isn't documented.
  const level = isCertificate && bootstrapBy === 'eks' ? 'warning' : problem.level;
  const message = MESSAGES[problem.kind] ?? (level === 'error' ? 'refused' : 'doubtful');
  // A value that is filled in later has no place of its own; its key has.
  const offset = problem.kind === 'unquoted-value' ? reading.offsetOf(problem.path) : problem.offset;
  return { verdict: 'fail', message, severity: level, when, ...told(reading, { ...problem, offset }) };
}

function incomplete(
  boot: BootCase,
  reading: BottlerocketReading,
  missing: readonly JoinSetting[],
  misspelt: readonly BottlerocketProblem[],
): LaunchOutcome<Message> {
  const { when, bootstrapBy, image } = boot;
  const [first] = misspelt;
  const source = reading.text.sourceAt(first?.offset ?? reading.offsetOf(['settings', 'kubernetes']));
  if (bootstrapBy === 'unknown') {
    const why = image.kind === 'unknown' ? `: ${image.reason}` : '';
    return {
      verdict: 'unverifiable',
      reason: `its settings leave out ${missing.join(', ')}, and whether EKS adds them isn't known${why}`,
      source,
      when,
    };
  }
  const names = listOf(misspelt.map(({ path }) => `\`${shortened(path.at(-1) ?? '')}\``));
  const data = {
    settings: listOf(missing.map((name) => `\`${name}\``)),
    misspelt: misspelt.length === 0 ? '' : `; ${names} is no setting of Bottlerocket`,
  };
  return { verdict: 'fail', message: 'incomplete', source, data, ...completed(boot, reading, missing, misspelt), when };
}

/** The settings that are missing by references to the cluster of the input, or under their right names. */
function completed(
  boot: BootCase,
  reading: BottlerocketReading,
  missing: readonly JoinSetting[],
  misspelt: readonly BottlerocketProblem[],
): Pick<LaunchOutcome<Message>, 'corrected'> {
  const renamed = misspelt.flatMap(({ correction }) => correction ?? []);
  if (misspelt.length > 0)
    return renamed.length === misspelt.length && misspelt.length === missing.length
      ? { corrected: correctedLines(reading.text, ...renamed) }
      : {};
  const cluster = coordinatesIn(boot);
  const kubernetes = reading.valueAt('settings', 'kubernetes');
  // One that is written empty would be there twice.
  const isWritten = isDataMap(kubernetes) && missing.some((name) => Object.hasOwn(kubernetes, name));
  if (cluster === undefined || isWritten) return {};
  const values: Readonly<Record<JoinSetting, string>> = {
    'cluster-name': cluster.name,
    'api-server': cluster.apiServerEndpoint,
    'cluster-certificate': cluster.certificateAuthority,
  };
  const added = reading.withSettings(
    ['settings', 'kubernetes'],
    missing.map((name) => `${name} = "${values[name]}"`),
  );
  return added === undefined ? {} : { corrected: correctedLines(reading.text, added) };
}

function unmergeable({ when }: BootCase, reading: BottlerocketReading): readonly LaunchOutcome<Message>[] {
  return constructsEksCannotMerge(reading).map((found) => ({
    verdict: 'fail',
    message: 'unmergeable',
    severity: 'warning',
    when,
    ...told(reading, { path: [], ...found }),
  }));
}

/** Labels of EKS that change with each version of the launch template, also where its user brings the AMI. */
const CHANGING_LABELS: ReadonlySet<string | undefined> = new Set([
  'eks.amazonaws.com/nodegroup-image',
  'eks.amazonaws.com/sourceLaunchTemplateVersion',
]);

/** Labels that EKS writes itself: with its own bootstrap all of them, else those that are bound to go out of date. */
function ownLabels(
  { boot: { nodeGroup }, bootstrapBy, when }: BootCase,
  reading: BottlerocketReading,
): readonly LaunchOutcome<Message>[] {
  if (nodeGroup.kind !== 'node-group') return [];
  return eksOwnedSettings(reading)
    .filter(({ kind, path }) => kind === 'label' && (bootstrapBy === 'eks' || CHANGING_LABELS.has(path.at(-1))))
    .map((found) => ({ verdict: 'fail', message: 'ownLabel', severity: 'warning', when, ...told(reading, found) }));
}

interface Told {
  readonly path: readonly string[];
  readonly offset: number;
  readonly message: string;
  readonly fix: string;
  readonly correction?: TextCorrection;
}

function told(
  { text }: BottlerocketReading,
  { path, offset, message, fix, correction }: Told,
): Pick<LaunchOutcome<Message>, 'source' | 'data' | 'about' | 'corrected'> {
  // A syntax error says itself where it is.
  const line = /\bline \d+/.test(message) ? '' : ` (line ${text.positionAt(offset).line} of the user data)`;
  const subject = path.length === 0 ? 'the user data' : `\`${shortened(dotted(path))}\``;
  return {
    source: text.sourceAt(offset),
    data: { subject, problem: message, fix, line },
    about: path.length === 0 ? lineAt(text, offset) : dotted(path),
    ...(correction === undefined ? {} : { corrected: correctedLines(text, correction) }),
  };
}

/** Settings aren't longer, unless somebody put something else there. */
const LONGEST_PATH = 120;

function shortened(text: string): string {
  return text.length > LONGEST_PATH ? `${text.slice(0, LONGEST_PATH)}…` : text;
}
