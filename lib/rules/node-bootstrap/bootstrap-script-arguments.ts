import { defineRule } from '../../engine';
import { parseMinor } from '../../knowledge';
import { Absent, casesOf, type BootCase, type Plain, type When } from '../../eks';
import {
  bootstrapProblems,
  type BootstrapCall,
  type BootstrapContext,
  type BootstrapProblem,
  type BootstrapProblemKind,
} from '../../eks/user-data/bootstrap-script';
import { correctedLines, type TextCorrection } from '../../eks/user-data/correction';
import type { UserDataDocument } from '../../eks/user-data/document';
import { runningScriptOf } from '../../eks/user-data/scripts';
import type { SourceText } from '../../eks/user-data/source-text';
import { judgeUserData } from '../parts/boot-judgements';
import { bootStateOf } from '../parts/boot-state';
import { kubeletVersionOf } from '../parts/boot-version';
import { NODES_ROLL } from '../parts/repair-effects';
import { coordinatesIn } from '../parts/corrected-bootstrap';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { lineAt } from '../parts/about';

/*
 * What bootstrap.sh of AL2 does with its arguments.
 * Source: awslabs/amazon-eks-ami before b2289030 (the commit that removed AL2), templates/al2/runtime/bootstrap.sh.
 */

type Message = 'clusterName' | 'refused' | 'value' | 'ignored' | 'ipFamily' | 'dns' | 'maxPods' | 'quotes';

const WHERE = '{{where}}, line {{line}} of the user data{{condition}}: {{problem}}';

export const bootstrapScriptArguments = defineRule<Message>({
  id: 'bootstrap-script-arguments',
  subject: 'node-bootstrap',
  title: 'AL2 nodes call `bootstrap.sh` with arguments that it takes and that fit the cluster',
  severity: 'error',
  since: '0.1.0',
  messages: {
    clusterName: {
      text: `${WHERE}. The nodes never join the cluster.`,
      fix: { summary: '{{fix}}', ...fixWith(call()) },
    },
    refused: {
      text: `${WHERE}. The nodes never join the cluster.`,
      fix: { summary: '{{fix}}', ...fixWith(call()) },
    },
    value: {
      text: `${WHERE}. The nodes don't join, or with other settings than these.`,
      fix: { summary: '{{fix}}', code: call(), safety: 'needs-decision' },
    },
    ignored: {
      text: `${WHERE}.`,
      fix: { summary: '{{fix}}', ...fixWith(call('endpoint', 'ca', 'kubelet')) },
    },
    ipFamily: {
      text: `${WHERE}. The nodes come up with addresses of the wrong family, or not at all.`,
      fix: {
        summary:
          '{{fix}} Without --apiserver-endpoint and --b64-cluster-ca the script asks the EKS API for the family and the service range itself; other arguments stay.',
        ...fixWith(call()),
      },
    },
    dns: {
      text: `${WHERE}. With a wrong address no pod on these nodes can resolve a name.`,
      fix: { summary: '{{fix}}', ...fixWith(call('endpoint', 'ca', 'dns')) },
    },
    maxPods: { text: `${WHERE}.`, fix: { summary: '{{fix}}', ...fixWith(call('pods')) } },
    quotes: {
      text: `${WHERE}. kubelet gets other arguments than these, or doesn't start.`,
      fix: { summary: '{{fix}}', code: call('kubelet'), safety: 'needs-decision' },
    },
  },
  *check(model) {
    yield* judgeUserData(model, ['AL2'], judge);
  },
});

/** Beside the code the user's own call, where nobody has to decide what it becomes. */
function fixWith(code: ReturnType<typeof call>) {
  return {
    code,
    safety: 'needs-decision',
    effect: NODES_ROLL,
    repairs: [{ kind: 'lines', field: 'userData' }],
  } as const;
}

type Option = 'endpoint' | 'ca' | 'dns' | 'pods' | 'kubelet';

