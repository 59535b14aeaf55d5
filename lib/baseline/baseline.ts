import { fingerprints, inputOf, type Finding, type PlaceOf } from '../engine';

/** Findings that a code base had when it began to be checked. They don't fail a check until they are gone; new ones do. */
export interface Baseline {
  readonly entries: readonly BaselineEntry[];
}

/** One finding, by what stays the same when lines move. It holds for a finding with its fingerprint in its file; the rest is for readers. */
export interface BaselineEntry {
  readonly fingerprint: string;
  readonly rule: string;
  /** Construct path, logical id or address. */
  readonly resource: string;
  /** What the resource is declared in, from the root of the repository: a file, or the folder of a root module of Terraform. Empty if there is none. */
  readonly file: string;
}

/** What a baseline made of the findings of a run. */
export interface BaselineOutcome {
  /** All findings; those of the baseline are suppressed. */
  readonly findings: readonly Finding[];
  /** Entries whose finding is gone. */
  readonly gone: readonly BaselineEntry[];
}

/** The reason of findings that a baseline holds. */
const BASELINE_REASON = 'baseline';

/** A check that could not be made is never a part of the code base. */
const NEVER: ReadonlySet<string> = new Set(['rule-crashed']);

/** A baseline of the failures of a run that nobody decided to live with otherwise. What can't be told is none of them. */
export function baselineOf(findings: readonly Finding[], placeOf: PlaceOf): Baseline {
  const all = fingerprints(findings, placeOf);
  const entries = findings.filter(isOpen).map((finding): BaselineEntry => {
    const { rule, resource } = finding;
    return {
      fingerprint: all.get(finding) ?? '',
      rule,
      resource: resource.path ?? resource.id,
      file: placeOf(inputOf(resource)),
    };
  });
  return inOrder(entries);
}

/** Entries in an order that depends on nothing but them. */
export function inOrder(entries: readonly BaselineEntry[]): Baseline {
  return {
    entries: entries.toSorted(
      (a, b) =>
        compare(a.file, b.file) ||
        compare(a.resource, b.resource) ||
        compare(a.rule, b.rule) ||
        compare(a.fingerprint, b.fingerprint),
    ),
  };
}

/**
 * Marks the findings that a baseline holds as suppressed.
 * @param isChecked whether the run looked at the finding of an entry at all, so that it can be gone. @default - it looked at everything
 */
export function applyBaseline(
  findings: readonly Finding[],
  { entries }: Baseline,
  placeOf: PlaceOf,
  isChecked: (entry: BaselineEntry) => boolean = () => true,
): BaselineOutcome {
  const all = fingerprints(findings, placeOf);
  const known = new Set(entries.map(keyOf));
  const met = new Set<string>();
  const marked = findings.map((finding): Finding => {
    const key = keyOf({ fingerprint: all.get(finding) ?? '', file: placeOf(inputOf(finding.resource)) });
    if (!known.has(key) || !isOpen(finding)) return finding;
    met.add(key);
    return { ...finding, suppressed: { reason: BASELINE_REASON }, isSuppressedOutside: true };
  });
  return { findings: marked, gone: entries.filter((entry) => !met.has(keyOf(entry)) && isChecked(entry)) };
}

function keyOf({ fingerprint, file }: Pick<BaselineEntry, 'fingerprint' | 'file'>): string {
  return `${fingerprint} ${file}`;
}

/** The text of a baseline file: an entry in each line, in an order that doesn't depend on that of the findings. */
export function* baselineText({ entries }: Baseline): Iterable<string> {
  yield '{\n  "version": 1,\n  "entries": [';
  let separator = '\n';
  for (const { fingerprint, rule, resource, file } of entries) {
    yield `${separator}    ${JSON.stringify({ file, resource, rule, fingerprint })}`;
    separator = ',\n';
  }
  yield entries.length === 0 ? ']\n}\n' : '\n  ]\n}\n';
}

function isOpen({ rule, verdict, suppressed }: Finding): boolean {
  return verdict === 'fail' && suppressed === undefined && !NEVER.has(rule);
}

/** By code units, which is the same on every machine. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
