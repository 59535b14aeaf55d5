import type { TemplateInput } from '../../cloudformation/template-input';
import type { InputKind } from '../../value';
import type { FrontEndResult, InputReader, ReadingRun } from '../front-end';
import { readTemplates } from '.';

/** Reads the templates of a run together, whoever wrote them: exports, nested stacks and names link them. */
export class TemplateReader implements InputReader {
  private readonly templates: TemplateInput[] = [];
  private counts: ReadonlyMap<string, number> = new Map();

  constructor(private readonly run: ReadingRun) {}

  /** Templates that are one input. One of which none turned out to be a template isn't listed, unless an app wrote it. */
  add(kind: InputKind, path: string, templates: readonly TemplateInput[]): void {
    for (const template of templates) this.templates.push(template);
    this.run.list(() => {
      const read = templates.filter(({ file }) => this.counts.has(file));
      if (read.length === 0 && kind === 'cloudformation-template') return undefined;
      return { path, kind, resources: read.reduce((sum, { file }) => sum + (this.counts.get(file) ?? 0), 0) };
    });
  }

  read(): FrontEndResult {
    const { run } = this;
    const result = readTemplates(this.templates, run.given, (path) => run.files.realPathOf(path));
    for (const nested of result.nested ?? []) run.reading.onNestedTemplate?.(nested);
    this.counts = new Map(result.inputs.map((input) => [input.path, input.resources]));
    const refused = this.templates.flatMap(({ file, text, optional }) =>
      optional === true && text !== undefined && !this.counts.has(file) ? [{ path: file, text }] : [],
    );
    return { ...result, inputs: [], refused };
  }
}

export function templateReader(run: ReadingRun): TemplateReader {
  return new TemplateReader(run);
}
