import { defineRule } from '../../engine';
import { parseMinor } from '../../knowledge';
import { lastVersionOfFeatureGate } from '../../knowledge/kubelet-feature-gates';
import { casesOf, nodeConfigsOf, type BootCase, type NodeConfigs, type Plain, type Source } from '../../eks';
import { kubeletArguments, type KubeletArguments } from '../../eks/user-data/bootstrap-script';
import type { UserDataDocument } from '../../eks/user-data/document';
import { kubeletFeatureGatesOf } from '../../eks/user-data/node-config';
import { runningScriptOf } from '../../eks/user-data/scripts';
import type { SourceText } from '../../eks/user-data/source-text';
import { eksBootstrapCallsIn, readWindows } from '../../eks/user-data/windows';
import { judgeAllUserData } from '../parts/boot-judgements';
import { bootStateOf } from '../parts/boot-state';
import { kubeletVersionOf } from '../parts/boot-version';
import { listOf } from '../../text/in-words';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';
import { isJudged, placeOf } from './parts/node-config-judgements';

/*
 * kubelet exits on a feature gate that it doesn't know, and Kubernetes removes gates some versions after their feature is settled.
 * Sources: kubernetes/website, reference of feature gates; kubernetes/component-base, featuregate.
 */

const CODE = {
  cloudformation:
    '# remove the gate from spec.kubelet.config.featureGates, or from --feature-gates in spec.kubelet.flags (AL2: --kubelet-extra-args, Windows: -KubeletExtraArgs)',
  'aws-cdk': '// remove the gate from kubelet.config.featureGates, or from --feature-gates in kubelet.flags',
  terraform: '# remove the gate from kubelet.config.featureGates, or from --feature-gates in kubelet.flags',
};

export const kubeletFeatureGate = defineRule<'removed'>({
  id: 'kubelet-feature-gate',
  subject: 'node-bootstrap',
  title: 'Nodes set no kubelet feature gate that their Kubernetes version has removed',
  severity: 'error',
  since: '0.1.0',
  messages: {
    removed: {
      text: "{{where}} sets the kubelet feature gate `{{gate}}` (line {{line}} of the user data), which Kubernetes {{version}} doesn't know any more: {{last}} was its last version. kubelet exits on it, so no new node of that version gets ready.",
      fix: {
        summary: 'Remove the feature gate `{{gate}}`: what it switched has been decided for good.',
        code: CODE,
        safety: 'needs-decision',
      },
    },
  },
  *check(model) {
    yield* judgeAllUserData(model, ['AL2023', 'AL2', 'WINDOWS'], (boot) => judge(boot, gatesIn(boot)));
  },
});

/** The feature gates that user data sets. */
interface GatesOfBoot {
  readonly gates: readonly SetGate[];
  /** There may be others. */
  readonly incomplete: boolean;
}

interface SetGate {
  readonly name: string;
  readonly source: Source;
  /** Of the user data. */
  readonly line: string;
}

function judge(boot: BootCase, { gates, incomplete }: GatesOfBoot): readonly LaunchOutcome<'removed'>[] {
  const removed = removedGates(gates);
  // No gate of the table is set. Of gates that can't be seen nothing is said.
  if (removed.length === 0) return gates.length === 0 || incomplete ? [] : passing(boot.when);
  return casesOf(boot.boot.nodeGroup, { version: kubeletVersionOf(boot) }, boot.when).flatMap(
    ({ when, values: { version } }): readonly LaunchOutcome<'removed'>[] => {
      const minor = version.kind === 'known' ? parseMinor(version.value) : undefined;
      if (minor === undefined) return [{ ...unverifiable(version, removed), when }];
      const failing = removed.filter(({ last }) => (parseMinor(last) ?? minor) < minor);
      if (failing.length === 0) return incomplete ? [] : passing(when);
      const related = [{ message: `Kubernetes version: 1.${minor}`, source: version.source }];
      return failing.map(
        ({ name, last, source, line }): LaunchOutcome<'removed'> => ({
          verdict: 'fail',
          message: 'removed',
          source,
          data: { gate: name, line, version: `1.${minor}`, last },
          about: name,
          related,
          when,
        }),
      );
    },
  );
}

