import { basename } from 'node:path';
import type { Diagnostic, ParameterValue, ParameterValues } from '../value';
import { nearestName, SpellingIndex } from '../text/nearest';
import { member, type Cursor } from './cursor';
import type { Template } from './template';

/**
 * Says which values that the user gives to parameters can't be meant so. Only a part of the stacks may be checked, so that a name that nothing declares
 * says little: it must be one that is surely misspelt, or be given to a stack that is here. All of it is warnings.
 */
export function givenParameterProblems(
  templates: readonly Template[],
  { cloudformation = {}, stacks = {} }: ParameterValues,
): Diagnostic[] {
  const named = [...Object.keys(cloudformation), ...Object.keys(stacks)];
  if (named.length === 0) return [];
  const declared = declarationsOf(templates);
  const free = new SpellingIndex<Cursor>();
  for (const [name, [first]] of declared)
    if (first !== undefined && !Object.hasOwn(cloudformation, name)) free.add(name, first);
  return [
    ...Object.keys(cloudformation).flatMap((name) => misspelt(name, declared, free)),
    ...Object.entries(stacks).flatMap(([stack, values]) => {
      const own = templates.filter((template) => template.stack === stack);
      if (own.length === 0) return namedByFile(stack, templates, stacks);
      const here = declarationsOf(own);
      return Object.keys(values).flatMap((name) => (here.has(name) ? [] : undeclared(name, stack, own, here)));
    }),
    ...[...declared.values()].flat().flatMap((parameter) => unfit(parameter, cloudformation, stacks)),
  ];
}

type Declarations = ReadonlyMap<string, readonly Cursor[]>;

function declarationsOf(templates: readonly Template[]): Declarations {
  const declared = new Map<string, Cursor[]>();
  for (const template of templates) {
    const section = template.section('Parameters');
    for (const name of Object.keys(section?.raw ?? {})) {
      const parameter = template.named('Parameters', name);
      if (parameter === undefined) continue;
      const others = declared.get(name);
      if (others === undefined) declared.set(name, [parameter]);
      else others.push(parameter);
    }
  }
  return declared;
}

function misspelt(name: string, declared: Declarations, free: SpellingIndex<Cursor>): Diagnostic[] {
  if (declared.has(name)) return [];
  const meant = free.find(name);
  const place = meant?.item;
  return place === undefined
    ? []
    : [
        warning(
          place,
          `the configuration gives a value to parameter "${name}", which no template declares; did you mean "${String(meant?.name)}"?`,
        ),
      ];
}

function undeclared(name: string, stack: string, templates: readonly Template[], here: Declarations): Diagnostic[] {
  const meant = nearestName(name, [...here.keys()]);
  const place = (meant === undefined ? undefined : here.get(meant)?.[0]) ?? templates[0]?.root;
  const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
  return place === undefined
    ? []
    : [
        warning(
          place,
          `the configuration gives a value to parameter "${name}" of stack "${stack}", which doesn't declare it${hint}`,
        ),
      ];
}

/** The stack of a template file is called like the file, without its extension. */
function namedByFile(
  stack: string,
  templates: readonly Template[],
  stacks: NonNullable<ParameterValues['stacks']>,
): Diagnostic[] {
  const meant = templates.find(
    (template) => basename(template.file) === stack || template.stack.toLowerCase() === stack.toLowerCase(),
  );
  if (meant === undefined || Object.hasOwn(stacks, meant.stack)) return [];
  return [
    warning(
      meant.root,
      `the configuration gives values to parameters of stack "${stack}"; this stack is called "${meant.stack}"`,
    ),
  ];
}

/** A value that a deployment would refuse. */
function unfit(
  parameter: Cursor,
  cloudformation: NonNullable<ParameterValues['cloudformation']>,
  stacks: NonNullable<ParameterValues['stacks']>,
): Diagnostic[] {
  const name = String(parameter.key);
  const ofStack = Object.hasOwn(stacks, parameter.template.stack) ? stacks[parameter.template.stack] : undefined;
  const values = ofStack !== undefined && Object.hasOwn(ofStack, name) ? ofStack : cloudformation;
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  const problem =
    value === undefined || parameter.template.binding(name) !== undefined
      ? undefined
      : whyUnfit(value, member(parameter.raw, 'Type'));
  return problem === undefined ? [] : [warning(parameter, `the configuration gives parameter "${name}" ${problem}`)];
}

function whyUnfit(value: ParameterValue, type: unknown): string | undefined {
  if (typeof type !== 'string') return undefined;
  const isList = type === 'CommaDelimitedList' || type.includes('List<');
  if (typeof value === 'object' && !isList) return `a list, and it is of type ${type}`;
  const numbers = type === 'Number' ? [String(value)] : type === 'List<Number>' ? String(value).split(',') : [];
  const odd = numbers.find((one) => one.trim() === '' || Number.isNaN(Number(one)));
  return odd === undefined ? undefined : `the value "${odd}", and it is of type ${type}`;
}

function warning(place: Cursor, message: string): Diagnostic {
  const { file, line, column } = place.locate();
  return { severity: 'warning', message, file, line, column };
}
