import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IConstruct } from 'constructs';
import { fileText } from '../../lib/files/read';
import { messageOf } from '../../lib/user-code/guard';

/**
 * The context that the CDK's command gives to an app of a folder: that of `cdk.json`, with the feature flags, and of `cdk.context.json` beside it, with what
 * was looked up. An app of a test has neither, so that it may write other templates than `cdk synth` does:
 *
 * ```ts
 * const app = new App({ context: cdkContext() });
 * ```
 * @param folder where `cdk.json` is, or a folder below
 * @throws Error if there is no `cdk.json`, or one of the two files is no JSON object
 */
export function cdkContext(folder: string = process.cwd()): Record<string, unknown> {
  const home = folderOf(folder);
  if (home === undefined) throw new Error(`there is no cdk.json in ${folder}, nor in a folder above it`);
  const { context } = contentOf(join(home, 'cdk.json'));
  const lookedUp = join(home, 'cdk.context.json');
  return { ...(existsSync(lookedUp) ? contentOf(lookedUp) : {}), ...(isMap(context) ? context : {}) };
}

/**
 * The feature flags that `cdk.json` sets for the app of a construct, and the app doesn't have; empty without such a file, or if it can't be read.
 */
export function missingFlags({ node }: IConstruct, folder: string = process.cwd()): readonly string[] {
  try {
    const home = folderOf(folder);
    const { context } = home === undefined ? {} : contentOf(join(home, 'cdk.json'));
    if (!isMap(context)) return [];
    return Object.entries(context).flatMap(([flag, value]) =>
      FLAG.test(flag) && value === true && node.tryGetContext(flag) !== true ? [flag] : [],
    );
  } catch {
    return [];
  }
}

/** Those about EKS and what its nodes are made of; an app has a hundred others. */
const FLAG = /^@aws-cdk\/(?:aws-(?:eks|ec2|iam|autoscaling|lambda)|core):/;

function folderOf(folder: string): string | undefined {
  if (existsSync(join(folder, 'cdk.json'))) return folder;
  return dirname(folder) === folder ? undefined : folderOf(dirname(folder));
}

function contentOf(file: string): Readonly<Record<string, unknown>> {
  let content: unknown;
  try {
    content = JSON.parse(fileText(file));
  } catch (error) {
    throw new Error(`${file} can't be read: ${messageOf(error)}`);
  }
  if (!isMap(content)) throw new Error(`${file} holds no JSON object`);
  return content;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
