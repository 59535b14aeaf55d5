import type { ConfigurationFile } from '../../terraform/configuration-file';
import { isJsonMap, memberOf, textOf } from '../../terraform/json-tree';

/**
 * Whether CDKTF or CDK Terrain wrote a stack, by the version of the library in its file: CDKTF ended with 0.21, and CDK Terrain went on from 0.22.
 * Source: releases of cdktf and cdktn.
 */
export function libraryOf({ comment }: ConfigurationFile): 'cdktf' | 'cdktn' {
  const metadata = memberOf(comment, 'metadata');
  const version = isJsonMap(metadata) ? textOf(memberOf(metadata, 'version')) : undefined;
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version ?? '') ?? [];
  return Number(major) > 0 || Number(minor) > 21 ? 'cdktn' : 'cdktf';
}
