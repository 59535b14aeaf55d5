import type { ConfigProblem, ConfigurationFile, EksResource } from '../../eks';
import { parseDocuments } from '../../languages/parse-document';
import { eksctlKeys } from '../../knowledge/eksctl-keys';
import type { ParsedDocument } from '../../languages';
import type { Diagnostic, Dialect, PlacedSuppression } from '../../value';
import { ignoresInConfig } from './comments';
import { ConfigFile } from './config-file';
import { ConfigNode } from './config-node';
import { problemsIn } from './checks';
import { whyTemplate } from './config-text';
import { resourcesOf } from './resources';

export interface ConfigRead {
  readonly resources: readonly EksResource[];
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressions: readonly PlacedSuppression[];
  /** How many groups, add-ons and other things it declares, the cluster included. */
  readonly count: number;
  /** It is YAML, and of something else. */
  readonly isOther?: true;
}

/** Reads a ClusterConfig. Never throws on bad input. @param isNamed whether the user named the file */
export function readConfig(text: string, file: string, dialect: Dialect, isNamed: boolean): ConfigRead {
  const documents = parseDocuments(text, file);
  const document = documents.find(isClusterConfig);
  if (document === undefined) return unread(text, file, documents, isNamed);
  const config = new ConfigFile(new ConfigNode(document, file, [], document.root), dialect);
  const resources = [...resourcesOf(config), configurationFile(config, documents)];
  const comments = document.comments === undefined ? undefined : ignoresInConfig(document.comments);
  return {
    resources,
    diagnostics: [...document.diagnostics, ...(comments?.diagnostics ?? []), ...others(documents, file)],
    suppressions: (comments?.suppressions ?? []).map((one) => ({ ...one, dialect })),
    count: resources.filter(
      ({ isImplied, partOf, kind }) =>
        isImplied !== true && partOf === undefined && kind !== 'role' && kind !== 'configuration-file',
    ).length,
  };
}

/** What eksctl says of the file as a whole. Of several documents it reads the first. */
function configurationFile(config: ConfigFile, documents: readonly ParsedDocument[]): ConfigurationFile {
  const { root, file } = config;
  const problems: ConfigProblem[] = [...problemsIn(config)];
  const [first, ...others] = documents.filter((document) => document.root !== undefined);
  const rootOf = (document: ParsedDocument): ConfigNode => new ConfigNode(document, file, [], document.root);
  if (first !== undefined && first !== root.document)
    problems.push({
      kind: 'refused',
      problem: 'the first document of the file is no ClusterConfig, and eksctl reads the first alone',
      advice: 'Give the ClusterConfig a file of its own.',
      source: rootOf(first),
    });
  for (const other of others) {
    if (other === root.document) continue;
    const source = rootOf(other);
    const what = isClusterConfig(other) ? `cluster "${source.at('metadata', 'name').label}"` : sectionsOf(source);
    if (what !== undefined) problems.push({ kind: 'ignoredDocument', what, source });
  }
  return {
    ...config.resource('ClusterConfig', file.replace(/^.*[\\/]/, ''), root.asResource()),
    kind: 'configuration-file',
    problems,
  };
}

/** What a document without a head has of a ClusterConfig, as if the file went on behind the `---`. */
function sectionsOf(node: ConfigNode): string | undefined {
  if (node.child('kind').isWritten || node.child('apiVersion').isWritten) return undefined;
  const keys = eksctlKeys('ClusterConfig');
  const sections = node.keys.filter((key) => key !== 'metadata' && keys?.has(key) === true);
  return sections.length === 0 ? undefined : `\`${sections.join('`, `')}\``;
}

/** By its kind or its version, in whatever case: what eksctl says against that is told. */
function isClusterConfig({ root }: ParsedDocument): boolean {
  return (
    typeof root === 'object' &&
    root !== null &&
    Object.entries(root).some(([key, value]) => HEAD[key.toLowerCase()]?.test(String(value)) === true)
  );
}

const HEAD: Readonly<Record<string, RegExp | undefined>> = { kind: /^ClusterConfig$/i, apiversion: /^eksctl\.io\//i };

/** Objects for kubectl, which eksctl doesn't look at. */
function others(documents: readonly ParsedDocument[], file: string): readonly Diagnostic[] {
  return documents.flatMap((document): readonly Diagnostic[] => {
    const node = new ConfigNode(document, file, [], document.root);
    if (isClusterConfig(document) || !node.child('kind').isWritten || !node.child('apiVersion').isWritten) return [];
    const message =
      'this document is no ClusterConfig, and of a file with one nothing else is checked; give it a file of its own';
    return [{ severity: 'warning', message, ...node.locate(), skipped: { what: 'resource', count: 1 } }];
  });
}

/** What could not be parsed: a template of another tool, or a mistake. */
function unread(text: string, file: string, documents: readonly ParsedDocument[], isNamed: boolean): ConfigRead {
  if (documents.every(({ diagnostics }) => diagnostics.every(({ severity }) => severity !== 'error'))) {
    const message =
      'this is no ClusterConfig of eksctl: no document has `kind: ClusterConfig`, or its `apiVersion`, at its top';
    const problem: Diagnostic = { severity: 'error', message, file, line: 1, column: 1 };
    return { resources: [], diagnostics: [problem], suppressions: [], count: 0, isOther: true };
  }
  const why = whyTemplate(text);
  const diagnostics: readonly Diagnostic[] =
    why === undefined
      ? documents.flatMap((document) => document.diagnostics)
      : [
          isNamed
            ? { severity: 'error', message: why, file, line: 1, column: 1 }
            : {
                severity: 'warning',
                message: `not checked: ${why}`,
                file,
                line: 1,
                column: 1,
                skipped: { what: 'file', count: 1 },
              },
        ];
  return { resources: [], diagnostics, suppressions: [], count: 0 };
}
