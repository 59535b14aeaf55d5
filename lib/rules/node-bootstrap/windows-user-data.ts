import { defineRule } from '../../engine';
import type { BootCase } from '../../eks';
import {
  eksBootstrapCallsIn,
  eksBootstrapProblems,
  mentionsEksBootstrap,
  readWindows,
  windowsProblems,
  type EksBootstrapCall,
  type WindowsProblem,
  type WindowsProblemKind,
  type WindowsUserData,
} from '../../eks/user-data/windows';
import { correctedLines } from '../../eks/user-data/correction';
import { judgeUserData } from '../parts/boot-judgements';
import { bootStateOf } from '../parts/boot-state';
import { NODES_ROLL } from '../parts/repair-effects';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { lineAt } from '../parts/about';

/*
 * EC2Launch runs what stands in <powershell> and <script>; Start-EKSBootstrap.ps1, called there, joins the node to its cluster.
 * Sources: Amazon EC2 user guide, "How Amazon EC2 handles user data for Windows instances"; Amazon EKS user guide, "Create nodes with
 * optimized Windows AMIs".
 */

type Message = 'notRun' | 'tag' | 'clusterName' | 'parameter';

const TEXT = '{{where}}, line {{line}} of the user data{{condition}}: {{problem}}{{effect}}.';

const CODE = {
  cloudformation: [
    'UserData:',
    '  Fn::Base64: !Sub |',
    '    <powershell>',
    '    # the call only where the launch template names the AMI',
    '    & "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName ${Cluster} -APIServerEndpoint ${Cluster.Endpoint} -Base64ClusterCA ${Cluster.CertificateAuthorityData}',
    '    </powershell>',
  ].join('\n'),
  'aws-cdk': [
    'const userData = ec2.UserData.forWindows(); // writes the tags',
    '// the call only where the launch template names the AMI',
    'userData.addCommands(`& "$env:ProgramFiles\\\\Amazon\\\\EKS\\\\Start-EKSBootstrap.ps1" -EKSClusterName ${cluster.clusterName}`);',
  ].join('\n'),
  terraform: [
    'user_data = base64encode(<<-EOT',
    '  <powershell>',
    '  # the call only where the launch template names the AMI',
    '  & "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName ${aws_eks_cluster.main.name}',
    '  </powershell>',
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

export const windowsUserData = defineRule<Message>({
  id: 'windows-user-data',
  subject: 'node-bootstrap',
  title:
    'The user data of Windows nodes stands in tags that EC2Launch runs, and calls the bootstrap with what it needs',
  severity: 'error',
  since: '0.1.0',
  messages: {
    notRun: { text: TEXT, fix: PUT_RIGHT },
    tag: { text: TEXT, fix: PUT_RIGHT },
    clusterName: { text: TEXT, fix: FIX },
    parameter: { text: TEXT, fix: FIX },
  },
  *check(model) {
    yield* judgeUserData(model, ['WINDOWS'], judge);
  },
});

const MESSAGES: Readonly<Record<WindowsProblemKind, Message>> = {
  'no-block': 'notRun',
  'block-not-closed': 'notRun',
  'text-outside': 'notRun',
  'closing-without-block': 'tag',
  'tag-case': 'tag',
  'several-blocks': 'tag',
  'cluster-name-missing': 'clusterName',
  'endpoint-and-certificate-authority': 'parameter',
  'parameter-without-value': 'parameter',
  'unknown-parameter': 'parameter',
  'unknown-arguments': 'parameter',
};

/** A problem, and under which condition PowerShell gets there. */
interface Found {
  readonly problem: WindowsProblem;
  readonly condition: string;
}

function judge(boot: BootCase): readonly LaunchOutcome<Message>[] {
  const { document, family, when } = boot;
  const state = bootStateOf(boot).kind;
  if (
    document === undefined ||
    family.kind !== 'known' ||
    family.value !== 'WINDOWS' ||
    (state !== 'own' && state !== 'additions')
  )
    return [];
  const { text } = document;
  const data = readWindows(text);
  const isOwn = state === 'own';
  const calls = isOwn ? eksBootstrapCallsIn(data) : [];
  const found = [
    ...inElements(data, isOwn && calls.length === 0 && mentionsEksBootstrap(data) === undefined),
    ...inCalls(calls),
  ];
  const failures = found.flatMap(({ problem, condition }): readonly LaunchOutcome<Message>[] => {
    const { kind, level, offset, message, fix, corrections } = problem;
    if (level === 'unverifiable') return [];
    const more = {
      line: String(text.positionAt(offset).line),
      condition,
      problem: message,
      fix,
      effect: level === 'error' && isOwn ? (EFFECTS[kind] ?? '') : '',
    };
    return [
      {
        verdict: 'fail',
        message: MESSAGES[kind],
        severity: level,
        data: more,
        source: text.sourceAt(offset),
        about: `${kind} ${lineAt(text, offset)}`,
        ...(corrections === undefined ? {} : { corrected: correctedLines(text, ...corrections) }),
        when,
      },
    ];
  });
  if (failures.length > 0) return failures;
  const open =
    (found.find(({ problem }) => problem.kind === 'unknown-arguments') ?? found[0])?.problem ??
    (isOwn && calls.length === 0 ? unseenCall(data) : undefined);
  if (open === undefined) return passing(when);
  return [
    {
      verdict: 'unverifiable',
      reason: `whether its user data bootstraps Windows nodes can't be told: ${open.message}`,
      source: text.sourceAt(open.offset),
      when,
    },
  ];
}

const EFFECTS: Partial<Readonly<Record<WindowsProblemKind, string>>> = {
  'no-block': ', and the nodes never join',
  'block-not-closed': ', so the nodes never join',
  'parameter-without-value': ', so the nodes never join',
  'text-outside': ', so the nodes never join',
};

/**
 * What is wrong with the elements.
 * @param lacksCall whether the user data needs a call of the bootstrap and has none in its elements
 */
function inElements(data: WindowsUserData, lacksCall: boolean): readonly Found[] {
  return windowsProblems(data).map((problem): Found => {
    const isBootstrap = lacksCall && problem.kind === 'text-outside' && problem.level === 'warning';
    return { problem: isBootstrap ? { ...problem, level: 'error' } : problem, condition: '' };
  });
}

function inCalls(all: readonly EksBootstrapCall[]): readonly Found[] {
  const calls = all.map((call) => ({ call, problems: eksBootstrapProblems(call) }));
  return calls.flatMap((one) => {
    const { condition } = one.call;
    // Where one branch is right, another may be for other machines.
    const isBranch =
      condition !== 'always' &&
      calls.some((other) => other !== one && other.problems.every(({ level }) => level !== 'error'));
    return one.problems.map(
      (problem): Found => ({
        problem: isBranch && problem.level === 'error' ? { ...problem, level: 'warning' } : problem,
        condition: condition === 'conditional' ? ' (under a condition)' : '',
      }),
    );
  });
}

/** What there is instead of a call that can be judged. */
function unseenCall(data: WindowsUserData): Pick<WindowsProblem, 'message' | 'offset'> {
  if (data.format === 'yaml') return { message: "tasks of EC2Launch v2 in YAML aren't followed", offset: 0 };
  return { message: "how it calls Start-EKSBootstrap.ps1 can't be seen", offset: mentionsEksBootstrap(data) ?? 0 };
}
