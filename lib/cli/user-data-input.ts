import { readFileSync, statSync } from 'node:fs';
import type { Diagnostic } from '../engine';
import {
  Absent,
  alternativesOf,
  always,
  documentOf,
  Known,
  launchTemplateOf,
  nowhere,
  Unknown,
  type AmiFamily,
  type EksResource,
  type LaunchTemplate,
  type LaunchTemplateUse,
  type NodeGroup,
  type Resource,
  type SelfManagedNodeGroup,
  type Source,
  type UserData,
  type Value,
} from '../model';
import { readTemplates } from '../readers/cloudformation';
import { describeError, readPaths } from '../readers/paths';
import { decodeUserData } from '../user-data/decode';
import type { UserDataDocument } from '../user-data/document';
import { SourceText, type TextPiece } from '../user-data/source-text';
import { nearestName } from '../text/nearest';
import { UsageError } from './usage-error';

/** What the user says about user data that doesn't say it itself. */
export interface UserDataQuestion {
  /** Logical id of the launch template, in a template with several. */
  readonly id: string | undefined;
  readonly family: AmiFamily | undefined;
  readonly bootstrapBy: 'eks' | 'user' | 'unknown';
  readonly kubernetesVersion: string | undefined;
}

/** One user data to look at. */
export interface UserDataInput {
  /** How it is called: the file, or the launch template and the condition. */
  readonly label: string;
  readonly userData: UserData;
  readonly document: UserDataDocument;
  /** The text with `${…}` for what isn't known; places of findings count in it. */
  readonly shown: string;
  /** Where it stands in the file that was read. */
  readonly source: Source;
  /** What the rules judge: the launch template, and what uses it. */
  readonly resources: readonly EksResource[];
  readonly launchTemplate: LaunchTemplate;
}

