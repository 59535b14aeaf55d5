import type { Finding } from '../../../lib/engine';
import { pastedInDocuments } from '../../advice/in-documents';
import { idBefore, renamedIn } from '../../advice/renamed';
import { refusedBySchema } from './accepted';

/** A ClusterConfig after the code of a fix went where it belongs. */
export function obeyed(text: string, finding: Finding): string {
  return pastedInDocuments(text, finding);
}

/** What is still wrong after a fix: the finding itself, new ones, and what eksctl's schema refuses of the file. */
export function leftBy(
  finding: Finding,
  before: readonly Finding[],
  after: readonly Finding[],
  text: string,
): readonly string[] {
  const renamed = renamedIn(finding.fixCode ?? '');
  const keyOf = ({ rule, resource }: Finding): string => `${rule} ${idBefore(resource.id, renamed)}`;
  const known = new Set(before.map(keyOf));
  return [
    ...after.flatMap((one) => {
      const { rule, message, messageId, severity } = one;
      if (keyOf(one) === keyOf(finding) && messageId === finding.messageId) return [`stays: ${message}`];
      return severity === 'info' || known.has(keyOf(one)) ? [] : [`new: ${rule}: ${message}`];
    }),
    ...refusedBySchema(text),
  ];
}
