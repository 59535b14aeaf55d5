import type { Finding } from '../../engine';
import type { Resource } from '../../eks';
import { LABELS, labelOf, type Label } from '../listed';
import { count } from '../prose';
import type { Entry } from './listing';

/** Findings as a drawing marks them. What the user accepted isn't marked. */
export interface Mark {
  readonly label: Exclude<Label, 'suppressed'>;
  /** How many, of all labels; where something fails, what can't be told isn't counted. */
  readonly count: number;
  /** `2 errors, 1 warning`. */
  readonly text: string;
  /** Id of the element to link to. */
  readonly anchor: string;
}

/** Findings by the resource that they are on. */
export class Marks {
  private readonly byResource = new Map<Resource, Finding[]>();
  private readonly anchors: ReadonlyMap<Finding, string>;

  /** @param entries what the page lists; the rest is counted, but has no anchor */
  constructor(findings: readonly Finding[], entries: readonly Entry[]) {
    this.anchors = new Map(entries.map(({ finding, anchor }) => [finding, anchor]));
    for (const finding of findings) {
      if (finding.suppressed !== undefined) continue;
      const known = this.byResource.get(finding.resource);
      if (known === undefined) this.byResource.set(finding.resource, [finding]);
      else known.push(finding);
    }
  }

  of(resources: Iterable<Resource>): Mark | undefined {
    const found: Finding[] = [];
    for (const resource of resources) for (const finding of this.byResource.get(resource) ?? []) found.push(finding);
    const failing = found.filter(({ verdict }) => verdict === 'fail');
    const counted = failing.length > 0 ? failing : found;
    const counts = LABELS.map((label) => ({
      label,
      findings: counted.filter((finding) => labelOf(finding) === label),
    })).filter(({ findings }) => findings.length > 0);
    const [first] = counts;
    if (first === undefined || first.label === 'suppressed') return undefined;
    const anchor = counts
      .flatMap(({ findings }) => findings.flatMap((finding) => this.anchors.get(finding) ?? []))
      .at(0);
    const text = counts.map(({ label, findings }) => countOf(label, findings.length)).join(', ');
    return { label: first.label, count: counted.length, text, anchor: anchor ?? 'findings' };
  }

  /** Equal for resources with the same findings. */
  signature(resource: Resource): string {
    return JSON.stringify(
      (this.byResource.get(resource) ?? []).map(({ rule, messageId, verdict }) => [rule, messageId, verdict]),
    );
  }

  /** 0 is worst. */
  rank(resources: Iterable<Resource>): number {
    const mark = this.of(resources);
    return mark === undefined ? LABELS.length : LABELS.indexOf(mark.label);
  }
}

/** `2 errors`, `3 info`. */
export function countOf(label: Label, number: number): string {
  return label === 'error' || label === 'warning'
    ? count(number, label)
    : `${number} ${label === 'suppressed' ? 'accepted' : label}`;
}
