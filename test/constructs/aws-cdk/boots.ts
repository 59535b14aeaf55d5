import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { runRules } from '../../../lib/engine';
import { bootCasesOf, bootsByResource, EksModel, type BootCase } from '../../../lib/eks';
import { readTemplates } from '../../../lib/front-ends/cloudformation';
import { allRules } from '../../../lib/rules';
import {
  bootstrapCallsIn,
  bootstrapProblems,
  kubeletArguments,
  type KubeletArguments,
} from '../../../lib/eks/user-data/bootstrap-script';
import {
  constructsEksCannotMerge,
  missingJoinSettings,
  readBottlerocket,
} from '../../../lib/eks/user-data/bottlerocket';
import type { UserDataDocument } from '../../../lib/eks/user-data/document';
import {
  effectiveMaxPods,
  mergeNodeConfigs,
  missingClusterFields,
  readNodeConfig,
} from '../../../lib/eks/user-data/node-config';
import { pairsOf, parseFlags } from '../../../lib/eks/user-data/node-config/flags';
import { readShell, type ShellWord } from '../../../lib/eks/user-data/shell';
import {
  eksBootstrapCallsIn,
  eksBootstrapProblems,
  readWindows,
  windowsProblems,
} from '../../../lib/eks/user-data/windows';
import { dataAt, isDataMap, Unknown, type Data } from '../../../lib/value';

/** How the machines of the only node group of a stack boot, read out of its template as the rules read it; and what the rules say. */
export interface ReadBoot {
  readonly boot: BootCase;
  /** What the library's rules report above information and don't find accepted, about the resources of the constructs. */
  readonly reported: readonly string[];
}

export function readBoot(stack: Stack): ReadBoot {
  const { model } = readStack(stack);
  const cases = bootsByResource(model).flatMap(({ launches }) => launches.flatMap(bootCasesOf));
  const [boot, ...others] = cases;
  if (boot === undefined || others.length > 0) throw new Error(`${cases.length} ways to boot`);
  return { boot, reported: reportedOf(model) };
}

/** What the rules report about a stack. */
export function reported(stack: Stack): readonly string[] {
  return reportedOf(readStack(stack).model);
}

function readStack(stack: Stack): { model: EksModel } {
  const text = JSON.stringify(Template.fromStack(stack).toJSON(), undefined, 1);
  const { resources, diagnostics } = readTemplates([{ file: 'template.json', text }]);
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics));
  return { model: new EksModel(resources) };
}

function reportedOf(model: EksModel): readonly string[] {
  return runRules(model, allRules)
    .filter((finding) => finding.verdict === 'fail' && finding.severity !== 'info' && finding.suppressed === undefined)
    .filter((finding) => /^(?:Workers|Cni)/.test(finding.resource.id))
    .map((finding) => `${finding.rule}: ${finding.message}`);
}

/** What a node learns from its bootstrap, in the words of no family; `${Id.Attribute}` for what is filled in at deployment. */
export interface Bootstrap {
  readonly name: string | undefined;
  readonly endpoint: string | undefined;
  readonly certificateAuthority: string | undefined;
  /** The service range, or the address of cluster DNS, or both: what the family is told. */
  readonly network: readonly string[];
  readonly ipFamily: string | undefined;
  readonly maxPods: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** `key=value:Effect`. */
  readonly taints: readonly string[];
  /** What the library's readers find wrong with it. */
  readonly problems: readonly string[];
}

/** Reads a bootstrap with the library's own readers; undefined if the user data has none. */
export function bootstrapOf({ family, document, bootstrapBy }: BootCase): Bootstrap | undefined {
  if (document === undefined) return undefined;
  switch (family.kind === 'known' ? family.value : undefined) {
    case 'AL2':
      return ofScript(document);
    case 'AL2023':
      return ofNodeConfigs(document);
    case 'BOTTLEROCKET':
      return ofSettings(document, bootstrapBy === 'eks');
    case 'WINDOWS':
      return ofPowerShell(document);
    case undefined:
      throw new Error('the family is not known');
  }
}

const NOTHING: Bootstrap = {
  name: undefined,
  endpoint: undefined,
  certificateAuthority: undefined,
  network: [],
  ipFamily: undefined,
  maxPods: undefined,
  labels: {},
  taints: [],
  problems: [],
};

function ofScript(document: UserDataDocument): Bootstrap | undefined {
  const calls = document.parts
    .filter((part) => part.kind === 'shell-script')
    .flatMap((part) => bootstrapCallsIn(readShell(part.body)));
  const [call, ...others] = calls;
  if (call === undefined || others.length > 0) return undefined;
  const value = (option: string): string | undefined => call.options.get(option)?.value?.show();
  return {
    ...NOTHING,
    name: call.clusterName?.show(),
    endpoint: value('--apiserver-endpoint'),
    certificateAuthority: value('--b64-cluster-ca'),
    network: given(value('--service-ipv4-cidr'), value('--service-ipv6-cidr'), value('--dns-cluster-ip')),
    ipFamily: value('--ip-family'),
    ...flagsOf(call.options.get('--kubelet-extra-args')?.value),
    problems: [
      ...bootstrapProblems(call, { kubernetesMinor: 32 }).map((problem) => problem.message),
      ...document.defects.map((defect) => defect.message),
    ],
  };
}

