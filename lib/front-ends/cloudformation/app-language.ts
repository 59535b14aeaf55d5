import { gunzipSync } from 'node:zlib';
import type { Template } from '../../cloudformation/template';
import { member } from '../../cloudformation/cursor';
import type { SourceLocation } from '../../value';

/*
 * The language of an app of the CDK. Its constructs run in JavaScript whatever it is; the app's own language is in the line that makes a resource, and in
 * what the CDK reports of the app in each stack.
 * Source: aws-cdk-lib, core/lib/private/runtime-info (the version of `jsii-runtime.Runtime` is what runs the app: `Python/3.11.2`, `node.js/v22.1.0`).
 */

/** Whether it is known that the app isn't written in TypeScript or JavaScript, so that code in these would be of no use. */
export function isOfOtherLanguage(template: Template, createdAt: SourceLocation | undefined): boolean {
  if (createdAt !== undefined) return !/\.[cm]?[jt]sx?$/.test(createdAt.file);
  let known = otherLanguage.get(template);
  if (known === undefined) otherLanguage.set(template, (known = isToldSo(template)));
  return known;
}

/** By templates: each of their findings asks. */
const otherLanguage = new WeakMap<Template, boolean>();

/** Some kilobytes are plenty for the names of constructs. */
const MOST_BYTES = 4_000_000;

const REPORT = /^v2:deflate64:([\w+/=]+)$/;

function isToldSo(template: Template): boolean {
  const report = member(member(member(template.section('Resources')?.raw, 'CDKMetadata'), 'Properties'), 'Analytics');
  const [, packed] = typeof report === 'string' ? (REPORT.exec(report) ?? []) : [];
  if (packed === undefined) return false;
  try {
    const text = gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES }).toString();
    return /(?:^|[,{])(?:Python|Java|Go|DotNet|\.NET)\/[^,!]*!jsii-runtime\.Runtime/i.test(text);
  } catch {
    return false;
  }
}
