import {
  type Acknowledgement,
  always,
  type Diagnostic,
  type ParameterValues,
  type PlacedSuppression,
  type Value,
} from '../value';
import { parseDocument, unreadableDocument, type ParsedDocument } from '../languages';
import type { NestedTemplate, TemplateInput } from './template-input';
import { inWords } from '../text/in-words';
import { looksLikeTemplate } from './template-text';
import { Acknowledgements } from './acknowledgements';
import { ignoresInTemplate } from './comments';
import { isMap, member, type Cursor } from './cursor';
import { Evaluator } from './evaluator';
import { unrollLoops } from './loops';
import { findNestedFiles, type NestedFiles } from './nested-files';
import { Template } from './template';

const NEVER_CREATED =
  'this template is judged on its own, with the defaults of its parameters: the stack that uses it is never created';

/** What a template may have besides. */
const SECTIONS = ['Parameters', 'Outputs', 'Mappings', 'Conditions', 'Transform', 'Rules'];

/** Whether a map of this name is no section of a template, as in the values of a chart: nothing in it has a type, and nothing beside it is a section. */
function isSettingOfOthers(resources: object, root: unknown): boolean {
  const all = Object.entries(resources);
  return (
    all.length > 0 &&
    SECTIONS.every((name) => member(root, name) === undefined) &&
    all.every(([id, value]) => !id.startsWith('Fn::') && member(value, 'Type') === undefined) &&
    !JSON.stringify(resources).includes('AWS::')
  );
}

