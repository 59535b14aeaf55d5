import type { Diagnostic } from '../../value';
import { isMap, member, type Cursor } from '../../cloudformation/cursor';
import { inWords } from '../../text/in-words';
import type { Section, Template } from '../../cloudformation/template';

/** Transforms of AWS's that make nothing of EKS: functions and hooks, and for Serverless, what its own types stand for. */
const KNOWN_TRANSFORM =
  /^AWS::(?:Serverless-2016-10-31|LanguageExtensions|SecretsManager-\d{4}-\d{2}-\d{2}|CodeDeployBlueGreen|ServiceCatalog)$/;

const TRANSFORM = 'Fn::Transform';

/** Sections into which a transform can put entries. Parameters are none. */
const SECTIONS: readonly Section[] = ['Mappings', 'Conditions', 'Resources', 'Outputs'];

/** Whether a deployment may make resources and conditions that the template doesn't show. */
export function hasGenerators(template: Template, resources: Readonly<Record<string, unknown>>): boolean {
  const { raw } = template.root;
  return (
    listOf(member(raw, 'Transform')).some((name) => name !== 'AWS::LanguageExtensions') ||
    member(raw, TRANSFORM) !== undefined ||
    SECTIONS.some((name) => member(template.section(name)?.raw, TRANSFORM) !== undefined) ||
    template.resourceIds.some((id) => id.startsWith('Fn::ForEach')) ||
    Object.values(resources).some((resource) => isModule(member(resource, 'Type')))
  );
}

function isModule(type: unknown): boolean {
  return typeof type === 'string' && type.endsWith('::MODULE');
}

interface Call {
  readonly name: string | undefined;
  readonly place: Cursor;
}

/**
 * What is told of transforms that may add resources, or change those that are there: one line for a template, at the first of them. One
 * among the properties of a resource only makes these unknown.
 */
export function transformsNotRun(template: Template): readonly Diagnostic[] {
  const calls = callsIn(template).filter(({ name }) => name === undefined || !KNOWN_TRANSFORM.test(name));
  const [first] = calls;
  if (first === undefined) return [];
  const named = new Set(calls.flatMap(({ name }) => name ?? []));
  const names = [...named, ...(calls.some(({ name }) => name === undefined) ? ['one whose name is worked out'] : [])];
  const { file, line, column } = first.place.locate();
  return [
    {
      severity: 'warning',
      message: `what the ${names.length === 1 ? 'transform' : 'transforms'} ${inWords(names)} may add or change isn't checked; the processed template of a change set or a stack can be (aws cloudformation get-template --template-stage Processed)`,
      file,
      line,
      column,
      skipped: { what: 'transform', count: names.length },
    },
  ];
}

/** Whether a macro of which nothing is known has the whole template to write into. */
export function hasUnknownTransforms(template: Template): boolean {
  const { root } = template;
  const resources = template.section('Resources');
  return [
    ...callsAt(root.child('Transform')),
    ...callsAt(root.child(TRANSFORM)),
    ...(resources === undefined ? [] : callsAt(resources.child(TRANSFORM))),
  ].some(({ name }) => name === undefined || !KNOWN_TRANSFORM.test(name));
}

function callsIn(template: Template): readonly Call[] {
  const { root } = template;
  const resources = template.section('Resources');
  return [
    ...callsAt(root.child('Transform')),
    ...callsAt(root.child(TRANSFORM)),
    ...(resources === undefined
      ? []
      : [
          ...callsAt(resources.child(TRANSFORM)),
          ...template.resourceIds
            .filter((id) => member(member(resources.raw, id), TRANSFORM) !== undefined)
            .flatMap((id) => callsAt(resources.child(id), TRANSFORM)),
        ]),
  ];
}

/** The calls in a `Transform` or `Fn::Transform`: names, or maps of a name and parameters. */
function callsAt(place: Cursor, key?: string): readonly Call[] {
  const calls = key === undefined ? place : place.child(key);
  return listOf(calls.raw).map((call, index) => {
    const name = isMap(call) ? call.Name : call;
    const at = key !== undefined || !Array.isArray(calls.raw) ? place : calls.child(index);
    return { name: typeof name === 'string' ? name : undefined, place: at };
  });
}

function listOf(raw: unknown): readonly unknown[] {
  if (raw === undefined || raw === null) return [];
  return Array.isArray(raw) ? raw : [raw];
}