/** A call in each language. */
function call(...options: readonly Option[]): {
  readonly cloudformation: string;
  readonly 'aws-cdk': string;
  readonly terraform: string;
} {
  const common: Partial<Record<Option, string>> = {
    dns: '--dns-cluster-ip 10.96.0.10 # the tenth address of the service range',
    pods: "--use-max-pods false --kubelet-extra-args '--max-pods=58'",
    kubelet: "--kubelet-extra-args '--node-labels=example.com/team=web --v=2'",
  };
  const lines = (name: string, own: Partial<Record<Option, string>>): string =>
    [`/etc/eks/bootstrap.sh ${name}`, ...options.map((option) => own[option] ?? common[option] ?? '')].join(' \\\n  ');
  const cloudformation = lines('${Cluster}', {
    endpoint: '--apiserver-endpoint ${Cluster.Endpoint}',
    ca: '--b64-cluster-ca ${Cluster.CertificateAuthorityData}',
  });
  const cdk = lines('${cluster.clusterName}', {
    endpoint: '--apiserver-endpoint ${cluster.clusterEndpoint}',
    ca: '--b64-cluster-ca ${cluster.clusterCertificateAuthorityData}',
  });
  const terraform = lines('${aws_eks_cluster.main.name}', {
    endpoint: '--apiserver-endpoint ${aws_eks_cluster.main.endpoint}',
    ca: '--b64-cluster-ca ${aws_eks_cluster.main.certificate_authority[0].data}',
  });
  return {
    cloudformation: `# in the script, inside Fn::Base64: !Sub |\n${cloudformation}`,
    'aws-cdk': `const userData = ec2.UserData.forLinux();\nuserData.addCommands(\`${cdk.replaceAll(' \\\n  ', ' ')}\`);`,
    terraform: `# in the script, in user_data\n${terraform}`,
  };
}

const MESSAGES: Readonly<Record<BootstrapProblemKind, Message>> = {
  'cluster-name-missing': 'clusterName',
  'flag-as-cluster-name': 'clusterName',
  'option-without-value': 'value',
  help: 'refused',
  'argument-ignored': 'ignored',
  'endpoint-and-certificate-authority': 'ignored',
  'ip-family': 'refused',
  'ip-family-differs': 'ipFamily',
  'ipv6-without-service-range': 'refused',
  'ipv6-range-on-ipv4': 'refused',
  'service-cidr-differs': 'dns',
  'dns-cluster-ip-guessed': 'dns',
  'container-runtime': 'refused',
  'local-disks': 'refused',
  'use-max-pods': 'maxPods',
  'max-pods-twice': 'maxPods',
  'quote-in-kubelet-arguments': 'quotes',
  'unknown-arguments': 'ignored',
};

/** A call, and the script that it stands in. */
interface CallInText {
  readonly call: BootstrapCall;
  readonly text: SourceText;
}

function judge(boot: BootCase): readonly LaunchOutcome<Message>[] {
  const { document, family } = boot;
  if (document === undefined || family.kind !== 'known' || family.value !== 'AL2' || bootStateOf(boot).kind !== 'own')
    return [];
  const calls = callsIn(document);
  const { cluster } = boot.boot.view;
  if (calls.length === 0) return [];
  const none = new Absent(boot.boot.nodeGroup.source);
  const values = {
    version: kubeletVersionOf(boot),
    family: cluster?.ipFamily ?? none,
    range: cluster?.serviceIpv4Cidr ?? none,
  };
  return casesOf(boot.boot.nodeGroup, values, boot.when).flatMap(
    ({ when, values: { version, family: ipFamily, range } }) => {
      const own = cluster === undefined ? {} : { ipFamily: ipFamilyOf(ipFamily), serviceCidr: serviceCidrOf(range) };
      return judgeCalls(
        calls,
        { kubernetesMinor: version.kind === 'known' ? parseMinor(version.value) : undefined, ...own },
        coordinatesIn(boot)?.name,
        when,
      );
    },
  );
}

/** The calls that cloud-init makes. */
function callsIn({ parts }: UserDataDocument): readonly CallInText[] {
  return parts.flatMap((part) => {
    const calls = runningScriptOf(part)?.bootstrapCalls ?? [];
    return calls.map((one) => ({ call: one, text: part.body }));
  });
}