function ofPowerShell(document: UserDataDocument): Bootstrap | undefined {
  const data = readWindows(document.text);
  const [call, ...others] = eksBootstrapCallsIn(data);
  if (call === undefined || others.length > 0) return undefined;
  const value = (parameter: string): string | undefined => call.parameters.get(parameter)?.value?.show();
  return {
    ...NOTHING,
    name: value('EKSClusterName'),
    endpoint: value('APIServerEndpoint'),
    certificateAuthority: value('Base64ClusterCA'),
    network: given(value('ServiceCIDR'), value('DNSClusterIP')),
    ...flagsOf(call.parameters.get('KubeletExtraArgs')?.value),
    problems: [...windowsProblems(data), ...eksBootstrapProblems(call)].map((problem) => problem.message),
  };
}

function flagsOf(word: ShellWord | undefined): Pick<Bootstrap, 'maxPods' | 'labels' | 'taints'> {
  if (word === undefined) return { maxPods: undefined, labels: {}, taints: [] };
  const read: KubeletArguments = kubeletArguments(word);
  return {
    maxPods: read.maxPods?.show,
    labels: Object.fromEntries(read.labels.map(({ key, value }) => [key.show, value?.show ?? ''])),
    taints: read.taints.map(({ key, value, effect }) => `${key.show}=${value?.show ?? ''}:${effect?.show ?? ''}`),
  };
}

function ofNodeConfigs(document: UserDataDocument): Bootstrap {
  const readings = document.parts.filter((part) => part.readByNodeadm).map((part) => readNodeConfig(part.body));
  const merged = mergeNodeConfigs(readings);
  const value = (...path: string[]): string | undefined => show(dataAt(merged.data, 'spec', ...path));
  const taints = dataAt(merged.data, 'spec', 'kubelet', 'config', 'registerWithTaints');
  const { flags } = parseFlags(dataAt(merged.data, 'spec', 'kubelet', 'flags'));
  return {
    ...NOTHING,
    name: value('cluster', 'name'),
    endpoint: value('cluster', 'apiServerEndpoint'),
    certificateAuthority: value('cluster', 'certificateAuthority'),
    network: given(value('cluster', 'cidr')),
    maxPods: show(effectiveMaxPods(merged)?.value),
    labels: Object.fromEntries(pairsOf(flags, 'node-labels').map(({ key, value: label }) => [key, label ?? ''])),
    taints: Array.isArray(taints)
      ? taints.map(
          (taint: Data) =>
            `${show(dataAt(taint, 'key')) ?? ''}=${show(dataAt(taint, 'value')) ?? ''}:${show(dataAt(taint, 'effect')) ?? ''}`,
        )
      : [],
    problems: [
      ...readings.flatMap((reading) => reading.problems.map((problem) => problem.message)),
      ...document.defects.map((defect) => defect.message),
      ...missingClusterFields(dataAt(merged.data, 'spec', 'cluster')),
    ],
  };
}

function ofSettings(document: UserDataDocument, byEks: boolean): Bootstrap {
  const reading = readBottlerocket(document.text);
  const value = (name: string): string | undefined => show(reading.valueAt('settings', 'kubernetes', name));
  const table = (name: string): [string, Data][] => {
    const data = reading.valueAt('settings', 'kubernetes', name);
    return isDataMap(data) ? Object.entries(data) : [];
  };
  return {
    ...NOTHING,
    name: value('cluster-name'),
    endpoint: value('api-server'),
    certificateAuthority: value('cluster-certificate'),
    network: given(value('cluster-dns-ip')),
    maxPods: value('max-pods'),
    labels: Object.fromEntries(table('node-labels').map(([key, label]) => [key, show(label) ?? ''])),
    taints: table('node-taints').flatMap(([key, list]) =>
      (Array.isArray(list) ? list : []).map((item: Data) => `${key}=${show(item) ?? ''}`),
    ),
    problems: [
      ...reading.problems.map((problem) => problem.message),
      ...(byEks
        ? constructsEksCannotMerge(reading).map((construct) => construct.message)
        : missingJoinSettings(reading)),
    ],
  };
}

function show(data: Data | undefined): string | undefined {
  if (data === undefined || data === null) return undefined;
  if (data instanceof Unknown) return data.text ?? '…';
  return typeof data === 'object' ? JSON.stringify(data) : String(data);
}

function given(...values: (string | undefined)[]): string[] {
  return values.filter((value) => value !== undefined);
}
