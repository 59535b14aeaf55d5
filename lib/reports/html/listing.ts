import type { CheckResult } from '../../check';
import type { Finding } from '../../engine';
import type { SourceLocation } from '../../eks';
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
  /** Id of the element; the same in the next report of this finding. */
  readonly anchor: string;
}

/** What the page lists: everything, whatever a report on a screen would list, because it folds what matters less. */
export class Listing {
  readonly entries: readonly Entry[];
  /** How many more would be listed if there were room. */
  readonly left: number;
  private readonly places: Places;
  private readonly byFinding: ReadonlyMap<Finding, Entry>;
  private readonly sources = new Map<string, SourceText | undefined>();

  constructor(
    result: CheckResult,
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
        anchor: `f-${ids.get(finding) ?? ''}`,
      };
    });
    this.byFinding = new Map(this.entries.map((entry) => [entry.finding, entry]));
    this.left = findings.length - kept.length;
  }

  with(...labels: readonly Label[]): readonly Entry[] {
    return this.entries.filter(({ label }) => labels.includes(label));
  }

  /** The entry of a finding, if it is listed. */
  of(finding: Finding): Entry | undefined {
    return this.byFinding.get(finding);
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
