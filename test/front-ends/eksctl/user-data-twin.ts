import { SourceText } from '../../../lib/eks/user-data/source-text';
import { parseToml, toData } from '../../../lib/eks/user-data/bottlerocket/toml';
import { isMap, untranslatable, type JsonMap } from '../../rules/terraform/untranslatable';

/*
 * User data, said again as the settings of a managed group of which eksctl makes its own. How documents are put together is eksctl's, and so is
 * what a node has to know of the cluster.
 */

const BY_EKSCTL = 'user data that eksctl puts together itself';
const OF_CLUSTER = 'what a node has to know of its cluster, which eksctl writes itself';
const PUT_TOGETHER = 'user data that is put together';

/** Rules about the form of the documents, which is eksctl's. */
const OF_FORM: ReadonlySet<string> = new Set([
  'launch-template-user-data-encoding',
  'node-user-data-format',
  'user-data-ami-family',
  'user-data-mime-structure',
]);

/** Rules about what the nodes of an AMI of the user's own are told, to which eksctl adds. */
const OF_JOINING: ReadonlySet<string> = new Set([
  'node-config-certificate-authority',
  'node-config-cluster',
  'node-config-overridden',
  'node-config-service-cidr',
  'node-user-data-duplicate-bootstrap',
  'node-user-data-missing-bootstrap',
]);

/** Rules about the Kubernetes version of an AMI, which CloudFormation may look up and eksctl may not. */
const OF_IMAGE: ReadonlySet<string> = new Set([
  'ami-type-kubernetes-version',
  'kubelet-feature-gate',
  'launch-template-forbidden-field',
  'node-group-kubernetes-version',
]);

/**
 * @param image of the launch template; undefined where EKS chooses one
 * @param family that eksctl is told of the group, if it is told
 */
export function userDataTwin(userData: unknown, image: unknown, family: unknown, rule: string): JsonMap {
  const looked = typeof image === 'string' ? /^\{\{resolve:ssm:(.*)\}\}$/.exec(image)?.[1] : undefined;
  if ((image !== undefined && typeof image !== 'string') || (looked !== undefined && OF_IMAGE.has(rule)))
    return untranslatable('an AMI that is looked up');
  if (userData === undefined) return untranslatable('an AMI without user data, to which eksctl adds a bootstrap');
  const written = isMap(userData) ? plainText(userData['Fn::Base64']) : untranslatable(BY_EKSCTL);
  if (OF_FORM.has(rule)) return untranslatable(BY_EKSCTL);
  const settings = ofFamily(written, image !== undefined, family);
  if (image === undefined) return settings;
  if (looked !== undefined && FAMILIES.find(([pattern]) => pattern.test(looked))?.[1] !== settings['amiFamily'])
    return untranslatable('an AMI that is looked up');
  if (settings['amiFamily'] !== 'AmazonLinux2' && OF_JOINING.has(rule)) return untranslatable(OF_CLUSTER);
  return { ...settings, ami: looked === undefined ? image : 'ami-0123456789abcdef0' };
}

/** By the parameters of Systems Manager. */
const FAMILIES: readonly (readonly [pattern: RegExp, family: string])[] = [
  [/amazon-linux-2023/, 'AmazonLinux2023'],
  [/amazon-linux-2(?!023)/, 'AmazonLinux2'],
  [/bottlerocket/, 'Bottlerocket'],
];

/** A text, with names to fill in for what CloudFormation fills in. */
function plainText(value: unknown): string {
  const text = isMap(value) ? value['Fn::Sub'] : value;
  if (typeof text !== 'string') return untranslatable(PUT_TOGETHER);
  if (text === value) return text;
  return text.replaceAll(/\$\{(!?)([^}]*)\}/g, (_, sign: string, name: string) =>
    sign === '!' ? `\${${name}}` : name === 'Cluster' ? name : `<${name.replaceAll(/[^\w-]+/g, '-')}>`,
  );
}

