import { CallOptions } from './call-options';
import { beforeOption, inTwoWords, replacing, withMore, withoutOption, withoutWord } from './corrections';
import { kubeletArguments } from './kubelet-arguments';
import { families, serviceRange } from './network-problems';
import { ifAllIsSeen, problem, type BootstrapContext, type BootstrapProblem } from './problem';
import { BOOTSTRAP_OPTIONS, type BootstrapCall } from './read';

/** From this minor on containerd is the only runtime. Source: bootstrap.sh (see {@link BOOTSTRAP_OPTIONS}). */
const CONTAINERD_ONLY = 24;

/**
 * What is wrong with a call: what holds for any cluster, and what follows from what is known of this one. A message tells
 * what the script does, out of its source.
 */
export function bootstrapProblems(call: BootstrapCall, context: BootstrapContext = {}): readonly BootstrapProblem[] {
  const known = new CallOptions(call);
  if (call.help !== undefined) {
    return [
      problem(
        'help',
        'error',
        call.help.start,
        'With --help bootstrap.sh prints its options and fails',
        'Remove --help.',
        withoutWord(call, call.help),
      ),
    ];
  }
  const problems = [
    ...names(call),
    ...values(call),
    ...ignored(call),
    ...endpoint(call, known),
    ...families(call, known, context),
    ...serviceRange(call, known, context),
    ...runtime(call, known, context),
    ...maxPods(call, known),
    ...quotes(known),
    ...unknown(call),
  ];
  problems.sort((one, other) => one.offset - other.offset);
  // The messages tell what the script of the AMI does.
  return call.isPatched ? problems.map((one) => ({ ...one, level: 'unverifiable' })) : problems;
}

function names(call: BootstrapCall): BootstrapProblem[] {
  const { clusterName } = call;
  if (clusterName === undefined && call.hasUnknownWords) return [];
  if (clusterName === undefined || clusterName.text === '') {
    return [
      problem(
        'cluster-name-missing',
        'error',
        clusterName?.start ?? call.offset,
        'bootstrap.sh gets no cluster name and ends with "ERROR: cluster name is not defined!"',
        'Give the name of the cluster as first argument.',
      ),
    ];
  }
  const swallowed = swallowedOption(call);
  if (swallowed !== undefined) {
    const name = clusterName.prefix.slice(0, -swallowed.length);
    return [
      problem(
        'flag-as-cluster-name',
        'error',
        clusterName.start,
        `bootstrap.sh takes ${clusterName.show()} for the name of the cluster, because no space is before ${swallowed}`,
        `Write a space between ${name} and ${swallowed}.`,
        beforeOption(clusterName, swallowed),
      ),
    ];
  }
  if (!clusterName.prefix.startsWith('-')) return [];
  const flag = clusterName.show();
  return [
    problem(
      'flag-as-cluster-name',
      'error',
      clusterName.start,
      `bootstrap.sh has no option ${flag} and takes it for the name of the cluster`,
      optionHint(clusterName.prefix, 'Give the name of the cluster as first argument'),
      isJoined(clusterName.prefix) ? inTwoWords(clusterName) : undefined,
    ),
  ];
}

/** An option that stands right behind the name of the cluster, without a space. */
function swallowedOption({ clusterName }: BootstrapCall): string | undefined {
  if (clusterName === undefined || clusterName.prefix.startsWith('-')) return undefined;
  return BOOTSTRAP_OPTIONS.find((option) => clusterName.prefix.endsWith(option));
}

/** `--name=value` of an option that exists is written as two words. */
function optionHint(flag: string, otherwise: string): string {
  const name = flag.split('=', 1)[0] ?? '';
  return isJoined(flag) ? `Write ${name} and its value as two words, without "=".` : `${otherwise}.`;
}

/** Whether an option that the script has is joined to its value. */
function isJoined(flag: string): boolean {
  return flag.includes('=') && BOOTSTRAP_OPTIONS.includes(flag.split('=', 1)[0] ?? '');
}

function values(call: BootstrapCall): BootstrapProblem[] {
  const problems: BootstrapProblem[] = [];
  for (const [name, { value, offset }] of call.options) {
    if (value === undefined) {
      problems.push(
        problem(
          'option-without-value',
          'error',
          offset,
          `${name} has no value, and bootstrap.sh ends with "unbound variable"`,
          `Give ${name} a value, or remove it.`,
        ),
      );
    } else if (value.text !== undefined && BOOTSTRAP_OPTIONS.includes(value.text)) {
      problems.push(
        problem(
          'option-without-value',
          'error',
          offset,
          `${name} has no value of its own: bootstrap.sh takes ${value.text} for it`,
          `Give ${name} a value, or remove it.`,
        ),
      );
    }
  }
  return problems;
}

function ignored(call: BootstrapCall): BootstrapProblem[] {
  // The value of an option that the name of the cluster takes is part of that defect.
  const words = swallowedOption(call) === undefined ? call.ignored : call.ignored.slice(1);
  return words
    .filter((word) => word.prefix !== '')
    .map((word) =>
      problem(
        'argument-ignored',
        'warning',
        word.start,
        `bootstrap.sh ignores the argument ${JSON.stringify(word.show())}`,
        optionHint(
          word.prefix,
          word.prefix.startsWith('--')
            ? 'Quote the value of --kubelet-extra-args as one word if this is meant for kubelet'
            : 'Remove it, or quote it together with the value that it belongs to',
        ),
        isJoined(word.prefix) ? inTwoWords(word) : undefined,
      ),
    );
}

