import type { CheckResult } from '../../check';
import type { Finding } from '../../engine';
import type { Resource, SourceLocation } from '../../eks';
import { alikeByPlace } from '../alike';
import { SourceText } from '../code-frame';
import type { ReportContext } from '../format';
import { LABELS, labelOf, type Label } from '../listed';
import { Places } from '../places';

/** Findings that one page lists; beyond that browsers get slow. */
const MOST = 2000;

/** A finding as the page shows it. */
export interface Entry {
  readonly finding: Finding;
  readonly label: Label;
  /** As the reader told it, to read the file again. */
  readonly place: SourceLocation;
  /** The file as people know it: from the root of the repository. */
  readonly file: string;
  /** Id of the element; the same in the next report of this finding. */
  readonly anchor: string;
  /** Those that say the same of other resources at this place, where they are shown as one. */
  readonly others: readonly Entry[];
}

/** The findings of one resource in one file. */
export interface EntryGroup {
  readonly resource: Resource;
  readonly entries: readonly Entry[];
}

/** What the page lists: everything, whatever a report on a screen would list, because it folds what matters less. */
export class Listing {
  readonly entries: readonly Entry[];
  /** How many more would be listed if there were room. */
  readonly left: number;
  private readonly places: Places;
  private readonly sources = new Map<string, SourceText | undefined>();

  constructor(
    private readonly result: CheckResult,
    private readonly context: ReportContext,
  ) {
    this.places = new Places(result, context);
    const { findings } = result;
    const kept = findings.length <= MOST ? findings : worst(findings, MOST);
    const ids = this.places.fingerprints();
    this.entries = kept.map((finding) => {
      const place = finding.source.locate();
      return {
        finding,
        label: labelOf(finding),
        place,
        file: this.places.of(finding).file,
        anchor: `f-${ids.get(finding) ?? ''}`,
        others: [],
      };
    });
    this.left = findings.length - kept.length;
  }

  with(...labels: readonly Label[]): readonly Entry[] {
    return this.entries.filter(({ label }) => labels.includes(label));
  }

  /** Entries with those that say the same about one place as one. */
  gathered(entries: readonly Entry[]): readonly Entry[] {
    const byFinding = new Map(entries.map((entry) => [entry.finding, entry]));
    return alikeByPlace([...byFinding.keys()], this.result).flatMap(({ finding, others }) => {
      const entry = byFinding.get(finding);
      return entry === undefined ? [] : [{ ...entry, others: others.flatMap((other) => byFinding.get(other) ?? []) }];
    });
  }

  /** `file:line:column`, the form that editors understand. */
  position(place: SourceLocation): string {
    const { file, line, column } = this.places.inRepository(place);
    return `${file}:${line}:${column}`;
  }

  /** Each file is read at most once. */
  source({ file }: SourceLocation): SourceText | undefined {
    if (!this.sources.has(file)) {
      const content = file === '' ? undefined : this.context.readSource(file);
      this.sources.set(file, content === undefined ? undefined : new SourceText(content));
    }
    return this.sources.get(file);
  }
}

function worst(findings: readonly Finding[], most: number): readonly Finding[] {
  return LABELS.flatMap((label) => findings.filter((finding) => labelOf(finding) === label)).slice(0, most);
}

/** Files in the order in which findings name them first, resources within a file by line, the worst finding of each first. */
export function byFile(entries: readonly Entry[]): ReadonlyMap<string, readonly EntryGroup[]> {
  const files = new Map<string, Map<Resource, Entry[]>>();
  for (const entry of entries) {
    const { file, finding } = entry;
    let groups = files.get(file);
    if (groups === undefined) files.set(file, (groups = new Map<Resource, Entry[]>()));
    const known = groups.get(finding.resource);
    if (known === undefined) groups.set(finding.resource, [entry]);
    else known.push(entry);
  }
  return new Map([...files].map(([file, groups]) => [file, sorted(groups)]));
}

function sorted(groups: ReadonlyMap<Resource, readonly Entry[]>): readonly EntryGroup[] {
  const placed = [...groups].map(([resource, entries]) => ({
    resource,
    entries: [...entries].sort(byLabel),
    place: resource.source.locate(),
  }));
  return placed.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

function byLabel(a: Entry, b: Entry): number {
  return (
    LABELS.indexOf(a.label) - LABELS.indexOf(b.label) || a.place.line - b.place.line || a.place.column - b.place.column
  );
}
