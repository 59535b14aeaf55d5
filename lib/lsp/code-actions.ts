import { resolve } from 'node:path';
import { CodeActionKind, type CodeAction, type CodeActionParams, type Range } from 'vscode-languageserver/node';
import { realPathOf, type Documents } from './documents';
import { editOfFiles, workspaceEdit } from './edits';
import type { ShownChecks } from './shown-checks';

/** All safe repairs of a document's check: what editors do on save, if somebody wants that. */
const FIX_ALL = `${CodeActionKind.SourceFixAll}.eksGuardrails`;

export const ACTION_KINDS = [CodeActionKind.QuickFix, FIX_ALL];

/** What an action carries whose edit is worked out when somebody chooses it, because that takes checks of its own. */
interface Chosen {
  readonly uri: string;
  /** The finding to accept. @default - everything is repaired */
  readonly finding?: { readonly rule: string; readonly range: Range };
}

/** What can be done about the findings of a range. */
export function actionsAt(
  { textDocument: { uri }, range, context: { only } }: CodeActionParams,
  checks: ShownChecks,
  documents: Documents,
): CodeAction[] {
  const wants = (kind: string): boolean =>
    only === undefined || only.some((one) => kind === one || kind.startsWith(`${one}.`));
  const actions: CodeAction[] = [];
  if (wants(CodeActionKind.QuickFix))
    for (const { check, finding, diagnostic } of checks.at(uri, range)) {
      if (finding === undefined) continue;
      const { rule } = finding;
      const { safety, effect, edits = [] } = check.offers.withEdits(finding) ?? {};
      const common = { kind: CodeActionKind.QuickFix, diagnostics: [diagnostic] };
      if (edits.length > 0)
        actions.push({
          ...common,
          title: `Fix ${rule}${safety === 'unsafe' ? ` (${effect ?? 'needs a decision'})` : ''}`,
          isPreferred: safety === 'safe',
          edit: workspaceEdit(edits, (file) => realPathOf(resolve(file)), documents),
        });
      const chosen: Chosen = { uri, finding: { rule, range: diagnostic.range } };
      actions.push({ ...common, title: `Accept ${rule} for 30 days, and write the reason`, data: chosen });
    }
  const everything: Chosen = { uri };
  if (wants(FIX_ALL) && checks.of(uri) !== undefined)
    actions.push({ title: 'Fix everything that is safe to fix', kind: FIX_ALL, data: everything });
  return actions;
}

/**
 * The same action with its edit.
 * @param refuse is told why there is none
 */
export async function withEdit(
  action: CodeAction,
  checks: ShownChecks,
  documents: Documents,
  refuse: (why: string) => void,
): Promise<CodeAction> {
  const { uri, finding } = action.data as Chosen;
  if (finding === undefined)
    return { ...action, edit: editOfFiles((await checks.of(uri)?.repaired()) ?? [], documents) };
  const { rule, range } = finding;
  const found = checks.at(uri, range).find((one) => one.finding?.rule === rule);
  const files = found?.finding === undefined ? [] : await found.check.accepted(found.finding);
  if (files.length === 0) refuse(`${rule} can't be accepted here by itself: eks-guardrails explain ${rule} tells how`);
  return { ...action, edit: editOfFiles(files, documents) };
}
