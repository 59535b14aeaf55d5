import { statSync } from 'node:fs';
import { whyNotRead } from '../front-ends/near-path';
import { readText } from '../files/read';
import { OVERLAY_SHAPE, type KnowledgeOverlay } from '../knowledge';
import { parseDocument } from '../languages';
import { problemsOf, propertyText, schemaOf } from '../text/shape';
import { ConfigurationFileError } from './problems';

/** What a report says of newer rows. */
export interface OverlayUse {
  readonly file: string;
  readonly asOf: string;
  /** The tables that have some. */
  readonly tables: readonly string[];
}

/** Files are read once, so that all checks of a run see the same rows. */
const known = new Map<string, { readonly text: string; readonly overlay: KnowledgeOverlay }>();

/**
 * The newer rows that a configuration names; undefined if it names none.
 * @throws ConfigurationFileError for a file that isn't there, or isn't of the shape of `docs/eks-guardrails.knowledge.schema.json`
 */
export function knowledgeOf({
  knowledge: file,
}: {
  readonly knowledge?: string;
}): { readonly file: string; readonly overlay: KnowledgeOverlay } | undefined {
  if (file === undefined) return undefined;
  const text = textOf(file);
  const before = known.get(file);
  if (before?.text === text) return { file, overlay: before.overlay };
  const overlay = parsed(text, file);
  known.set(file, { text, overlay });
  return { file, overlay };
}

function textOf(file: string): string {
  const problem = (message: string) => new ConfigurationFileError([{ file, property: '', message }]);
  try {
    statSync(file);
  } catch (error) {
    throw problem(whyNotRead(file, error));
  }
  const content = readText(file);
  if ('problem' in content) throw problem(content.problem);
  return content.text;
}

function parsed(text: string, file: string): KnowledgeOverlay {
  const document = parseDocument(text, file);
  const errors = document.diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0)
    throw new ConfigurationFileError(
      errors.map(({ line, column, message }) => ({ file, line, column, property: '', message })),
    );
  const problems = problemsOf(OVERLAY_SHAPE, document.root);
  if (problems.length > 0)
    throw new ConfigurationFileError(
      problems.map(({ path, message }) => ({
        file,
        ...document.locate(path),
        property: propertyText(path),
        message,
      })),
    );
  return document.root as KnowledgeOverlay;
}

/**
 * The JSON Schema of such files.
 * @internal the package ships it as a file, which is made of it
 */
export function knowledgeSchema(): object {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Newer rows for the tables of eks-guardrails',
    ...schemaOf(OVERLAY_SHAPE),
  };
}
