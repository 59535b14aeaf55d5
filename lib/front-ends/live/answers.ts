/*
 * Which answer of AWS or Kubernetes a text is, by its top-level key. Source: EKS, EC2 and IAM API references, as `aws … --output json` prints them;
 * kubectl's `get -o json`.
 */

/** What answers are about, by the key at their top. */
const ANSWERS = {
  // Outputs of Terraform may hold one, too.
  cluster: /^(?![^]*"sensitive"\s*:)[^]*(?:"resourcesVpcConfig"|"arn"\s*:\s*"arn:[\w-]+:eks:[^"]*:cluster\/)/,
  nodegroup: /"nodegroupName"/,
  addon: /"addonName"/,
  association: /"associationArn"/,
  accessEntry: /"principalArn"/,
  fargateProfile: /"fargateProfileName"/,
  addons: undefined,
  nodegroups: undefined,
  associations: /"associationId"|\[\s*\]/,
  podIdentityAssociations: /"associationId"|\[\s*\]/,
  accessEntries: undefined,
  fargateProfileNames: undefined,
  LaunchTemplateVersions: /"LaunchTemplateId"|\[\s*\]/,
  Subnets: /"SubnetId"|\[\s*\]/,
  Reservations: /"Instances"|\[\s*\]/,
  Role: /"AssumeRolePolicyDocument"/,
  AttachedPolicies: /"PolicyArn"|\[\s*\]/,
  PolicyNames: undefined,
  PolicyDocument: /^(?=[^]*"RoleName")[^]*"PolicyName"/,
  PolicyVersion: /"IsDefaultVersion"|"Document"/,
  OpenIDConnectProviderList: undefined,
  ClientIDList: /"Url"/,
  eksGuardrailsDump: undefined,
} as const satisfies Readonly<Record<string, RegExp | undefined>>;

export type AnswerKey = keyof typeof ANSWERS;

/** Objects of Kubernetes, which have no key of their own. */
export const OBJECTS = 'objects';

/** A list of names alone, which might be anything: nothing else may be in it. */
const NAMES_ALONE = /^\s*\{\s*"\w+"\s*:\s*\[[^{}[\]]*\]\s*(?:,\s*"\w+"\s*:\s*(?:"[^"]*"|null|true|false)\s*)*\}\s*$/;

/** Keys whose answers are told by nothing else. */
const TELLING: ReadonlySet<string> = new Set<AnswerKey>(['OpenIDConnectProviderList', 'eksGuardrailsDump']);

/**
 * The answer that a text is, however much of it is there. Quick: it is asked of every JSON file of a folder. The key stands before anything that is
 * nested, whatever else does.
 */
export function answerIn(text: string): AnswerKey | typeof OBJECTS | undefined {
  if (!/^\uFEFF?\s*\{/.test(text)) return undefined;
  const head = /^\uFEFF?\s*\{(?:[^{}[\]"]|"(?:[^"\\]|\\.)*")*/.exec(text.slice(0, 4_000))?.[0] ?? '';
  for (const [, key = ''] of head.matchAll(/"(\w+)"\s*:/g)) {
    if (!Object.hasOwn(ANSWERS, key)) continue;
    const sign = ANSWERS[key as AnswerKey];
    if (sign === undefined ? TELLING.has(key) || NAMES_ALONE.test(text) : sign.test(text)) return key as AnswerKey;
  }
  return looksLikeObjects(text) ? OBJECTS : undefined;
}

/** What the API server answers has an identity, which what people write hasn't. A list in which nothing is has none, and kubectl says so. */
function looksLikeObjects(text: string): boolean {
  return (
    /"kind"\s*:/.test(text) &&
    /"apiVersion"\s*:/.test(text) &&
    (/"(?:uid|resourceVersion)"\s*:\s*"[^"]/.test(text) || /"items"\s*:\s*\[\s*\]/.test(text))
  );
}

/** Whether what a text was taken for by its looks stands at its top. */
export function isAnswer(root: unknown, key: AnswerKey | typeof OBJECTS): boolean {
  if (typeof root !== 'object' || root === null) return false;
  return key === OBJECTS ? 'kind' in root && 'apiVersion' in root : Object.hasOwn(root, key);
}

/** What the AWS command line and kubectl, or the shell that doesn't find them, print in place of an answer. */
const FAILURES: readonly RegExp[] = [
  /^\s*(?:aws: \[ERROR\]: )?An error occurred \([\w.]+\)[^\n]*/,
  /^\s*Unable to locate credentials[^\n]*/,
  /^\s*Partial credentials found in [^\n]*/,
  /^\s*Error (?:loading SSO Token|when retrieving token from )[^\n]*/,
  /^\s*Your session has expired[^\n]*/,
  /^\s*(?:Connect|Read) timeout on endpoint URL[^\n]*/,
  /^\s*SSL validation failed for [^\n]*/,
  /^\s*Parameter validation failed:[^\n]*/,
  /^\s*Could not connect to the endpoint URL[^\n]*/,
  /^\s*You must specify a region[^\n]*/,
  /^\s*The (?:config profile|SSO session)[^\n]*/,
  /^\s*usage: aws [^\n]*/,
  /^\s*aws: error: [^\n]*/,
  /^\s*Error from server[^\n]*/,
  /^\s*error: (?:You must be logged in|the server doesn't have a resource type|current-context is not set|context "[^"\n]*" does not exist)[^\n]*/,
  /^\s*E\d{4} [\d:.]+ +\d+ [\w.]+:\d+\] [^\n]*/,
  /^\s*Unable to connect to the server[^\n]*/,
  /^\s*The connection to the server [^\n]* was refused[^\n]*/,
  /^\s*\S*sh: (?:\S+ )*(?:aws|kubectl): (?:command )?not found[^\n]*/,
];

/** The failure that a text tells of, in place of an answer. */
export function failureIn(text: string): string | undefined {
  const head = text.slice(0, 2_000);
  for (const failure of FAILURES) {
    const found = failure.exec(head)?.[0].trim();
    if (found !== undefined) return found;
  }
  return undefined;
}
