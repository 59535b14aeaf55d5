import { dataAt, isDataMap, placeIn, Unknown, type Data, type KubernetesManifest } from '../../../eks';

/*
 * Code for the metadata options of an EC2NodeClass. They are one map, so that what the user sets there besides is printed with what the fix sets.
 */

type Options = Readonly<Record<string, string | number>>;

/** Placeholders of codes. */
export interface NodeClassCode {
  readonly nodeClassOptions: string;
  readonly nodeClassInYaml: string;
  readonly nodeClassInCdk: string;
  readonly nodeClassInTerraform: string;
}

/** @param inCdk what code of the AWS CDK sets beside that, where it isn't set. @default - nothing */
export function nodeClassCode(manifest: KubernetesManifest, options: Options, inCdk: Options = {}): NodeClassCode {
  const yaml = settingsOf(manifest, options, inYaml);
  const cdk = settingsOf(manifest, { ...missingOf(manifest, inCdk), ...options }, inTypeScript);
  const isInHcl = manifest.isWrittenInHcl === true;
  const hcl = isInHcl ? settingsOf(manifest, options, inHcl) : yaml;
  const heading = 'in the spec of the EC2NodeClass:';
  const nested = 'in the spec.metadataOptions of the EC2NodeClass:';
  const nodeClassOptions = ['metadataOptions:', ...linesOf(yaml, ': ', '  ')].join('\n');
  const nodeClassInYaml = yaml.isWhole
    ? `# ${heading}\n${nodeClassOptions}`
    : [`# ${nested}`, ...linesOf(yaml, ': ')].join('\n');
  return {
    nodeClassOptions,
    nodeClassInYaml,
    nodeClassInCdk: cdk.isWhole
      ? `// ${heading}\nmetadataOptions: { ${linesOf(cdk, ': ').join(', ')} },`
      : [`// ${nested}`, ...linesOf(cdk, ': ').map((line) => `${line},`)].join('\n'),
    nodeClassInTerraform: !isInHcl
      ? nodeClassInYaml
      : hcl.isWhole
        ? [`# ${heading}`, 'metadataOptions = {', ...linesOf(hcl, ' = ', '  '), '}'].join('\n')
        : [`# ${nested}`, ...linesOf(hcl, ' = ')].join('\n'),
  };
}

interface Settings {
  readonly entries: readonly (readonly [name: string, text: string])[];
  /** Whether that is all of the map; else only what the fix sets. */
  readonly isWhole: boolean;
}

/** @param write undefined for what can't be written again */
function settingsOf(
  manifest: KubernetesManifest,
  options: Options,
  write: (value: Data, expression: string | undefined) => string | undefined,
): Settings {
  const own = ownOptions(manifest);
  const given = Object.entries(options);
  const added = given.filter(([name]) => !Object.hasOwn(own, name));
  const all = [...Object.keys(own).map((name) => [name, options[name]] as const), ...added].map(
    ([name, value]) =>
      [
        name,
        value === undefined
          ? write(own[name] ?? null, placeIn(manifest, 'spec', 'metadataOptions', name).expression)
          : write(value, undefined),
      ] as const,
  );
  const isWhole = all.every((entry): entry is readonly [string, string] => entry[1] !== undefined);
  return isWhole
    ? { entries: all, isWhole }
    : { entries: given.map(([name, value]) => [name, write(value, undefined) ?? ''] as const), isWhole };
}

function ownOptions({ object }: KubernetesManifest): Readonly<Record<string, Data>> {
  const options = dataAt(object, 'spec', 'metadataOptions');
  return isDataMap(options) ? options : {};
}

function missingOf(manifest: KubernetesManifest, options: Options): Options {
  const own = ownOptions(manifest);
  return Object.fromEntries(Object.entries(options).filter(([name]) => !Object.hasOwn(own, name)));
}

/** Names in one width, where `=` stands between. */
function linesOf({ entries }: Settings, sign: ': ' | ' = ', indent = ''): readonly string[] {
  const width = sign === ' = ' ? Math.max(...entries.map(([name]) => name.length)) : 0;
  return entries.map(([name, text]) => `${indent}${name.padEnd(width)}${sign}${text}`);
}

const REFERENCE = /^[a-z][\w.[\]"-]*$/;

function inYaml(value: Data, expression: string | undefined): string | undefined {
  if (expression !== undefined) return REFERENCE.test(expression) ? `\${${expression}}` : undefined;
  if (value instanceof Unknown) return /^\$\{[\w.[\]"-]+\}$/.exec(value.text ?? '')?.[0];
  return typeof value === 'string' && /^[a-z]+$/.test(value) ? value : inHcl(value, undefined);
}

function inTypeScript(value: Data, expression: string | undefined): string | undefined {
  if (expression !== undefined || value instanceof Unknown) return undefined;
  return typeof value === 'string' && /^[\w.-]*$/.test(value) ? `'${value}'` : inHcl(value, undefined);
}

function inHcl(value: Data, expression: string | undefined): string | undefined {
  if (expression !== undefined) return REFERENCE.test(expression) ? expression : undefined;
  if (value instanceof Unknown) return /^\$\{([\w.[\]"-]+)\}$/.exec(value.text ?? '')?.[1];
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
  return typeof value === 'string' && !/[$%]\{/.test(value) ? JSON.stringify(value) : undefined;
}
