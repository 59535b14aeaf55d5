import type { EksResource } from '../../eks';
import { parseDocuments } from '../../languages/parse-document';
import type { ParsedDocument } from '../../languages';
import type { Diagnostic, Dialect, PlacedSuppression } from '../../value';
import { ignoresInConfig } from './comments';
import { ConfigFile } from './config-file';
import { ConfigNode } from './config-node';
import { whyTemplate } from './config-text';
import { resourcesOf } from './resources';

export interface ConfigRead {
  readonly resources: readonly EksResource[];
  readonly diagnostics: readonly Diagnostic[];
  readonly suppressions: readonly PlacedSuppression[];
  /** How many groups, add-ons and other things it declares, the cluster included. */
  readonly count: number;
}

/** Reads a ClusterConfig. Never throws on bad input. @param isNamed whether the user named the file */
export function readConfig(text: string, file: string, dialect: Dialect, isNamed: boolean): ConfigRead {
  const documents = parseDocuments(text, file);
  const document = documents.find(isClusterConfig);
  if (document === undefined) return unread(text, file, documents, isNamed);
  const config = new ConfigFile(new ConfigNode(document, file, [], document.root), dialect);
  const resources = resourcesOf(config);
  const comments = document.comments === undefined ? undefined : ignoresInConfig(document.comments);
  return {
    resources,
    diagnostics: [...document.diagnostics, ...(comments?.diagnostics ?? [])],
    suppressions: (comments?.suppressions ?? []).map((one) => ({ ...one, dialect })),
    count: resources.filter(
      ({ isImplied, partOf, kind }) => isImplied !== true && partOf === undefined && kind !== 'role',
    ).length,
  };
}

function isClusterConfig({ root }: ParsedDocument): boolean {
  return (
    typeof root === 'object' && root !== null && (root as Readonly<Record<string, unknown>>)['kind'] === 'ClusterConfig'
  );
}

/** What could not be parsed: a template of another tool, or a mistake. */
function unread(text: string, file: string, documents: readonly ParsedDocument[], isNamed: boolean): ConfigRead {
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
