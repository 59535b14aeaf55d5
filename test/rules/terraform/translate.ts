import { parseDocument } from '../../../lib/languages';
import { expression, PSEUDO_DATA, type Names } from './expressions';
import { terraformType, translateResource } from './resources';
import { isMap, untranslatable, Untranslatable, type JsonMap } from './untranslatable';

/** A template of CloudFormation, said again in Terraform. */
export interface Translation {
  /** The configuration in Terraform's JSON syntax. */
  readonly configuration: JsonMap;
  /** Logical ids by address. */
  readonly ids: ReadonlyMap<string, string>;
  /** Whether something depends on a condition, which no plan can hold. */
  readonly hasConditions: boolean;
}

/** @returns the reason if Terraform can't say the same */
export function translate(template: string): Translation | string {
  const { root, diagnostics } = parseDocument(template, 'template.yaml');
  return diagnostics.length > 0 || !isMap(root) ? 'a template with problems' : translateRoot(root);
}

/** @param root a template as an object, with functions in their long form */
export function translateRoot(root: JsonMap): Translation | string {
  try {
    return translateTemplate(root);
  } catch (error) {
    if (error instanceof Untranslatable) return error.message;
    throw error;
  }
}

function translateTemplate(root: JsonMap): Translation {
  const section = (name: string) => (isMap(root[name]) ? root[name] : {});
  const [parameters, conditions, resources] = [section('Parameters'), section('Conditions'), section('Resources')];
  for (const name of Object.keys(root))
    if (!['AWSTemplateFormatVersion', 'Description', 'Parameters', 'Conditions', 'Resources'].includes(name))
      untranslatable(`a template with ${name}`);
  const names: Names = {
    parameters: new Set(Object.keys(parameters)),
    conditions: new Set(Object.keys(conditions)),
    resources: new Map(Object.entries(resources).map(([id, resource]) => [id, place(id, resource)])),
  };
  const twins: Record<string, Record<string, JsonMap>> = {};
  for (const [id, resource] of Object.entries(resources)) {
    if (!isMap(resource)) return untranslatable('a resource that is no map');
    const { Type, Properties, Condition, ...others } = resource;
    const [strange] = Object.keys(others);
    if (strange !== undefined) untranslatable(`a resource with ${strange}`);
    const { type, attributes } = translateResource(String(Type), isMap(Properties) ? Properties : {}, names);
    (twins[type] ??= {})[nameOf(id)] =
      typeof Condition === 'string' ? { count: `\${local.${Condition} ? 1 : 0}`, ...attributes } : attributes;
  }
  const locals = Object.fromEntries(
    Object.entries(conditions).map(([name, condition]) => [name, `\${${expression(condition, names)}}`]),
  );
  return {
    configuration: {
      variable: {
        cluster_name: { type: 'string' },
        stack_name: { type: 'string' },
        ...variables(parameters, conditions),
      },
      ...(Object.keys(conditions).length === 0 ? {} : { locals }),
      data: PSEUDO_DATA,
      resource: twins,
    },
    ids: new Map([...names.resources].map(([id, { address }]) => [address, id])),
    hasConditions: Object.keys(conditions).length > 0,
  };
}

function place(id: string, resource: unknown): { type: string; address: string } {
  const type = isMap(resource) ? String(resource['Type']) : '';
  const counted = isMap(resource) && resource['Condition'] !== undefined;
  return { type, address: `${terraformType(type) ?? 'none'}.${nameOf(id)}${counted ? '[0]' : ''}` };
}

/** Logical ids are names in Terraform, too. */
function nameOf(id: string): string {
  return id;
}

function variables(parameters: JsonMap, conditions: JsonMap): JsonMap {
  const deciding = new Set([...JSON.stringify(conditions).matchAll(/"Ref":"([^"]+)"/g)].map(([, name]) => name));
  return Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      const { Type, Default, ...others } = isMap(parameter) ? parameter : {};
      if (/SSM/.test(String(Type))) return untranslatable('a parameter from the parameter store');
      const isList = String(Type).startsWith('List') || Type === 'CommaDelimitedList';
      // Whoever deploys a template may give another value; a variable's default is taken for its value.
      if (deciding.has(name) && Default !== undefined)
        return untranslatable('a default of a parameter that decides a condition');
      if ('AllowedValues' in others && deciding.has(name))
        return untranslatable('allowed values of a parameter that decides a condition');
      const value = isList && typeof Default === 'string' ? Default.split(',') : Default;
      return [
        name,
        {
          type: isList ? 'list(string)' : Type === 'Number' ? 'number' : 'string',
          ...(Default === undefined || Default === '' ? {} : { default: value }),
        },
      ];
    }),
  );
}
