import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SKIPPED_FOLDERS } from '../../front-ends/path-pattern';
import { fileStart } from '../../files/read';
import { appOutputs } from '../../front-ends/registry';

/** What there is to check in a folder; paths from there on, `.` for itself. */
export interface FrontEnds {
  /** Folders with `cdk.json`. */
  readonly cdk: readonly string[];
  /** Folders with `cdktf.json` or `cdktn.json`. */
  readonly cdktf: readonly string[];
  /** Topmost folders with configuration of Terraform. */
  readonly terraform: readonly string[];
  /** Topmost folders with CloudFormation templates. */
  readonly templates: readonly string[];
}

/** Folders below this depth, and files beyond this number, are not looked at, so that the command stays quick in large repositories. */
const MAX_DEPTH = 6;
const MAX_FILES = 20_000;
/** A template says that it is one near its beginning. */
const LOOK_AT = 64 * 1024;

/** Looks for what can be checked in a folder. */
export function frontEndsIn(root: string): FrontEnds {
  const found = { cdk: [] as string[], cdktf: [] as string[], terraform: [] as string[], templates: [] as string[] };
  let budget = MAX_FILES;
  const visit = (path: string, depth: number): void => {
    const entries = entriesOf(join(root, path));
    budget -= entries.length;
    const names = new Set(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name));
    // What an app puts out is found through the app.
    if (appOutputs().some(({ manifest, isAt }) => names.has(manifest) && isAt(join(root, path)))) return;
    if (names.has('cdk.json')) found.cdk.push(path);
    if (names.has('cdktf.json') || names.has('cdktn.json')) found.cdktf.push(path);
    if ([...names].some((name) => /^[^.#].*\.(?:tf|tofu)(?:\.json)?$/.test(name))) found.terraform.push(path);
    if ([...names].some((name) => /\.(?:ya?ml|json|template)$/i.test(name) && isTemplate(join(root, path, name))))
      found.templates.push(path);
    for (const entry of entries) {
      if (
        !entry.isDirectory() ||
        entry.name.startsWith('.') ||
        SKIPPED_FOLDERS.has(entry.name) ||
        depth === MAX_DEPTH ||
        budget < 0
      )
        continue;
      visit(path === '.' ? entry.name : `${path}/${entry.name}`, depth + 1);
    }
  };
  visit('.', 0);
  return { ...found, terraform: topmost(found.terraform), templates: topmost(found.templates) };
}

/** What can be checked without a synthesis. */
export function sourcePaths({ terraform, templates }: FrontEnds): readonly string[] {
  return topmost([...new Set([...terraform, ...templates])]);
}

/** Those that are in no other one. */
function topmost(folders: readonly string[]): readonly string[] {
  return folders.filter(
    (folder) => !folders.some((other) => other !== folder && (other === '.' || folder.startsWith(`${other}/`))),
  );
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

function isTemplate(file: string): boolean {
  try {
    const text = fileStart(file, LOOK_AT).toString('utf8');
    return (
      /^[^\S\n\r\u2028\u2029]*["']?(?:AWSTemplateFormatVersion["']?\s{0,9}:|Resources["']?\s{0,9}:)/m.test(text) &&
      /\bAWS::/.test(text)
    );
  } catch {
    return false;
  }
}
