import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SKIPPED_FOLDERS } from '../../front-ends/path-pattern';
import { fileStart } from '../../files/read';
import { looksLikeClusterConfig } from '../../front-ends/eksctl/config-text';
import { hasActions, looksLikeManifest, mayMatter } from '../../front-ends/kubernetes/manifest-text';
import { KUSTOMIZATION } from '../../front-ends/kubernetes/kustomizations';
import { CHECK_TERRAGRUNT, renderChart } from '../../front-ends/not-read';
import { PREVIEW } from '../../front-ends/pulumi/recognition';
import { appOutputs } from '../../front-ends/registry';
import { PULUMI } from '../../front-ends/terraform/dialects';
import { printableLine } from '../../reports/prose';
import { TERRAGRUNT_FILE } from '../../terraform/module/value-files';
import { shellQuote } from '../../text/shell-quote';
import { argumentFor, checkCommand } from './quoting';

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
  /** Topmost folders with ClusterConfigs of eksctl. */
  readonly eksctl: readonly string[];
  /** Topmost folders with Kubernetes manifests, kustomizations among them. */
  readonly manifests: readonly string[];
  /** Topmost folders with Helm charts, which have to be rendered. */
  readonly charts: readonly string[];
  /** Folders with units of Terragrunt, of which plans can be checked. */
  readonly terragrunt: readonly string[];
  /** Folders with projects of Pulumi, of which previews can be checked. */
  readonly pulumi: readonly string[];
}

/** Folders below this depth, and files beyond this number, are not looked at, so that the command stays quick in large repositories. */
const MAX_DEPTH = 6;
const MAX_FILES = 20_000;
/** Templates and the like say what they are near their beginning. */
const LOOK_AT = 64 * 1024;

/** Looks for what can be checked in a folder. */
export function frontEndsIn(root: string): FrontEnds {
  const found = {
    cdk: [] as string[],
    cdktf: [] as string[],
    terraform: [] as string[],
    templates: [] as string[],
    eksctl: [] as string[],
    manifests: [] as string[],
    charts: [] as string[],
    terragrunt: [] as string[],
    pulumi: [] as string[],
  };
  const kustomizations: string[] = [];
  let budget = MAX_FILES;
  const visit = (path: string, depth: number, isOfChart: boolean): void => {
    const entries = entriesOf(join(root, path));
    budget -= entries.length;
    const names = new Set(entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name));
    // What an app puts out is found through the app.
    if (appOutputs().some(({ manifest, isAt }) => names.has(manifest) && isAt(join(root, path)))) return;
    if (names.has('cdk.json')) found.cdk.push(path);
    if (names.has('cdktf.json') || names.has('cdktn.json')) found.cdktf.push(path);
    if ([...names].some((name) => /^[^.#].*\.(?:tf|tofu)(?:\.json)?$/.test(name))) found.terraform.push(path);
    const starts = [...names]
      .filter((name) => /\.(?:ya?ml|json|template)$/i.test(name))
      .map((name) => startOf(join(root, path, name)));
    if (starts.some(isTemplate)) found.templates.push(path);
    if (starts.some(looksLikeClusterConfig)) found.eksctl.push(path);
    const isInChart = isOfChart || names.has('Chart.yaml');
    if (isInChart) found.charts.push(path);
    else if (starts.some(isManifest)) found.manifests.push(path);
    if ([...names].some((name) => KUSTOMIZATION.test(name))) kustomizations.push(path);
    if (names.has(TERRAGRUNT_FILE)) found.terragrunt.push(path);
    if ([...names].some((name) => PULUMI.sign?.test(name) === true)) found.pulumi.push(path);
    for (const entry of entries) {
      if (
        !entry.isDirectory() ||
        entry.name.startsWith('.') ||
        SKIPPED_FOLDERS.has(entry.name) ||
        depth === MAX_DEPTH ||
        budget < 0
      )
        continue;
      visit(path === '.' ? entry.name : `${path}/${entry.name}`, depth + 1, isInChart);
    }
  };
  visit('.', 0, false);
  return {
    ...found,
    terraform: topmost(found.terraform),
    templates: topmost(found.templates),
    eksctl: topmost(found.eksctl),
    // What kustomizations change is read with them.
    manifests:
      found.manifests.length === 0 ? [] : topmost([...new Set([...found.manifests, ...kustomizations])].sort()),
    charts: topmost(found.charts),
  };
}

/** What can be checked without a synthesis. */
export function sourcePaths({ terraform, templates, eksctl, manifests }: FrontEnds): readonly string[] {
  return topmost([...new Set([...terraform, ...templates, ...eksctl, ...manifests])]);
}

/** What to do about that which has to be rendered or planned first. */
export function toRenderFirst({ charts, terragrunt }: FrontEnds): readonly string[] {
  return [
    ...charts.map(
      (folder) =>
        `The Helm chart in ${folder === '.' ? 'this folder' : folder} isn't rendered; check what comes out: ${renderChart(shellQuote(argumentFor(folder)))}`,
    ),
    ...(terragrunt.length === 0 ? [] : [`${CHECK_TERRAGRUNT} (${terragrunt.join(', ')})`]),
  ];
}

/** What a pipeline runs before `pulumi up`: who may make a preview, and with which secrets, the pipeline alone knows. */
export function previewSteps({ pulumi }: FrontEnds, version: string): readonly string[] {
  return pulumi.map((folder) =>
    [
      `Add this to the pipeline of the Pulumi project in ${folder === '.' ? 'this folder' : printableLine(folder)}, before "pulumi up" (docs/guides/pulumi.md of the package tells more):\n`,
      ...(folder === '.' ? [] : [`cd ${printableLine(shellQuote(argumentFor(folder)))}`]),
      PREVIEW.replace(' >', ' --non-interactive >'),
      `${checkCommand(version)} preview.json\n`,
    ].join('\n'),
  );
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

function startOf(file: string): string {
  try {
    return fileStart(file, LOOK_AT).toString('utf8');
  } catch {
    return '';
  }
}

function isTemplate(text: string): boolean {
  return (
    /^[^\S\n\r\u2028\u2029]*["']?(?:AWSTemplateFormatVersion["']?\s{0,9}:|Resources["']?\s{0,9}:)/m.test(text) &&
    /\bAWS::/.test(text)
  );
}

/** Templates of Go and the like are filled in by something else. */
function isManifest(text: string): boolean {
  return looksLikeManifest(text) && mayMatter(text) && !hasActions(text);
}
