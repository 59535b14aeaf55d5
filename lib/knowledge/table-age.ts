import { join } from 'node:path';
import { fileText } from '../files/read';
import { daysBetween } from '../text/day';
import { overlayOf } from './overlay';

/** A table that is older than it should be on a day. */
export interface OldTable {
  readonly name: string;
  /** The day up to which it knows the world, `YYYY-MM-DD`. */
  readonly asOf: string;
}

/**
 * The tables that say what AWS and the projects around EKS offer, which changes from month to month; the others hold what Kubernetes and programs did once
 * and for all, or come with one of these: schemas and environments with the add-ons' versions.
 */
const AGEING: readonly string[] = [
  'kubernetes-versions',
  'addon-versions',
  'ami-types',
  'vpc-cni-schema',
  'instance-types',
  'managed-policies',
  'controller-policies',
  'karpenter-versions',
];

/** From this age on a table is old, in days. */
export const OLD = 90;

/** The tables that are older than {@link OLD} days on a day. */
export function oldTables(today: string): readonly OldTable[] {
  return AGEING.flatMap((name) => {
    const asOf = overlayOf(name)?.asOf ?? dayOf(name);
    return daysBetween(asOf, today) > OLD ? [{ name, asOf }] : [];
  });
}

const days = new Map<string, string>();

/** Without the rest of the table, which a run may not need. */
function dayOf(name: string): string {
  let day = days.get(name);
  if (day === undefined) {
    [, day = ''] = /"asOf": *"([^"]*)"/.exec(fileText(join(__dirname, 'data', `${name}.json`))) ?? [];
    days.set(name, day);
  }
  return day;
}
