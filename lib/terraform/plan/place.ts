import type { Source, SourceLocation } from '../../value';
import { parseDocument, type DocumentPath, type ParsedDocument } from '../../languages';
import { pathText, type ValueStep } from '../address';

/** The file of a plan; lines and columns are looked up only when a report asks. */
export class PlanFile {
  private parsed: ParsedDocument | undefined;

  constructor(
    readonly file: string,
    private readonly text: string,
  ) {}

  get document(): ParsedDocument {
    return (this.parsed ??= parseDocument(this.text, this.file));
  }

  /** The content, and the place where a resource stands in it. */
  place(resource: DocumentPath, values: DocumentPath): PlanPlace {
    return new PlanPlace({ file: this, resource, values }, undefined, '');
  }
}

interface ResourcePlace {
  readonly file: PlanFile;
  /** Where the resource stands. */
  readonly resource: DocumentPath;
  /** Where its attributes stand, from the resource on. */
  readonly values: DocumentPath;
}

/** A value of a resource in a plan. The way to it is a linked list, so that each value costs one small object. */
export class PlanPlace implements Source {
  constructor(
    private readonly origin: ResourcePlace,
    private readonly parent: PlanPlace | undefined,
    private readonly key: ValueStep,
    /** Offset in the text that stands here. */
    private readonly offset?: number,
    readonly readBack?: Source['readBack'],
  ) {}

  /** The same place, of a value that AWS answers. */
  asReadBack(readBack: 'surely' | 'perhaps'): PlanPlace {
    return new PlanPlace(this.origin, this.parent, this.key, this.offset, readBack);
  }

  child(key: ValueStep): PlanPlace {
    return new PlanPlace(this.origin, this, key);
  }

  /** Steps from the resource to the value. */
  steps(): readonly ValueStep[] {
    const steps: ValueStep[] = [];
    // oxlint-disable-next-line typescript/no-this-alias -- the way up begins here
    for (let place: PlanPlace = this; place.parent !== undefined; place = place.parent) steps.push(place.key);
    return steps.reverse();
  }

  locate(): SourceLocation {
    const { file, resource, values } = this.origin;
    const steps = this.steps();
    if (steps.length === 0) return { file: file.file, ...file.document.locate(resource) };
    const path = [...resource, ...values, ...steps];
    const inText = this.offset === undefined ? undefined : file.document.locateInText(path, this.offset);
    return { file: file.file, ...(inText ?? file.document.locate(path)), property: pathText(steps) };
  }

  inText(_text: string, offset: number): Source {
    return new PlanPlace(this.origin, this.parent, this.key, (this.offset ?? 0) + offset);
  }

  /** A place, when it gets into JSON; the plan behind it would be huge. */
  toJSON(): SourceLocation {
    return this.locate();
  }
}