/** All templates of a run, so that links between stacks resolve. */
export class TemplateSet {
  readonly templates: Template[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** Decisions in comments. */
  readonly suppressions: PlacedSuppression[] = [];
  readonly evaluator = new Evaluator(this);
  /** Inputs that were added, whether or not they could be read. */
  private readonly inputs = new Set<TemplateInput>();
  private readonly byInput = new Map<TemplateInput, Template>();
  private readonly documents = new Map<TemplateInput, ParsedDocument>();
  /** The template of an assembly that uses another one of it. */
  private readonly users = new Map<TemplateInput, TemplateInput>();
  /** Whether all templates were added. Until then nothing is looked up in the others. */
  private isComplete = false;
  private nestedFiles: NestedFiles = { children: new Map(), uses: new Map() };
  /** Nested stacks whose templates are files of the run. */
  private followed: ReadonlySet<string> | undefined;
  private exportsByName: Map<string, Cursor[]> | undefined;
  private readonly acknowledgementsByList = new Map<readonly Acknowledgement[], Acknowledgements>();

  /**
   * @param given values of parameters that the user gave to this run
   * @param nameByRef the name that `Ref` of a resource stands for, where it is written down; undefined of one whose `Ref` is no name
   * @param realPathOf where links of a path lead to
   */
  constructor(
    readonly given: ParameterValues = {},
    readonly nameByRef: (model: object) => Value<string> | undefined = () => undefined,
    private readonly realPathOf: (path: string) => string = (path) => path,
  ) {}

  /** Parses templates and those of their nested stacks. */
  addAll(inputs: readonly TemplateInput[]): void {
    const alone = new Map<TemplateInput, Template>();
    const mayExist = (input: TemplateInput, id: string): boolean => {
      const template = alone.get(input) ?? new Template(this, input.file, input, this.document(input), undefined);
      alone.set(input, template);
      return template.existence(id) !== undefined;
    };
    this.nestedFiles = findNestedFiles(inputs, (input) => this.document(input).root, mayExist, this.realPathOf);
    const nested = new Set([...this.nestedFiles.children.values()].flatMap((children) => [...children.values()]));
    for (const input of inputs) if (!nested.has(input)) this.add(input);
    // Of templates that nest each other in a circle, the first one starts it.
    for (const input of inputs) if (!this.inputs.has(input)) this.add(input);
    this.isComplete = true;
  }

  /** The input that a template is listed with: nested stacks of an assembly are no inputs of their own. */
  listedWith({ input }: Template): TemplateInput {
    let listed = input;
    for (let user = this.users.get(listed); user !== undefined; user = this.users.get(listed)) listed = user;
    return listed;
  }

  /** Which templates others use for nested stacks. */
  get nested(): readonly NestedTemplate[] {
    const ofFiles = [...this.nestedFiles.uses].flatMap(([{ file }, uses]) =>
      uses.map(({ parent }) => ({ file, parent: parent.file })),
    );
    return [...ofFiles, ...[...this.users].map(([{ file }, parent]) => ({ file, parent: parent.file }))];
  }

  /** Whether the template of a nested stack is among those of the run. */
  isFollowed({ input, children }: Template, id: string): boolean {
    if (children.has(id)) return true;
    this.followed ??= new Set(
      [...this.nestedFiles.uses.values()].flat().map(({ parent, id: stack }) => `${parent.file}\n${stack}`),
    );
    return this.followed.has(`${input.file}\n${id}`);
  }

  /** What stacks pass for a parameter of a template, also those that it isn't linked to. */
  passedTo({ input }: Template, parameter: string): readonly Cursor[] {
    return (this.nestedFiles.uses.get(input) ?? []).flatMap(
      ({ parent, id }) =>
        this.byInput.get(parent)?.named('Resources', id)?.child('Properties').child('Parameters').child(parameter) ??
        [],
    );
  }

  /** Whether an input was read as a template, on its own or as a nested stack. */
  has(input: TemplateInput): boolean {
    return this.byInput.has(input);
  }

  /** Returns undefined if the template can't be read at all. */
  private add(input: TemplateInput, parent?: Cursor): Template | undefined {
    const document = this.document(input);
    this.documents.delete(input);
    this.inputs.add(input);
    if (
      input.optional === true &&
      (document.root === undefined ? !looksLikeTemplate(input.text ?? '') : this.isSomethingElse(document, input.file))
    )
      return undefined;
    this.diagnostics.push(...document.diagnostics);
    if (document.root === undefined) return undefined;
    this.tellObject(document, input.file);
    this.readComments(document);
    const template = new Template(this, uniqueId(input, this.templates.length), input, document, parent);
    this.templates.push(template);
    this.byInput.set(input, template);
    for (const [logicalId, nested] of input.assembly?.nestedTemplates ?? this.nestedFiles.children.get(input) ?? []) {
      if (this.inputs.has(nested) && input.assembly === undefined) continue;
      if (input.assembly !== undefined) this.users.set(nested, input);
      const isCreated = template.existence(logicalId) !== undefined;
      if (!isCreated)
        this.diagnostics.push({ severity: 'warning', message: NEVER_CREATED, file: nested.file, line: 1, column: 1 });
      const child = this.add(nested, isCreated ? template.named('Resources', logicalId) : undefined);
      if (child !== undefined && isCreated) template.children.set(logicalId, child);
    }
    return template;
  }

  private readComments({ comments }: ParsedDocument): void {
    if (comments === undefined) return;
    const { suppressions, diagnostics } = ignoresInTemplate(comments);
    this.suppressions.push(...suppressions);
    this.diagnostics.push(...diagnostics);
  }

  /** A file that only lay in a folder: one without a map of resources is no template, unless it says that it is. */
  private isSomethingElse(document: ParsedDocument, file: string): boolean {
    const resources = member(document.root, 'Resources');
    if (member(document.root, 'AWSTemplateFormatVersion') !== undefined) return false;
    if (isMap(resources)) return isSettingOfOthers(resources, document.root);
    if (resources !== undefined) {
      this.diagnostics.push({
        severity: 'warning',
        message: 'not checked: Resources is no map, so this is no CloudFormation template',
        file,
        ...document.locate(['Resources']),
      });
    }
    return true;
  }

  /** A template has no key `kind`: what somebody applies to Kubernetes may have `Resources` beside it. */
  private tellObject(document: ParsedDocument, file: string): void {
    if (member(document.root, 'apiVersion') === undefined || member(document.root, 'kind') === undefined) return;
    this.diagnostics.push({
      severity: 'error',
      message:
        'not checked as an object of Kubernetes, whose keys `apiVersion` and `kind` are, because of `Resources`: CloudFormation refuses the former, Kubernetes the latter',
      file,
      ...document.locate(['kind']),
    });
  }

  /** Kept until the template is added: nested stacks are looked for first. */
  private document(input: TemplateInput): ParsedDocument {
    let document = this.documents.get(input);
    if (document === undefined) this.documents.set(input, (document = unrollLoops(parse(input), input.file)));
    return document;
  }

  /** Templates that were given the same list share its suppressions, so that one used in any of them counts as used. */
  acknowledgements(list: readonly Acknowledgement[]): Acknowledgements {
    let acknowledgements = this.acknowledgementsByList.get(list);
    if (acknowledgements === undefined)
      this.acknowledgementsByList.set(list, (acknowledgements = new Acknowledgements(list)));
    return acknowledgements;
  }

  /** Value of the output that is exported under a name; the one of the same region if several stacks export it. A text says why it can't be told. */
  exported(name: string, from: Template): Cursor | string | undefined {
    if (!this.isComplete) return undefined;
    const candidates = (this.exportsByName ??= this.evaluator.under(always, () => this.collectExports())).get(name);
    if (candidates === undefined || candidates.length === 1) return candidates?.[0];
    const near = candidates.filter(
      ({ template }) => template.region === from.region && template.account === from.account,
    );
    if (near.length === 1) return near[0];
    const outputs = candidates.map(({ parent, template }) => `${parent?.key ?? ''} of ${template.stack}`);
    return `${candidates.length} outputs of the input are exported as ${name}: ${inWords(outputs)}`;
  }

  /** Value of an output of a stack, by the stack's name. A text says why it can't be told. */
  stackOutput(stack: string, output: string, region: string | undefined): Cursor | string | undefined {
    if (!this.isComplete) return undefined;
    const candidates = this.templates.filter((template) => template.parent === undefined && template.stack === stack);
    const near = candidates.length > 1 ? candidates.filter((template) => template.region === region) : candidates;
    if (near.length > 1)
      return `${near.length} templates of the input are stack ${stack}: ${inWords(near.map(({ file }) => file))}`;
    return near[0]?.named('Outputs', output)?.child('Value');
  }

  private collectExports(): Map<string, Cursor[]> {
    const byName = new Map<string, Cursor[]>();
    for (const template of this.templates) {
      const outputs = template.section('Outputs');
      if (outputs === undefined) continue;
      for (const id of Object.keys(outputs.raw as object)) {
        const output = outputs.child(id);
        if (
          member(member(output.raw, 'Export'), 'Name') === undefined ||
          template.existence(id, 'Outputs') === undefined
        )
          continue;
        const name = this.evaluator.text(output.child('Export').child('Name'));
        if (name.kind !== 'known') continue;
        const known = byName.get(name.value);
        if (known === undefined) byName.set(name.value, [output.child('Value')]);
        else known.push(output.child('Value'));
      }
    }
    return byName;
  }
}

function uniqueId(input: TemplateInput, index: number): string {
  return index === 0 ? '' : `${input.stack ?? input.file}#${index}`;
}

function parse(input: TemplateInput): ParsedDocument {
  const { file, text, content } = input;
  if (text !== undefined) return parseDocument(text, file, true, 'last');
  if (content === undefined) return unreadableDocument(file, 'neither a text nor a template object was given');
  return {
    root: content,
    diagnostics: [],
    locate: () => ({ line: 1, column: 1 }),
    locateInText: () => undefined,
    scalarText: () => undefined,
  };
}
