import { basename } from 'node:path';
import type { ConfigurationFile } from '../configuration-file';
import { isOverride } from './module-configuration';

/** What decides about resources. Settings of the tools themselves and of providers are what such files are made for. */
const DECLARING: ReadonlySet<string> = new Set(['resource', 'data', 'module', 'variable', 'locals', 'output']);

/** The name of the file that OpenTofu reads in the place of one for Terraform: `main.tofu`; that file's own name, if it is for OpenTofu. */
export function openTofuName(name: string): string {
  return name.replace(/\.tf(?=(?:\.json)?$)/, '.tofu');
}

/** A file of which Terraform and OpenTofu make something else. */
export interface DifferentFile {
  readonly file: string;
  /** What is declared otherwise: `aws_launch_template.main`, `variable.hop`. */
  readonly what: string;
}

/**
 * The files of a folder with which Terraform deploys something else than what is read: those that OpenTofu has others for, which don't say the same, and
 * override files for OpenTofu alone.
 * @param read the files that are read
 * @param replaced those in whose place they are read
 */
export function filesThatDiffer(
  read: readonly ConfigurationFile[],
  replaced: readonly ConfigurationFile[],
): readonly DifferentFile[] {
  const isAlone = ({ file }: ConfigurationFile): boolean => isOverride(file) && openTofuName(file) === file;
  // Folders of one of the two tools need no look at what they declare.
  if (replaced.length === 0 && !(read.some(isAlone) && read.some(({ file }) => openTofuName(file) !== file))) return [];
  const differences: DifferentFile[] = [];
  const all = new Set(read.flatMap((file) => [...declarationsIn(file).keys()]));
  const byName = new Map(read.map((file) => [basename(file.file), file]));
  const compared = new Set<string>();
  const tell = ({ file }: ConfigurationFile, what: string | undefined): void => {
    if (what !== undefined) differences.push({ file, what });
  };
  for (const file of replaced) {
    const name = openTofuName(basename(file.file));
    const own = declarationsIn(file);
    const other = isOverride(file.file) ? byName.get(name) : undefined;
    compared.add(name);
    tell(
      file,
      other === undefined
        ? firstMissing(own, all)
        : (firstMissing(own, declarationsIn(other)) ?? firstMissing(declarationsIn(other), own)),
    );
  }
  for (const file of read.filter(isAlone))
    if (!compared.has(basename(file.file))) tell(file, firstMissing(declarationsIn(file), new Set()));
  return differences;
}

function firstMissing(
  declared: ReadonlyMap<string, string>,
  others: { has(declaration: string): boolean },
): string | undefined {
  return [...declared].find(([declaration]) => !others.has(declaration))?.[1];
}

/** What a file declares, without the places, with the address of each. */
function declarationsIn({ body }: ConfigurationFile): ReadonlyMap<string, string> {
  return new Map(
    body.blocks.flatMap(({ type, labels, body: inner }): readonly (readonly [string, string])[] => {
      if (!DECLARING.has(type)) return [];
      if (type === 'locals')
        return inner.attributes.map(
          ({ name, value }) => [withoutPlaces([type, name, value]), `local.${name}`] as const,
        );
      return [[withoutPlaces([type, labels, inner]), [...(type === 'resource' ? [] : [type]), ...labels].join('.')]];
    }),
  );
}

function withoutPlaces(declaration: unknown): string {
  return JSON.stringify(declaration, (key, value: unknown) =>
    /^(?:range|nameRange|headRange)$/.test(key) ? undefined : value,
  );
}
