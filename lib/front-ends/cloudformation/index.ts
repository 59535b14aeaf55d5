import type { Diagnostic, InputSummary, ParameterValues, Value } from '../../value';
import type { EksResource } from '../../eks';
import type { TemplateInput } from '../../cloudformation/template-input';
import type { ReadResult } from '../reader';
import { givenParameterProblems } from '../../cloudformation/given-parameters';
import { secretsOf } from '../../cloudformation/parameters';
import { tellNotRead, type NotRead } from '../parts/not-read';
import { indexResources, readLater } from './resources';
import type { Template } from '../../cloudformation/template';
import { TemplateSet } from '../../cloudformation/template-set';
import { transformsNotRun } from './transforms';
import { CLOUDFORMATION } from './dialects';
import { validateTemplate } from './validation';

/**
 * Reads CloudFormation templates, JSON or YAML, into resources of the model. All inputs are read together, so
 * that exports, nested stacks and names resolve across them. Never throws on bad input.
 * @param given values of parameters, as if the deployment gave them
 * @param realPathOf where links of a path lead to. @default - no file of a template is a link
 */
export function readTemplates(
  inputs: readonly TemplateInput[],
  given: ParameterValues = {},
  realPathOf?: (path: string) => string,
): ReadResult {
  const set = new TemplateSet(given, nameByRef, realPathOf);
  const summaries = new Map<TemplateInput, number>();
  set.addAll(inputs);
  for (const input of inputs) {
    // What could not be read was still looked at, and is listed with its diagnostic.
    if (set.has(input) || input.optional !== true) summaries.set(input, 0);
  }
  const resources: EksResource[] = [];
  const later: (() => EksResource[])[] = [];
  const counts = new Map<Template, number>();
  const unread = new Map<string, UnreadResource[]>();
  const unreadTemplates: NotRead[] = [];
  for (const template of set.templates) {
    const index = indexResources(template);
    for (const resource of index.resources) resources.push(resource);
    later.push(() => readLater(template, index.later));
    counts.set(template, index.count);
    unreadTemplates.push(...index.unreadTemplates);
    for (const [type, ids] of index.unread) {
      const known = unread.get(type) ?? [];
      unread.set(type, known);
      for (const id of ids) known.push({ template, id });
    }
  }
  for (const read of later) for (const resource of read()) resources.push(resource);
  const diagnostics = [
    ...set.diagnostics,
    ...givenParameterProblems(set.templates, given),
    ...unreadTypes(unread),
    ...tellNotRead(unreadTemplates),
  ];
  for (const template of set.templates) {
    diagnostics.push(...transformsNotRun(template));
    for (const diagnostic of validateTemplate(template)) diagnostics.push(diagnostic);
  }
  for (const [template, count] of counts) {
    const input = set.listedWith(template);
    summaries.set(input, (summaries.get(input) ?? 0) + count);
  }
  return {
    inputs: [...summaries].map(([input, count]) => summary(input, count)),
    resources,
    diagnostics,
    suppressions: set.suppressions.map((one) => ({ ...one, dialect: CLOUDFORMATION })),
    secrets: set.templates.flatMap(secretsOf),
    nested: set.nested,
  };
}

function summary({ file }: TemplateInput, resources: number): InputSummary {
  return { path: file, kind: 'cloudformation-template', resources };
}

interface UnreadResource {
  readonly template: Template;
  readonly id: string;
}

/** One line for each type, at the first resource of it. */
function unreadTypes(unread: ReadonlyMap<string, readonly UnreadResource[]>): Diagnostic[] {
  return [...unread].flatMap(([type, resources]) => {
    const [first] = resources;
    const place = first?.template.named('Resources', first.id);
    if (first === undefined || place === undefined) return [];
    const templates = new Set(resources.map(({ template }) => template)).size;
    const where = templates === 1 ? '' : ` in ${templates} templates`;
    const message =
      resources.length === 1
        ? `resource ${first.id} of type ${type} isn't read, so what it sets up isn't checked`
        : `${resources.length} resources of type ${type}${where} aren't read, so what they set up isn't checked`;
    const { file, line, column } = place.locate();
    const skipped = { what: 'resource', count: resources.length } as const;
    return { severity: 'warning', message, file, line, column, skipped } satisfies Diagnostic;
  });
}

function nameByRef(model: object): Value<string> | undefined {
  const resource = model as EksResource;
  return resource.kind === 'cluster' || resource.kind === 'role' ? resource.name : undefined;
}
