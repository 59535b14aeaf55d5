import { isDataMap, type Data, type DataMap } from '../../../eks';
import { given } from './rewritten-pool';

/*
 * The `spec` of an EC2NodeClass of v1 that says what an object of the versions before it does. Undefined where somebody has to decide on something.
 * Sources: aws/karpenter-provider-aws, tools/karpenter-convert and pkg/utils/nodeclass of 0.32, upgrading/v1beta1-migration.md and
 * upgrading/v1-migration.md of its documentation.
 */

const OF_TEMPLATE: ReadonlySet<string> = new Set([
  ...['amiFamily', 'amiSelector', 'subnetSelector', 'securityGroupSelector', 'instanceProfile', 'tags', 'userData'],
  ...['metadataOptions', 'blockDeviceMappings', 'detailedMonitoring', 'context'],
]);

/** What Karpenter set before v1, where nothing was written. */
const METADATA = {
  httpEndpoint: 'enabled',
  httpProtocolIPv6: 'disabled',
  httpPutResponseHopLimit: 2,
  httpTokens: 'required',
} as const;

/** The profile of a class that names none, by the guide of Karpenter: its settings have the name, which somebody has to look up. */
export const PROFILE = 'KarpenterNodeInstanceProfile-';

/** @param ofAl2 the alias in the place of Amazon Linux 2 */
export function classOfTemplate(spec: DataMap, ofAl2: string): DataMap | undefined {
  const { amiSelector, subnetSelector, securityGroupSelector, instanceProfile } = spec;
  if (Object.keys(spec).some((key) => !OF_TEMPLATE.has(key))) return undefined;
  const [subnets, groups] = [termsOf(subnetSelector), termsOf(securityGroupSelector)];
  const images = amiSelector === undefined ? undefined : amiTermsOf(amiSelector);
  if (subnets === undefined || groups === undefined || (amiSelector !== undefined && images === undefined))
    return undefined;
  const { amiFamily = 'AL2', tags, blockDeviceMappings, metadataOptions = METADATA, userData } = spec;
  const { detailedMonitoring, context } = spec;
  const system = images === undefined ? aliasFor(amiFamily, userData, ofAl2) : { amiFamily, amiSelectorTerms: images };
  if (system === undefined) return undefined;
  return given({
    ...system,
    instanceProfile: instanceProfile ?? `${PROFILE}${clusterOf(spec)}`,
    subnetSelectorTerms: subnets,
    securityGroupSelectorTerms: groups,
    tags: ownTags(tags),
    metadataOptions,
    blockDeviceMappings,
    detailedMonitoring,
    context,
    userData,
  });
}

/** @param spec of an EC2NodeClass of v1beta1 */
export function classOfBeta(spec: DataMap, ofAl2: string): DataMap | undefined {
  const { amiFamily, amiSelectorTerms, metadataOptions = METADATA, userData, tags, ...others } = spec;
  const isAmi = Array.isArray(amiSelectorTerms) && amiSelectorTerms.length > 0;
  const system = isAmi ? given({ amiFamily, amiSelectorTerms }) : aliasFor(amiFamily, userData, ofAl2);
  return system === undefined || (isAmi && amiFamily === undefined)
    ? undefined
    : given({ ...system, ...others, tags: ownTags(tags), metadataOptions, userData });
}

/** Tags that Karpenter sets by itself, which v1 refuses. Source: pkg/apis/crds/karpenter.k8s.aws_ec2nodeclasses.yaml. */
const OF_KARPENTER =
  /^(?:kubernetes\.io\/cluster\/.*|eks:eks-cluster-name|karpenter\.sh\/(?:nodepool|nodeclaim)|karpenter\.k8s\.aws\/ec2nodeclass)$/;

function ownTags(tags: Data | undefined): Data | undefined {
  if (!isDataMap(tags)) return tags;
  const own = Object.entries<Data>(tags).filter(([key]) => !OF_KARPENTER.test(key));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}

const ALIASES: Readonly<Record<string, string>> = {
  AL2023: 'al2023@latest',
  Bottlerocket: 'bottlerocket@latest',
  Windows2019: 'windows2019@latest',
  Windows2022: 'windows2022@latest',
};

/** What of AL2 in user data AL2023 doesn't have. */
const OF_AL2 = /bootstrap\.sh|KUBELET_EXTRA_ARGS|\/etc\/kubernetes\/kubelet|amazon-linux-extras/;

/** The newest AMIs of a family, which a class without terms gets. */
function aliasFor(family: Data | undefined, userData: Data | undefined, ofAl2: string): DataMap | undefined {
  if (typeof family !== 'string') return undefined;
  const isMoved = family === 'AL2' && !ofAl2.startsWith('al2@');
  if (isMoved && userData !== undefined && (typeof userData !== 'string' || OF_AL2.test(userData))) return undefined;
  const alias = family === 'AL2' ? ofAl2 : ALIASES[family];
  return alias === undefined ? undefined : { amiSelectorTerms: [{ alias }] };
}

const IDS = /^aws(?:-|::)ids$/;

/** Selectors of v1alpha1 as terms: `aws-ids` is a list of ids, and a value of a tag may have several, of which a term has one. */
function termsOf(selector: Data | undefined): readonly DataMap[] | undefined {
  if (!isDataMap(selector)) return undefined;
  const entries = Object.entries<Data>(selector);
  const texts = entries.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : []));
  const [first] = texts;
  if (first === undefined || texts.length < entries.length || texts.some(([key]) => isOther(key))) return undefined;
  if (texts.length === 1 && IDS.test(first[0])) return listed(first[1]).map((id) => ({ id }));
  const several = texts.filter(([, value]) => value.includes(','));
  if (texts.some(([key]) => IDS.test(key)) || several.length > 1) return undefined;
  const [[key, values] = ['', '']] = several;
  const one = Object.fromEntries(texts);
  return several.length === 0 ? [{ tags: one }] : listed(values).map((value) => ({ tags: { ...one, [key]: value } }));
}

function isOther(key: string): boolean {
  return /^aws(?:-|::)/.test(key) && !IDS.test(key);
}

/** The same of AMIs, which have names and owners, too. */
function amiTermsOf(selector: Data): readonly DataMap[] | undefined {
  if (!isDataMap(selector)) return undefined;
  const { 'aws::name': name, 'aws::owners': owners, ...others } = selector;
  if (name === undefined && owners === undefined) return termsOf(selector);
  if (typeof name !== 'string' || Object.keys(others).length > 0) return undefined;
  return typeof owners === 'string' ? listed(owners).map((owner) => ({ name, owner })) : [{ name }];
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** The cluster by which people tag what their nodes may use. */
function clusterOf({ securityGroupSelector, subnetSelector }: DataMap): string {
  const found = [securityGroupSelector, subnetSelector].flatMap((selector) =>
    isDataMap(selector) ? [selector['karpenter.sh/discovery']] : [],
  );
  return (found.find((one) => typeof one === 'string' && one !== '*') as string | undefined) ?? 'CLUSTER';
}
