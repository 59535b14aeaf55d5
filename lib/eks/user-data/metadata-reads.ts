import type { UserDataDocument } from './document';
import { runningScriptOf } from './scripts';

/** A request by which a script reads instance metadata, or user data, as IMDSv1 answers it. */
const READ = /\b(?:curl|wget)\b[^\n|;`)]{0,300}?(?:\b169\.254\.169\.254|\[fd00:ec2::254\])\/(?!latest\/api\/token)/g;

/** What a script has that fetches tokens, or asks by a tool which does. */
const WITH_TOKEN = /X-aws-ec2-metadata-token|\/latest\/api\/token/i;

/** The line of the first such request in user data that knows no tokens: with tokens required, it gets 401. */
export function tokenlessReadIn({ parts }: UserDataDocument): number | undefined {
  const bodies = parts.flatMap((part) => runningScriptOf(part)?.script ?? []);
  if (bodies.some(({ body }) => WITH_TOKEN.test(body.text))) return undefined;
  for (const { body, comments } of bodies)
    for (const { index } of body.text.matchAll(READ))
      if (!comments.some(({ start, end }) => start <= index && index < end)) return body.positionAt(index).line;
  return undefined;
}
