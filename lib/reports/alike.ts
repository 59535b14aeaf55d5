import type { CheckResult } from '../check';
import { withCommonNames, type Finding } from '../engine';
import { objectName, resourceName, type Resource, type SourceLocation } from '../eks';
import { difference } from '../text/line-difference';
import { listText } from './prose';

/** A finding, and those that say the same of other resources. */
export interface Alike {
  readonly finding: Finding;
  readonly place: SourceLocation;
  /** In the order of the findings. @default - none */
  readonly others: readonly Finding[];
}

/** Names that one line tells. */
const MOST_NAMED = 10;

/** Addresses of resources and modules of Terraform, with the keys of their instances. */
const ADDRESS =
  /\b(?:module\.[\w-]+(?![\w-])(?:\[(?:"[^"]*"|\d+)\])?\.?)*(?:(?:data\.)?[a-z][a-z0-9]*_\w+\.[\w-]+(?:\[(?:"[^"]*"|\d+)\])?)?/g;

/** What may be a name in a message: what stands in quotes, or a word. */
const NAMED = /"([^"\n]*)"|(?<![\w./:-])[\w./:-]*\w/g;

/** Tells what findings say, whichever resource of whichever root module they say it of. */
export class Sayings {
  private readonly names: ReadonlySet<string>;
  /** Messages by resource and by what they say without names. */
  private readonly messages = new Map<Resource, Map<string, string[]>>();

  constructor({ model }: CheckResult) {
    // Messages name the kind of an object of Kubernetes by itself.
    const objects = model.clusterViews.flatMap(({ manifests }) => manifests.map(objectName));
    this.names = new Set([...model.resources.flatMap((resource) => [resource.id, resourceName(resource)]), ...objects]);
  }

  /** What two findings that say the same have in common, wherever they stand. One resource may say it of several others: that is not the same. */
  of({
    rule,
    severity,
    verdict,
    messageId,
    message,
    fix,
    fixCode = '',
    suppressed,
    isSuppressedOutside,
    resource,
  }: Finding): string {
    const text = this.nameless(message);
    const saying = JSON.stringify([
      rule,
      severity,
      verdict,
      messageId,
      text,
      this.nameless(fix),
      this.nameless(withCommonNames(fixCode)),
      suppressed,
      isSuppressedOutside,
    ]);
    return `${this.ordinal(resource, saying, message)} ${saying}`;
  }

  /** What findings have in common that one change of the same kind mends, in different resources. */
  needOf({ rule, severity, verdict, messageId, fix, fixCode = '', suppressed, isSuppressedOutside }: Finding): string {
    return JSON.stringify([
      rule,
      severity,
      verdict,
      messageId,
      this.nameless(fix),
      this.nameless(withCommonNames(fixCode)),
      suppressed,
      isSuppressedOutside,
    ]);
  }

  /** What findings of which one has a variant of the other's fix have in common. */
  kindOf({ rule, severity, verdict, messageId, suppressed, isSuppressedOutside }: Finding): string {
    return JSON.stringify([rule, severity, verdict, messageId, suppressed, isSuppressedOutside]);
  }

  /** What a message says that another one of its kind doesn't, without names; empty if that is nothing. */
  difference(message: string, other: string): string {
    const [words, others] = [message, other].map((text) => this.nameless(text).split(' '));
    if (words === undefined || others === undefined) return '';
    const added = difference(others, words).flatMap(({ sign, text }) => (sign === '+' && text !== '' ? [text] : []));
    return [...new Set(added)].join(' ');
  }

  private ordinal(resource: Resource, saying: string, message: string): number {
    const bySaying = this.messages.get(resource) ?? new Map<string, string[]>();
    this.messages.set(resource, bySaying);
    const messages = bySaying.get(saying) ?? [];
    bySaying.set(saying, messages);
    return messages.includes(message) ? messages.indexOf(message) : messages.push(message) - 1;
  }

  /** A text without the names of resources. */
  nameless(text: string): string {
    return text
      .replaceAll(ADDRESS, '')
      .replaceAll(NAMED, (word, quoted: string | undefined) => (this.names.has(quoted ?? word) ? '' : word));
  }
}

/**
 * Findings that say the same about one place as one: root modules that call the same module share its defects, and so do the instances of a block.
 * @param findings in the order in which they are told
 */
export function alikeByPlace(findings: readonly Finding[], result: CheckResult): readonly Alike[] {
  const sayings = new Sayings(result);
  const alike: { readonly finding: Finding; readonly place: SourceLocation; readonly others: Finding[] }[] = [];
  const byKey = new Map<string, { readonly others: Finding[]; readonly resources: Set<Resource> }>();
  for (const finding of findings) {
    const place = finding.source.locate();
    // All places of an input that is no file are in its first line, so they don't tell findings apart.
    const key =
      place.file === ''
        ? undefined
        : `${place.file}:${place.line}:${place.column}:${place.property ?? ''} ${sayings.of(finding)}`;
    const known = key === undefined ? undefined : byKey.get(key);
    if (known !== undefined && !known.resources.has(finding.resource)) {
      known.others.push(finding);
      known.resources.add(finding.resource);
      continue;
    }
    const others: Finding[] = [];
    alike.push({ finding, place, others });
    if (key !== undefined && known === undefined) byKey.set(key, { others, resources: new Set([finding.resource]) });
  }
  return alike;
}

/** The message, and of which other resources and in which root modules it holds as well. */
export function messageOf({ finding, others }: Pick<Alike, 'finding' | 'others'>): string {
  return others.length === 0 ? finding.message : `${finding.message} The same holds ${sameText(finding, others)}.`;
}

/** Of whom it holds as well: `for a and b, in 2 root modules: x and y`. */
function sameText(finding: Finding, others: readonly Finding[]): string {
  const own = resourceName(finding.resource);
  const names = [...new Set(others.map(({ resource }) => resourceName(resource)))].filter((name) => name !== own);
  const roots = [...new Set([finding, ...others].map(({ resource }) => resource.stack))];
  const kind = finding.resource.dialect.stacks;
  const where = roots.length === 1 ? '' : `in ${roots.length} ${kind}: ${shortList(roots)}`;
  return [...(names.length === 0 ? [] : [`for ${shortList(names)}`]), ...(where === '' ? [] : [where])].join(', ');
}

function shortList(names: readonly string[]): string {
  return names.length <= MOST_NAMED
    ? listText(names)
    : `${names.slice(0, MOST_NAMED).join(', ')} and ${names.length - MOST_NAMED} more`;
}