/** @param isWhole whether the nodes are told nothing else */
function ofFamily(written: string, isWhole: boolean, family: unknown): JsonMap {
  if (/^\s*<(?:powershell|script)>/i.test(written))
    return isWhole ? untranslatable('an AMI of Windows in a managed group, which eksctl refuses') : windows(written);
  if (/^\s*(?:#[^!].*\n\s*)*\[+\s*["']?settings\b/.test(written)) return bottlerocket(written, isWhole);
  return documents(written, isWhole, family === 'AmazonLinux2');
}

function windows(written: string): JsonMap {
  const [, script] = /^<powershell>\n((?:(?!<\/?powershell>)[^])*)\n<\/powershell>\n?$/.exec(written) ?? [];
  return script === undefined ? untranslatable(BY_EKSCTL) : { preBootstrapCommands: [script] };
}

function bottlerocket(written: string, isWhole: boolean): JsonMap {
  const { document, fault } = parseToml(SourceText.of(written));
  const data: unknown = document === undefined || fault !== undefined ? undefined : toData(document.root);
  const { settings, ...others } = isMap(data) ? data : {};
  if (!isMap(settings) || Object.keys(others).length > 0) return untranslatable(BY_EKSCTL);
  const { kubernetes, ...rest } = settings;
  if (!isWhole || !isMap(kubernetes)) return { amiFamily: 'Bottlerocket', bottlerocket: { settings } };
  const { 'cluster-name': name, 'api-server': server, 'cluster-certificate': certificate, ...own } = kubernetes;
  if ([name, server, certificate].some((value) => typeof value !== 'string')) return untranslatable(OF_CLUSTER);
  return { amiFamily: 'Bottlerocket', bottlerocket: { settings: { ...rest, kubernetes: own } } };
}

/** Scripts and one NodeConfig, in a MIME document or alone. */
function documents(written: string, isWhole: boolean, isAl2: boolean): JsonMap {
  const parts = partsOf(written) ?? [{ type: '', text: written }];
  const scripts: string[] = [];
  const configs: string[] = [];
  for (const { type, text } of parts) {
    if (type === 'application/node.eks.aws' || (type === '' && text.includes('apiVersion: node.eks.aws/')))
      configs.push(text);
    else if ((type === 'text/x-shellscript' || type === '') && text.startsWith('#!')) scripts.push(text);
    else untranslatable(BY_EKSCTL);
  }
  const [config, second] = configs;
  if (second !== undefined) untranslatable('several NodeConfigs');
  if (config === undefined && isWhole) {
    const [script = '', other] = scripts;
    if (other !== undefined || !script.includes('bootstrap.sh')) untranslatable(BY_EKSCTL);
    return { amiFamily: 'AmazonLinux2', overrideBootstrapCommand: script };
  }
  if (isAl2 && !isWhole) {
    if (config !== undefined || !written.startsWith('MIME-Version')) untranslatable(BY_EKSCTL);
    return { preBootstrapCommands: scripts };
  }
  // It writes a first line of its own.
  if (scripts.some((script) => !script.startsWith(BASH))) untranslatable(BY_EKSCTL);
  return {
    ...(isWhole ? { amiFamily: 'AmazonLinux2023' } : {}),
    ...(scripts.length === 0 ? {} : { preBootstrapCommands: scripts.map((script) => script.slice(BASH.length)) }),
    ...(config === undefined ? {} : { overrideBootstrapCommand: config }),
  };
}

const BASH = '#!/bin/bash\n';

/** The parts of a MIME document that is as it should be. */
function partsOf(written: string): readonly { readonly type: string; readonly text: string }[] | undefined {
  const [, boundary] =
    /^MIME-Version: 1\.0\nContent-Type: multipart\/mixed; boundary="([^"\n]+)"\n\n/.exec(written) ?? [];
  if (boundary === undefined) return undefined;
  const [, ...pieces] = written.split(`\n--${boundary}`);
  if (pieces.pop()?.startsWith('--') !== true) return undefined;
  const parts = pieces.map((piece) => /^\nContent-Type: ([\w./-]+)(?:; charset="us-ascii")?\n\n([^]*)$/.exec(piece));
  return parts.flatMap((part) => (part === null ? [] : [part])).length < parts.length
    ? undefined
    : parts.map((part) => ({ type: part?.[1] ?? '', text: part?.[2] ?? '' }));
}