function gatesIn(boot: BootCase): GatesOfBoot {
  const { document, family } = boot;
  const configs = document !== undefined && isJudged(boot) ? nodeConfigsOf(document) : undefined;
  if (configs !== undefined) return gatesOfNodeConfigs(configs);
  if (document === undefined || family.kind !== 'known' || bootStateOf(boot).kind !== 'own')
    return { gates: [], incomplete: false };
  if (family.value === 'WINDOWS') return gatesOfWindows(document);
  return family.value === 'AL2' ? gatesOfBootstrapScript(document) : { gates: [], incomplete: false };
}

function gatesOfNodeConfigs({ merged }: NodeConfigs): GatesOfBoot {
  const { gates, unknown } = kubeletFeatureGatesOf(merged);
  const found = gates.flatMap(({ name, origin }) =>
    origin === undefined ? [] : [{ name, ...placeOf(origin.reading, origin.offset) }],
  );
  return { gates: found, incomplete: unknown !== undefined };
}

/** AL2: `--kubelet-extra-args` of `/etc/eks/bootstrap.sh`. */
function gatesOfBootstrapScript({ parts }: UserDataDocument): GatesOfBoot {
  const gates: SetGate[] = [];
  let incomplete = false;
  for (const part of parts) {
    const { body } = part;
    for (const { options, hasUnknownWords } of runningScriptOf(part)?.bootstrapCalls ?? []) {
      const extra = options.get('--kubelet-extra-args')?.value;
      const read = extra === undefined ? undefined : kubeletArguments(extra);
      incomplete ||= hasUnknownWords || read?.hasUnknownFlags === true;
      const found = gatesOfFlags(read, body);
      incomplete ||= found.incomplete;
      gates.push(...found.gates);
    }
  }
  return { gates, incomplete };
}

/** Windows: `-KubeletExtraArgs` of `Start-EKSBootstrap.ps1`. */
function gatesOfWindows({ text }: UserDataDocument): GatesOfBoot {
  const all = eksBootstrapCallsIn(readWindows(text)).map(({ parameters, hasUnknownWords }): GatesOfBoot => {
    const extra = parameters.get('KubeletExtraArgs')?.value;
    const read = extra === undefined ? undefined : kubeletArguments(extra);
    const { gates, incomplete } = gatesOfFlags(read, text);
    return { gates, incomplete: incomplete || hasUnknownWords || read?.hasUnknownFlags === true };
  });
  return { gates: all.flatMap(({ gates }) => gates), incomplete: all.some(({ incomplete }) => incomplete) };
}

function gatesOfFlags(flags: KubeletArguments | undefined, text: SourceText): GatesOfBoot {
  const keys = (flags?.featureGates ?? []).map(({ key }) => key);
  return {
    gates: keys.flatMap(({ text: name, offset }) =>
      name === undefined ? [] : [{ name, source: text.sourceAt(offset), line: String(text.positionAt(offset).line) }],
    ),
    incomplete: keys.some(({ text: name }) => name === undefined),
  };
}

/** A gate that some version has removed. */
interface RemovedGate extends SetGate {
  /** The last version that knows it. */
  readonly last: string;
}

/** The gates of the table, each once. */
function removedGates(gates: readonly SetGate[]): readonly RemovedGate[] {
  const found = new Map<string, RemovedGate>();
  for (const gate of gates) {
    const last = lastVersionOfFeatureGate(gate.name);
    if (last !== undefined && !found.has(gate.name)) found.set(gate.name, { ...gate, last });
  }
  return [...found.values()];
}

function unverifiable(version: Plain<string>, removed: readonly RemovedGate[]): Omit<LaunchOutcome<'removed'>, 'when'> {
  const gates = listOf(removed.map(({ name, last }) => `\`${name}\` (last known in ${last})`));
  const why = version.kind === 'unknown' ? `: ${version.reason}` : '';
  return {
    verdict: 'unverifiable',
    reason: `it sets the feature gate${removed.length > 1 ? 's' : ''} ${gates}, and the Kubernetes version of its nodes isn't known${why}`,
    source: version.source,
  };
}
