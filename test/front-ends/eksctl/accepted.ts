import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

/**
 * The schema that `eksctl utils schema` prints, for whoever has it: with its path here, configurations that tests write must be valid by it.
 * @default - what `eksctl-refuses` says of their shape counts alone
 */
const SCHEMA = process.env['EKS_GUARDRAILS_EKSCTL_SCHEMA'];

let validate: ValidateFunction | undefined;

/** What eksctl's own schema says against a ClusterConfig. */
export function refusedBySchema(text: string): readonly string[] {
  if (SCHEMA === undefined) return [];
  validate ??= new Ajv({ strict: false, allErrors: true }).compile(JSON.parse(readFileSync(SCHEMA, 'utf8')) as object);
  validate(parse(text, { version: '1.1' }));
  return (validate.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