/** EKS's default is IPv4. */
function ipFamilyOf(family: Plain<string>): BootstrapContext['ipFamily'] {
  if (family.kind === 'absent') return 'ipv4';
  return family.kind === 'known' && (family.value === 'ipv4' || family.value === 'ipv6') ? family.value : undefined;
}

function serviceCidrOf(range: Plain<string>): BootstrapContext['serviceCidr'] {
  if (range.kind === 'absent') return 'default';
  return range.kind === 'known' ? { known: range.value } : undefined;
}

interface JudgedCall extends CallInText {
  readonly problems: readonly BootstrapProblem[];
}

/** What is wrong; else why it can't be told. */
function judgeCalls(
  calls: readonly CallInText[],
  context: BootstrapContext,
  clusterName: string | undefined,
  when: When,
): readonly LaunchOutcome<Message>[] {
  const judged = calls.map((one): JudgedCall => ({ ...one, problems: bootstrapProblems(one.call, context) }));
  const failures = judged.flatMap((one) =>
    failuresOf(
      one,
      judged.some((other) => other !== one && isSound(other)),
      clusterName,
      when,
    ),
  );
  if (failures.length > 0) return failures;
  for (const { call, problems, text } of judged) {
    const open = problems.find(({ level }) => level === 'unverifiable');
    if (open === undefined) continue;
    const reason = call.isPatched ? 'the user data changes the script before' : shortened(open.message);
    const { line } = text.positionAt(open.offset);
    return [
      {
        verdict: 'unverifiable',
        reason: `whether the call of bootstrap.sh on line ${line} of its user data is right can't be told: ${reason}`,
        source: text.sourceAt(open.offset),
        when,
      },
    ];
  }
  return passing(when);
}

function isSound({ problems }: JudgedCall): boolean {
  return problems.every(({ level }) => level !== 'error');
}

/** What follows from the cluster, so that a branch for other clusters may well be right. */
const ABOUT_CLUSTER: ReadonlySet<BootstrapProblemKind> = new Set<BootstrapProblemKind>([
  'ip-family-differs',
  'service-cidr-differs',
  'dns-cluster-ip-guessed',
  'container-runtime',
]);

function failuresOf(
  { call, text, problems }: JudgedCall,
  hasSoundOther: boolean,
  clusterName: string | undefined,
  when: When,
): readonly LaunchOutcome<Message>[] {
  const { condition } = call;
  const isBranch = condition !== 'always' && hasSoundOther;
  return problems.flatMap(({ kind, level, offset, message, fix, correction }): readonly LaunchOutcome<Message>[] => {
    if (level === 'unverifiable' || (isBranch && ABOUT_CLUSTER.has(kind))) return [];
    const data = {
      line: String(text.positionAt(offset).line),
      condition: condition === 'conditional' ? ' (under a condition)' : '',
      problem: shortened(message),
      fix: shortened(fix),
    };
    return [
      {
        verdict: 'fail',
        message: MESSAGES[kind],
        severity: isBranch && level === 'error' ? 'warning' : level,
        data,
        source: text.sourceAt(offset),
        about: `${kind} ${lineAt(text, offset)}`,
        ...corrected(text, correction ?? (kind === 'cluster-name-missing' ? named(call, clusterName) : undefined)),
        when,
      },
    ];
  });
}

function corrected(
  text: SourceText,
  correction: TextCorrection | undefined,
): Pick<LaunchOutcome<Message>, 'corrected'> {
  return correction === undefined ? {} : { corrected: correctedLines(text, correction) };
}

/** The call with the name of its cluster, where it has no arguments that may be meant as that. */
function named(
  { command: { effective }, clusterName: empty }: BootstrapCall,
  name: string | undefined,
): TextCorrection | undefined {
  const [program] = effective;
  if (program === undefined || name === undefined || empty !== undefined) return undefined;
  return { start: program.end, end: program.end, text: ` ${name}` };
}

/** Messages quote arguments, which aren't longer unless somebody put something else there. */
const LONGEST = 400;

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