function endpoint(call: BootstrapCall, known: CallOptions): BootstrapProblem[] {
  const names = ['--apiserver-endpoint', '--b64-cluster-ca'];
  const given = names.find((name) => known.isWritten(name));
  const missing = names.find((name) => !known.has(name));
  if (given === undefined || missing === undefined) return [];
  return [
    problem(
      'endpoint-and-certificate-authority',
      ifAllIsSeen(call, 'info'),
      known.offset(given),
      `${given} without ${missing} has no effect: bootstrap.sh asks the EKS API for both`,
      `Give ${missing} too, or neither.`,
      withoutOption(call, given),
    ),
  ];
}

function runtime(call: BootstrapCall, known: CallOptions, context: BootstrapContext): BootstrapProblem[] {
  const problems: BootstrapProblem[] = [];
  const runtimeName = known.has('--container-runtime') ? known.text('--container-runtime') : undefined;
  const offset = known.offset('--container-runtime');
  if (runtimeName !== undefined && runtimeName !== 'containerd') {
    const fix = 'Remove --container-runtime.';
    const { kubernetesMinor } = context;
    if (runtimeName !== 'dockerd')
      problems.push(
        problem(
          'container-runtime',
          'error',
          offset,
          `bootstrap.sh knows no container runtime ${JSON.stringify(runtimeName)}`,
          fix,
          withoutOption(call, '--container-runtime'),
        ),
      );
    else if (kubernetesMinor === undefined)
      problems.push(
        problem(
          'container-runtime',
          'unverifiable',
          offset,
          'From Kubernetes 1.24 on bootstrap.sh refuses every container runtime but containerd',
          fix,
        ),
      );
    else if (kubernetesMinor >= CONTAINERD_ONLY) {
      problems.push(
        problem(
          'container-runtime',
          'error',
          offset,
          'bootstrap.sh ends with "ERROR: containerd is the only supported container runtime as of Kubernetes version 1.24"',
          fix,
          withoutOption(call, '--container-runtime'),
        ),
      );
    }
  }
  const disks = known.has('--local-disks') ? known.text('--local-disks') : undefined;
  if (disks !== undefined && !['raid0', 'raid10', 'mount', 'none'].includes(disks)) {
    problems.push(
      problem(
        'local-disks',
        'error',
        known.offset('--local-disks'),
        `bootstrap.sh ends because --local-disks ${JSON.stringify(disks)} is no way to set up disks`,
        'Write raid0, raid10 or mount.',
        ['raid0', 'raid10', 'mount'].includes(disks.toLowerCase())
          ? replacing(known.word('--local-disks'), disks.toLowerCase())
          : undefined,
      ),
    );
  }
  return problems;
}

function maxPods(call: BootstrapCall, known: CallOptions): BootstrapProblem[] {
  const use = known.has('--use-max-pods') ? known.text('--use-max-pods') : undefined;
  if (use !== undefined && use !== 'true' && use !== 'false') {
    return [
      problem(
        'use-max-pods',
        'warning',
        known.offset('--use-max-pods'),
        `--use-max-pods is ${JSON.stringify(use)}; bootstrap.sh takes everything but "true" for false`,
        'Write true or false.',
        /^(?:true|false)$/i.test(use) ? replacing(known.word('--use-max-pods'), use.toLowerCase()) : undefined,
      ),
    ];
  }
  const extra = call.options.get('--kubelet-extra-args')?.value;
  const given = extra === undefined ? undefined : kubeletArguments(extra).maxPods;
  if (given === undefined || use === 'false' || known.isUnknown('--use-max-pods')) return [];
  return [
    problem(
      'max-pods-twice',
      use === undefined ? ifAllIsSeen(call, 'warning') : 'warning',
      given.offset,
      'bootstrap.sh writes the max pods of the instance type into the configuration of kubelet, besides the --max-pods that kubelet gets as a flag: two settings for one number, of which the flag wins',
      'Add --use-max-pods false.',
      use === undefined ? withMore(call, '--use-max-pods false') : replacing(known.word('--use-max-pods'), 'false'),
    ),
  ];
}

function quotes(known: CallOptions): BootstrapProblem[] {
  if (known.text('--kubelet-extra-args')?.includes("'") !== true) return [];
  return [
    problem(
      'quote-in-kubelet-arguments',
      'warning',
      known.offset('--kubelet-extra-args'),
      'The value of --kubelet-extra-args holds a single quote; bootstrap.sh writes it into a single-quoted systemd setting, which ends there',
      'Write the arguments without single quotes.',
    ),
  ];
}

function unknown(call: BootstrapCall): BootstrapProblem[] {
  if (!call.hasUnknownWords) return [];
  return [
    problem(
      'unknown-arguments',
      'unverifiable',
      call.offset,
      "Some of the arguments of bootstrap.sh can't be seen here",
      'Quote what is one argument, or write the options out.',
    ),
  ];
}
