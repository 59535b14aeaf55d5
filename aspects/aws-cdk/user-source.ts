import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CfnElement } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

/**
 * The stack frames of the user's own code that created a construct, innermost first.
 *
 * CDK records them for each resource as it is created, without `--debug`, unless the context key
 * `aws:cdk:disable-creation-stack-traces` is set; frames of libraries are left out there. Empty if nothing is recorded, or if the
 * user's code is further away than the ten frames that Node.js looks back by default (`--stack-trace-limit`).
 */
export function creationFrames(construct: IConstruct): string[] {
  if (!CfnElement.isCfnElement(construct)) return [];
  return construct.creationStack.filter((frame) => LOCATION.test(frame));
}

/** `bin/app.ts:12:5`, relative to the working directory: where the user's code created a construct. */
export function createdAt(construct: IConstruct): string | undefined {
  const [frame] = creationFrames(construct);
  const [, place, position] = LOCATION.exec(frame ?? '') ?? [];
  if (place === undefined || position === undefined) return undefined;
  const file = place.startsWith('file://') ? fileURLToPath(place) : place;
  const path = relative(process.cwd(), file);
  return `${path.length < file.length ? path : file}:${position}`;
}

/** The end of a frame such as `new Workers (/app/lib/workers.ts:12:5)`. */
const LOCATION = / \((.+):(\d+:\d+)\)$/;
