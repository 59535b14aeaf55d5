import type { UserDataDocument } from './document';
import { runningScriptOf } from './scripts';

/** A rule of the packet filter that drops what pods send to the metadata service, as the EKS best practices had it before IMDSv2. */
const DROP =
  /^(?:(?!\biptables\b)[^#\n\r\u2028\u2029])*\biptables\b(?=(?:\\\n|[^\n]){0,500}\bFORWARD\b)(?=(?:\\\n|[^\n]){0,500}\b169\.254\.169\.254\b)(?=(?:\\\n|[^\n]){0,500}(?:-j|--jump)[= ](?:DROP|REJECT)\b)/m;

/** Whether a script of the user data keeps the metadata service from pods that aren't in the network of their node. */
export function keepsMetadataFromPods({ parts }: UserDataDocument): boolean {
  return parts.some((part) => DROP.test(runningScriptOf(part)?.script.body.text ?? ''));
}
