import { otherContent } from '../../languages/other-content';
import type { Diagnostic, InputKind, InputSummary } from '../../value';
import type { DocumentPath } from '../../languages';
import type { TerraformInstance } from '../../terraform/instance';
import { isJsonMap, listOf, mapOf, memberAt, memberOf, textOf, type JsonMap } from '../../terraform/json-tree';
import { PlanFile } from '../../terraform/plan/place';
import { Deployment } from './deployment';
import { PREVIEW, whyNoPulumi } from './recognition';
import { resourcesOfDeployment, resourcesOfPreview, type PulumiResource } from './resources';
import { secretsIn } from './special-values';

export interface PulumiInput {
  readonly instances: readonly TerraformInstance[];
  readonly diagnostics: readonly Diagnostic[];
  /** Undefined if the text could not be read. */
  readonly summary: InputSummary | undefined;
  /** Texts of secrets that stand there. */
  readonly secrets: readonly string[];
  /** The text is something else. @default false */
  readonly isOther?: boolean;
}

/** Versions of deployments, which are one shape: the later adds which features it takes to read it. Source: pulumi/pulumi, sdk/go/common/apitype/core.go. */
const VERSIONS = { oldest: 3, newest: 4 } as const;

/** Reads what `pulumi preview --json` and `pulumi stack export` print. Never throws: what is wrong with the text becomes diagnostics. */
export function readPulumi(text: string, path: string): PulumiInput {
  const refusal = whyNoPulumi(text);
  if (refusal !== undefined) return refused(path, refusal);
  const file = new PlanFile(path, text);
  const { root, diagnostics } = file.document;
  if (root === undefined) return { instances: [], diagnostics, summary: undefined, secrets: [] };
  const content = contentOf(root);
  if (content === undefined)
    return refused(
      path,
      `this is neither a preview nor a state of Pulumi: \`${PREVIEW}\` or \`pulumi stack export > state.json\` prints one`,
    );
  if ('problem' in content) return { ...refused(path, content.problem), isOther: false };
  const { kind, resources, region, problems } = content;
  const { instances } = new Deployment(file, resources, region);
  return {
    instances,
    diagnostics: [
      ...diagnostics,
      ...otherContent(file.document, path, 'a preview or state of Pulumi'),
      ...problems.map((message) => warning(path, message)),
    ],
    summary: { path, kind, resources: instances.filter(({ mode }) => mode === 'managed').length },
    secrets: secretsIn(root),
  };
}

interface Content {
  readonly kind: InputKind;
  readonly resources: readonly PulumiResource[];
  /** Of all providers that name none. */
  readonly region: string | undefined;
  readonly problems: readonly string[];
}

function contentOf(root: unknown): Content | { readonly problem: string } | undefined {
  if (Array.isArray(root) && isDeployment({ resources: root })) return stateWith(resourcesOfDeployment(root, []));
  if (!isJsonMap(root)) return undefined;
  if (isPreview(root))
    return {
      kind: 'pulumi-preview',
      resources: resourcesOfPreview(root),
      region: textOf(memberAt(root, 'config', 'aws:region')),
      problems: [...errorsOf(root), ...leftOut(root)],
    };
  if (isDeployment(root)) return stateOf(root, []);
  const place = ([['deployment'], ['checkpoint', 'latest']] as const).find((steps) => steps[0] in root);
  return place === undefined || !('version' in root) ? undefined : stateIn(root, place);
}

function isPreview(root: JsonMap): boolean {
  return Array.isArray(root['steps']) || (isJsonMap(root['changeSummary']) && root['steps'] === undefined);
}

/** A deployment alone, without the version that a file has around it; or its resources alone. */
function isDeployment(root: JsonMap): boolean {
  return listOf(root['resources']).some((one) => textOf(memberOf(one, 'urn'))?.startsWith('urn:pulumi:') === true);
}

function stateIn(root: JsonMap, place: DocumentPath): Content | { readonly problem: string } | undefined {
  const { version } = root;
  const deployment = memberAt(root, ...place);
  // Other tools have such keys, too.
  if (!isJsonMap(deployment) || !('manifest' in deployment || 'resources' in deployment)) return undefined;
  if (typeof version !== 'number')
    return { problem: 'the `version` of this deployment is no number: `pulumi stack export > state.json` writes one' };
  if (version < VERSIONS.oldest)
    return {
      problem: `deployment version ${version} is older than what is read (${VERSIONS.oldest} and ${VERSIONS.newest}): export it with a newer Pulumi`,
    };
  return stateOf(
    deployment,
    place,
    version > VERSIONS.newest
      ? [
          `deployment version ${version} is newer than what is known here (${VERSIONS.newest}); it is read as if it were that`,
        ]
      : [],
  );
}

function stateOf(deployment: JsonMap, place: DocumentPath, problems: readonly string[] = []): Content {
  const pending = listOf(deployment['pending_operations']).length;
  return stateWith(resourcesOfDeployment(deployment['resources'], [...place, 'resources']), [
    ...problems,
    ...(pending === 0
      ? []
      : ['the last update was interrupted, so resources may be missing: run `pulumi refresh` first']),
  ]);
}

function stateWith(resources: readonly PulumiResource[], problems: readonly string[] = []): Content {
  return { kind: 'pulumi-state', resources, region: undefined, problems };
}

function errorsOf(preview: JsonMap): readonly string[] {
  const failed = listOf(preview['diagnostics']).some((one) => memberOf(one, 'severity') === 'error');
  return failed ? ['Pulumi stopped with an error while it made this preview, so resources may be missing'] : [];
}

/** A preview has steps of what stays as it is only if somebody asks for them. */
function leftOut(preview: JsonMap): readonly string[] {
  const same = mapOf(preview['changeSummary'])['same'];
  const isShown = listOf(preview['steps']).some((step) => memberOf(step, 'op') === 'same');
  if (typeof same !== 'number' || same <= 0 || isShown) return [];
  const what = same === 1 ? 'a resource that stays as it is' : `${same} resources that stay as they are`;
  return [`the preview leaves out ${what}: run \`${PREVIEW}\``];
}

function refused(file: string, message: string): PulumiInput {
  return {
    instances: [],
    diagnostics: [{ severity: 'error', message, file, line: 1, column: 1 }],
    summary: undefined,
    secrets: [],
    isOther: true,
  };
}

function warning(file: string, message: string): Diagnostic {
  return { severity: 'warning', message, file, line: 1, column: 1 };
}
