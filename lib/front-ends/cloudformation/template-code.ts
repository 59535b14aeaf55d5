import { Cursor, member } from '../../cloudformation/cursor';
import { TOLD_BY_DESCRIBE } from '../../eks/analysis/cluster-coordinates';
import type { Resource, Source } from '../../value';
import { keptByText } from '../../text/kept-by-text';
import { yaml } from '../../text/lazy-parsers';
import { inWords } from '../../text/in-words';
import { referrersOf } from './referrers';
import { documentOf, isDeclared, isWritten, plainOf, withWritten, writtenSetting } from './written-settings';

/*
 * Code for a template as the template has it where it goes: with what the user has there, as what the AWS CDK makes of a cluster, and in JSON.
 */

/** Undefined where somebody who pastes it would lose something, or where there is no place for it: then words alone say what to do. */
export function codeInTemplate(given: string, resource: Resource): string | undefined {
  // A resource that the code adds may refer to the one that the finding is about.
  const code = given.replaceAll('ThisResource', resource.id);
  if (!isOfTemplate(code)) return undefined;
  const merged = withWritten(code, resource);
  if (merged === undefined || !isDeclared(merged, resource)) return undefined;
  const ofTemplate =
    resource.type === CDK_CLUSTER
      ? codeOfCdkCluster(merged)
      : withPlace(withReferrers(withNameAnew(merged, resource), resource), resource);
  return isInJson(resource) ? codeInJson(ofTemplate) : ofTemplate;
}

/** Settings of a node group with which CloudFormation makes another one, before it deletes the old. */
const REPLACING = /^(?:AmiType|CapacityType|DiskSize|InstanceTypes|RemoteAccess):/m;

/** The heading of code for a group that takes the place of another. */
const OF_ANOTHER_GROUP = /^# in the Properties of a group that takes (?:its place|the place of \w+)(?:,.*)?:$/m;

