import Ajv, { type ValidateFunction } from 'ajv';
import { vpcCni, type ConfigurationKey } from '../../../lib/knowledge';

interface Schema {
  type?: readonly string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: readonly string[];
  required?: readonly string[];
  minProperties?: number;
}

const byVersion = new Map<string, ValidateFunction>();
/** Most versions have that of the one before. */
const byText = new Map<string, ValidateFunction>();

/** The JSON schema of an add-on version, put together again from the table: judged by another program than this library's own walk. */
export function versionSchema(version: string): ValidateFunction {
  const found = byVersion.get(version) ?? compiled(version);
  byVersion.set(version, found);
  return found;
}

function compiled(version: string): ValidateFunction {
  const root: Schema = { type: ['object'], additionalProperties: false };
  for (const key of vpcCni.keys) if (vpcCni.accepts(key, version)) add(root, key);
  const text = JSON.stringify(root);
  const found = byText.get(text) ?? new Ajv({ strict: false, allErrors: true }).compile(root);
  byText.set(text, found);
  return found;
}

function add(root: Schema, key: ConfigurationKey): void {
  const steps = key.path.replaceAll('[]', '.[]').split('.');
  const last = steps.pop() ?? '';
  let parent = root;
  for (const step of steps) parent = child(parent, step);
  const own: Schema = {
    ...(key.type.includes('any') ? {} : { type: key.type }),
    ...(key.enum === undefined ? {} : { enum: key.enum }),
    ...(key.required === undefined ? {} : { required: key.required }),
    ...(key.minProperties === undefined ? {} : { minProperties: key.minProperties }),
    ...(key.closed === true ? { additionalProperties: false } : {}),
  };
  Object.assign(child(parent, last), own);
}

function child(parent: Schema, step: string): Schema {
  if (step === '[]') return (parent.items ??= {});
  if (step === '*') {
    if (typeof parent.additionalProperties !== 'object') parent.additionalProperties = {};
    return parent.additionalProperties;
  }
  parent.properties ??= {};
  return (parent.properties[step] ??= {});
}