export interface UserDataInputs {
  readonly inputs: readonly UserDataInput[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads user data from a file, the standard input (`-`), or the launch templates of a CloudFormation template or `cdk.out`.
 * @throws UsageError if a template has no such launch template, or several and none is named
 */
export async function readUserDataInput(file: string, question: UserDataQuestion): Promise<UserDataInputs> {
  if (file !== '-' && isFolder(file)) return fromTemplates(readPaths([file]), file, question);
  let bytes: Buffer;
  try {
    bytes = file === '-' ? await standardInput() : readFileSync(file);
  } catch (error) {
    return { inputs: [], diagnostics: [{ severity: 'error', message: describeError(error), file, line: 1, column: 1 }] };
  }
  const name = file === '-' ? 'standard input' : file;
  const text = bytes.toString('utf8');
  if (isTemplate(text)) return fromTemplates(readTemplates([{ file: name, text }]), name, question);
  if (question.id !== undefined) throw new UsageError(`--id names a launch template of a CloudFormation template, and ${name} is none`);
  return { inputs: [fromBytes(bytes, name, question)], diagnostics: [] };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

async function standardInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** A template declares resources at its top level; no user data does. */
function isTemplate(text: string): boolean {
  return /^\s*\{/.test(text) ? /"Resources"\s*:\s*\{/.test(text) : /^(?:Resources|AWSTemplateFormatVersion)[ \t]*:/m.test(text) && !/^\s*(?:#!|MIME-Version|Content-Type)/i.test(text);
}

function fromBytes(bytes: Uint8Array, name: string, question: UserDataQuestion): UserDataInput {
  const { text, layers } = decodeUserData(bytes);
  // A file may hold the base64 that the launch template takes: that layer isn't one too many.
  const [first, ...inner] = layers;
  const userData: UserData = { text: isTextTemplate(name) ? filledLater(text) : SourceText.of(text), layers: first === 'base64' ? inner : layers, encodedBy: 'user' };
  const template = syntheticTemplate(name);
  return inputOf(name, userData, template, nowhere, (relocated) => withGroup(relocated, [], question));
}

/** Files that Terraform's `templatefile` fills, by the names that they usually have. */
function isTextTemplate(name: string): boolean {
  return /\.(?:tpl|tftpl|tmpl)$/i.test(name);
}

/** `${…}` and `%{…}` with the text before them; doubled signs stand for themselves. */
const TEMPLATE_SEQUENCE = /(\$\$\{|%%\{)|[$%]\{[^{}]*\}/g;

/** A text whose template sequences aren't known. Source: Terraform, "Strings and Templates". */
function filledLater(text: string): SourceText {
  const pieces: TextPiece[] = [];
  let end = 0;
  const upTo = (offset: number): void => {
    if (offset > end) pieces.push({ text: text.slice(end, offset), sourceAt: () => nowhere });
  };
  for (const { 0: sequence, 1: escape, index } of text.matchAll(TEMPLATE_SEQUENCE)) {
    upTo(index);
    end = index + sequence.length;
    if (escape === undefined) pieces.push({ unknown: new Unknown(`${sequence} is filled in by what renders the template`, nowhere, sequence) });
    else pieces.push({ text: escape.slice(1), sourceAt: () => nowhere });
  }
  upTo(text.length);
  return SourceText.compose(pieces);
}

function fromTemplates({ resources, diagnostics }: ReturnType<typeof readTemplates>, file: string, question: UserDataQuestion): UserDataInputs {
  const all = resources.filter((resource) => resource.kind === 'launch-template');
  const chosen = question.id === undefined ? all.filter(({ userData }) => alternativesOf(userData).some(({ value }) => value.kind !== 'absent')) : all.filter(({ id }) => id === question.id);
  const ids = all.map(({ id }) => id);
  if (chosen.length === 0) {
    if (question.id === undefined) throw new UsageError(`no launch template in ${file} has user data${ids.length === 0 ? ', because it has no launch template' : ''}`);
    const nearest = nearestName(question.id, ids);
    throw new UsageError(`${file} has no launch template "${question.id}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}${ids.length === 0 ? '' : `\nIt has ${ids.join(', ')}.`}`);
  }
  if (question.id === undefined && chosen.length > 1) throw new UsageError(`${file} has several launch templates with user data; choose one with --id: ${chosen.map(({ id }) => id).join(', ')}`);
  const problems = [...diagnostics];
  const inputs = chosen.flatMap((template) =>
    alternativesOf(template.userData).flatMap(({ when, value }): UserDataInput[] => {
      const condition = when === always ? '' : ` (if ${when.text})`;
      if (value.kind === 'known') return [inputOf(`${template.id}${condition}`, value.value, template, value.source, (relocated) => withGroup(relocated, resources, question, template))];
      const message = value.kind === 'absent' ? `launch template ${template.id} has no user data${condition}` : `the user data of launch template ${template.id} isn't known: ${value.reason}${condition}`;
      problems.push({ severity: 'warning', message, ...placeOf(value.source) });
      return [];
    }),
  );
  return { inputs, diagnostics: problems };
}

function placeOf(source: Source): { file: string; line: number; column: number } {
  const { file, line, column } = source.locate();
  return { file, line, column };
}

/** The user data with places that count in its own text, as the code frames of the report show it. */
function inputOf(label: string, userData: UserData, template: LaunchTemplate, source: Source, resourcesOf: (template: LaunchTemplate) => readonly EksResource[]): UserDataInput {
  // The layers are taken off first, so that places count in the text that is shown.
  const decoded = documentOf(userData);
  const text = decoded.text.relocate((offset) => ({ locate: () => ({ file: label, ...shownPosition(decoded.text, offset) }) }));
  const relocated: UserData = { text, layers: decoded.layers, encodedBy: userData.encodedBy };
  const whole: Source = { locate: () => ({ file: label, line: 1, column: 1 }) };
  const launchTemplate = overriding(template, { userData: new Known(relocated, whole), source: whole });
  return { label, userData: relocated, document: documentOf(relocated), shown: text.show(), source, resources: resourcesOf(launchTemplate), launchTemplate };
}

/** Line and column in the shown text, where unknown parts have another length. */
function shownPosition(text: SourceText, offset: number): { line: number; column: number } {
  const start = Math.max(text.text.lastIndexOf('\n', offset - 1), text.text.lastIndexOf('\r', offset - 1)) + 1;
  return { line: text.show(0, start).split(/\r\n|\n|\r/).length, column: text.show(start, offset).length + 1 };
}

/** The resources with the launch template replaced wherever it is used, or with a group of its own if nothing uses it. */
function withGroup(launchTemplate: LaunchTemplate, resources: readonly EksResource[], question: UserDataQuestion, original?: LaunchTemplate): readonly EksResource[] {
  const use = new Known<LaunchTemplateUse>({ template: { text: launchTemplate.id, target: launchTemplate }, version: ABSENT, id: ABSENT, name: ABSENT, source: nowhere }, nowhere);
  const others = resources.filter((resource) => resource !== original && resource.kind !== 'node-group' && resource.kind !== 'self-managed-node-group');
  const users = resources.filter((resource) => (resource.kind === 'node-group' || resource.kind === 'self-managed-node-group') && uses(resource, original));
  const isAsked = question.family !== undefined || question.bootstrapBy !== 'unknown';
  if (users.length > 0 && !isAsked) return [launchTemplate, ...others, ...users.map((user) => overriding(user as NodeGroup, { launchTemplate: use }))];
  const image = imageFor(question, launchTemplate);
  const template = image === undefined ? launchTemplate : Object.defineProperty(launchTemplate, 'imageId', { value: image });
  return [template, ...others, syntheticGroup(launchTemplate, use, question)];
}

function uses(group: NodeGroup | SelfManagedNodeGroup, template: LaunchTemplate | undefined): boolean {
  return alternativesOf(launchTemplateOf(group)).some(({ value }) => value.kind === 'known' && value.value === template);
}

/** The AMI that decides on who bootstraps; undefined to leave what the template says. */
function imageFor({ bootstrapBy, family }: UserDataQuestion, template: LaunchTemplate): LaunchTemplate['imageId'] | undefined {
  if (bootstrapBy === 'eks') return ABSENT;
  if (bootstrapBy === 'user') return new Known({ text: 'an AMI of your own', family }, nowhere);
  return template.imageId.kind === 'absent' ? new Unknown('nothing says whether the launch template has an AMI of its own (--bootstrap eks or user)', nowhere) : undefined;
}

/** An object like another one, with some of its properties replaced; the getters of the rest work as before. */
function overriding<T extends object>(original: T, properties: Partial<T>): T {
  return Object.create(original, Object.getOwnPropertyDescriptors(properties)) as T;
}

const ABSENT = new Absent(nowhere);

const BASE: Omit<Resource, 'id' | 'type'> = { path: undefined, stack: '', frontEnd: 'cloudformation', source: nowhere, suppressions: [], exists: always };

function syntheticTemplate(name: string): LaunchTemplate {
  return {
    ...BASE,
    kind: 'launch-template',
    type: 'user data',
    id: name,
    name: ABSENT,
    imageId: ABSENT,
    instanceType: ABSENT,
    metadata: { httpTokens: ABSENT, hopLimit: ABSENT, httpEndpoint: ABSENT, instanceTags: ABSENT },
    userData: ABSENT,
    instanceTagKeys: [],
    instanceProfile: ABSENT,
    shutdownBehavior: ABSENT,
    hibernation: ABSENT,
    instanceRequirements: ABSENT,
    marketType: ABSENT,
    keyName: ABSENT,
    securityGroups: ABSENT,
    networkInterfaces: [],
    blockDevices: [],
  };
}

/** An AMI type of each family, to tell the rules the operating system. */
const AMI_TYPES: Readonly<Record<AmiFamily, string>> = {
  AL2: 'AL2_x86_64',
  AL2023: 'AL2023_x86_64_STANDARD',
  BOTTLEROCKET: 'BOTTLEROCKET_x86_64',
  WINDOWS: 'WINDOWS_CORE_2022_x86_64',
};

function syntheticGroup(template: LaunchTemplate, launchTemplate: Value<LaunchTemplateUse>, { family, kubernetesVersion }: UserDataQuestion): NodeGroup {
  const known = <T>(value: T | undefined): Value<T> => (value === undefined ? ABSENT : new Known(value, nowhere));
  return {
    ...BASE,
    kind: 'node-group',
    type: 'node group',
    id: 'nodes',
    cluster: new Unknown('the cluster isn\'t given', nowhere),
    name: ABSENT,
    amiType: family === undefined ? new Known('CUSTOM', nowhere) : new Known(AMI_TYPES[family], nowhere),
    instanceTypes: ABSENT,
    subnets: ABSENT,
    capacityType: ABSENT,
    version: known(kubernetesVersion),
    releaseVersion: ABSENT,
    launchTemplate,
    nodeRole: ABSENT,
    forceUpdate: ABSENT,
    diskSize: ABSENT,
    remoteAccess: ABSENT,
    labels: ABSENT,
    taints: ABSENT,
    updateConfig: ABSENT,
    minSize: ABSENT,
    maxSize: ABSENT,
    desiredSize: ABSENT,
    exists: template.exists,
  };
}