/** Beside a group with a name of its own the new one needs another: EKS has one group of a name. */
function withNameAnew(code: string, resource: Resource): string {
  if (resource.type !== 'AWS::EKS::Nodegroup' || /^NodegroupName:/m.test(code)) return code;
  const name = nameAnew(writtenSetting(resource, 'NodegroupName'));
  const [own = ''] = code.split(/\n(?=# .*:$)/m, 1);
  if (name === undefined || !(OF_ANOTHER_GROUP.test(code) || REPLACING.test(own))) return code;
  const line = `NodegroupName: ${name} # the new group is there before the old one is gone`;
  return OF_ANOTHER_GROUP.test(code)
    ? code.replace(OF_ANOTHER_GROUP, (heading) => `${heading}\n${line}`)
    : `${line}\n${code}`;
}

/** What names the old group has to name the new one, or the template is refused. */
function withReferrers(code: string, resource: Resource): string {
  return code.replace(OTHER_ID, (found, _, replaced: string | undefined) => {
    const names = referrersOf(resource, replaced ?? resource.id);
    return names.length === 0 ? found : `${found} (also where ${inWords(names, MOST_REFERRERS)} name it)`;
  });
}

const OTHER_ID = /\bthat takes (its place|the place of (\w+)), under another logical id\b/;

const MOST_REFERRERS = 12;

function nameAnew(written: unknown): string | undefined {
  const [reference, text] = [member(written, 'Ref'), member(written, 'Fn::Sub')];
  if (typeof written === 'string') return JSON.stringify(`${written}-2`);
  if (typeof reference === 'string') return `!Sub "\${${reference}}-2"`;
  return typeof text === 'string' ? `!Sub ${JSON.stringify(`${text}-2`)}` : undefined;
}

function isInJson({ source }: Resource): boolean {
  return /\.json$/i.test(source.locate().file);
}

/** Code for a launch template goes two levels below its properties, which nothing shows where it isn't written yet. */
function withPlace(code: string, resource: Resource): string {
  const names = code.split('\n').flatMap((line) => /^(\w+):/.exec(line)?.[1] ?? []);
  return resource.type === LAUNCH_TEMPLATE &&
    names.every((name) => OF_DATA.has(name)) &&
    !/^# in .*:$/m.test(code) &&
    !isWritten(code, resource)
    ? `# in the LaunchTemplateData:\n${code}`
    : code;
}

const LAUNCH_TEMPLATE = 'AWS::EC2::LaunchTemplate';

/** What of it fixes set there; the name of a device stands in an item of a list. */
const OF_DATA: ReadonlySet<string> = new Set([
  'BlockDeviceMappings',
  'ImageId',
  'MetadataOptions',
  'SecurityGroupIds',
  'UserData',
]);

export function isManifest(resource: Resource): boolean {
  return 'kind' in resource && (resource.kind === 'manifest' || resource.kind === 'helm-release');
}

/** What the construct `Cluster` of `aws-eks` renders. Its property `Config` holds the arguments of the API, whose names begin with small letters. */
const CDK_CLUSTER = 'Custom::AWSCDK-EKS-Cluster';

function codeOfCdkCluster(code: string): string {
  if (!isOfTemplate(code) || /^ *Type: /m.test(code)) return code;
  const [own = '', ...others] = code.split(/\n(?=# .*:$)/m);
  const lines = own
    .split('\n')
    .map((line) =>
      line.replace(
        /^(\s*(?:- )?)([A-Z])(?=\w*:(?!:))/,
        (_, before: string, letter: string) => before + letter.toLowerCase(),
      ),
    );
  // It holds all other arguments, too.
  return ['# in the Config of the Properties:', ...lines, ...others].join('\n');
}

/** Properties or resources, which have names in capitals: as opposed to manifests, user data and settings. */
export function isOfTemplate(code: string): boolean {
  const names = code.split('\n').filter((line) => /^[^\s#-]/.test(line));
  return (
    names.length > 0 &&
    names.every((line) => /^[A-Z]\w*:(?: |$)/.test(line)) &&
    !/^MIME-Version:/m.test(code.slice(0, 100))
  );
}

/** Code for another resource than the one of the finding. */
export function codeInProperties(code: string, resource: Resource): string {
  if (/^"?\w+"?: ?\{?\n +"?Type"?: /.test(code))
    return `${isInJson(resource) ? 'In' : '# in'} the Resources of ${resource.source.locate().file}:\n${code}`;
  const place = resource.type === LAUNCH_TEMPLATE ? 'LaunchTemplateData' : 'Properties';
  return `${isInJson(resource) ? 'In' : '# in'} the ${place} of ${resource.id}:\n${code}`;
}

/** Where user data stands, by the type of what has it. */
const PLACE_OF_USER_DATA: Readonly<Record<string, string>> = {
  [LAUNCH_TEMPLATE]: 'LaunchTemplateData',
  'AWS::AutoScaling::LaunchConfiguration': 'Properties',
};

/** Code that takes the place of user data that the template has as a value, or in pieces. */
export function codeOfUserData(text: string, resource: Resource): string | undefined {
  const place = PLACE_OF_USER_DATA[resource.type];
  if (place === undefined) return undefined;
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`));
  const where = `# in the ${place} of ${resource.id}:`;
  return codeInTemplate(
    [...missingParameters(text, resource), where, 'UserData:', '  Fn::Base64: !Sub |', ...lines].join('\n'),
    resource,
  );
}

/** What user data is told of a cluster that isn't in the template, as far as that has no such parameters. */
function missingParameters(text: string, { source }: Resource): readonly string[] {
  if (!(source instanceof Cursor)) return [];
  const missing = [...TOLD_BY_DESCRIBE].filter(
    ([name]) => text.includes(`\${${name}}`) && source.template.named('Parameters', name) === undefined,
  );
  return missing.length === 0
    ? []
    : [
        `# in the Parameters of ${source.locate().file}:`,
        ...missing.map(([name, told]) => `${name}: { Type: String } # ${told} of describe-cluster`),
      ];
}

/** YAML of a template as JSON has it, with its comments as sentences above. */
const codeInJson = keptByText((code): string | undefined => {
  const parts = code.split(/\n(?=# )/).map((part) => partInJson(part));
  return parts.every((part) => part !== undefined) ? parts.join('\n') : undefined;
});

function partInJson(code: string): string | undefined {
  if (/^# .*$/.test(code)) return sentence(code.slice(2));
  const document = documentOf(code);
  if (document === undefined) return undefined;
  const comments: string[] = [];
  const add = (comment: string | null | undefined): void => {
    for (const line of comment?.split('\n') ?? []) comments.push(line.trim());
  };
  add(document.commentBefore);
  yaml().visit(document, {
    Node: (_, node) => {
      add(node.commentBefore);
      add(node.comment);
    },
  });
  add(document.comment);
  const members = JSON.stringify(plainOf(document.contents), undefined, 2)
    .split('\n')
    .slice(1, -1)
    .map((line) => line.slice(2));
  return [...comments.filter((comment) => comment !== '').map(sentence), ...members].join('\n');
}

/** One that ends with a colon says where the lines below it go; others are remarks. */
function sentence(comment: string): string {
  return `${comment.charAt(0).toUpperCase()}${comment.slice(1)}${/[.:]$/.test(comment) ? '' : '.'}`;
}

/** Code that sets one property to a text or number, as it goes to the parameter whose default is its value, and to what that allows. */
export function codeOfParameter(code: string, { template }: Cursor, source: Source): string | undefined {
  const { decided } = source;
  const [, parameter] = /^default of parameter (\w+)$/.exec(decided?.by ?? '') ?? [];
  // JSON has its remark as a sentence above.
  const [, sentenceAbove, own = ''] = /^(?:([A-Z][^"\n]*\.)\n)?([^]*)$/.exec(code) ?? [];
  const [, name, value = '', comment] = /^"?(\w+)"?: ('[^'\n]*'|"[^"\n]*"|[\w.-]+)(?: (# .*))?$/.exec(own) ?? [];
  const remark = sentenceAbove ?? comment;
  if (parameter === undefined || decided === undefined || value === '') return undefined;
  // What is changed has to be what the finding points at.
  if (source.locate().property?.split('.').at(-1) !== name) return undefined;
  const allowed = withAllowed(template.named('Parameters', parameter)?.child('AllowedValues').raw, value);
  if (allowed === undefined) return undefined;
  const { file, line } = decided.at.locate();
  const where = `parameter ${parameter}, ${file}:${line}:`;
  return /^"/.test(own)
    ? [
        `In ${where}`,
        ...(remark === undefined ? [] : [remark]),
        ...(allowed === '' ? [] : [`"AllowedValues": ${allowed},`]),
        `"Default": ${value}`,
      ].join('\n')
    : [
        `# in ${where}`,
        ...(remark === undefined ? [] : [remark]),
        ...(allowed === '' ? [] : [`AllowedValues: ${allowed}`]),
        `Default: ${value}`,
      ].join('\n');
}

/** Nobody lists more values, of which a parameter takes one. */
const MOST_ALLOWED = 30;

/** The values that a parameter takes with one more; empty where it takes that already, undefined where they can't be written again. */
function withAllowed(allowed: unknown, value: string): string | undefined {
  if (allowed === undefined) return '';
  if (!Array.isArray(allowed) || allowed.length > MOST_ALLOWED) return undefined;
  const values = allowed.map((one) => (typeof one === 'string' || typeof one === 'number' ? String(one) : undefined));
  const plain = value.replaceAll(/["']/g, '');
  if (values.includes(undefined)) return undefined;
  return values.includes(plain) ? '' : `[${[...values, plain].map((one) => JSON.stringify(one)).join(', ')}]`;
}
