import { always, either, fewerAssumptions, without, type EksModel, type Resource, type When } from '../eks';
import { LaunchJudgements } from './launches';
import { isOfLaunch, type Judgement, type Rule } from './rule';
import { keyOf } from './places';

/** More assumptions than these aren't taken together any further: nobody reads as many. */
const MOST_WHENS = 16;

/**
 * Takes the judgements of one rule, which are of single cases each, together: what is said of a resource in the same words under several
 * assumptions is one finding, and conditions that don't matter aren't named. What holds wherever there is the resource depends on none.
 * Instances that exist under different conditions share an address and a place, and are one resource to whoever reads of them. What is said of
 * several launches names them all.
 */
export class Settling {
  private readonly said: (Judgement | LaunchJudgements)[] = [];
  private readonly launches = new Map<Resource, LaunchJudgements>();
  private readonly entries: (Judgement | Place)[] = [];
  private readonly statements = new Map<string, Statement>();

  /** @param messages of the rule. @default - all that it says of them may differ */
  constructor(
    private readonly model: EksModel,
    private readonly messages: Rule['messages'] = {},
  ) {}

  add(judgement: Judgement): void {
    if (judgement.verdict === 'pass') return;
    if (!isOfLaunch(judgement)) {
      this.said.push(judgement);
      return;
    }
    const { resource } = judgement;
    let ofResource = this.launches.get(resource);
    if (ofResource === undefined) {
      ofResource = new LaunchJudgements(resource);
      this.launches.set(resource, ofResource);
      this.said.push(ofResource);
    }
    ofResource.add(judgement);
  }

  /**
   * Takes together what was added.
   * @throws what the rule throws that says more of launches
   */
  settle(): void {
    for (const said of this.said.splice(0)) {
      if (said instanceof LaunchJudgements) for (const judgement of said.settled()) this.addCase(judgement);
      else this.addCase(said);
    }
    this.launches.clear();
  }

  private addCase(judgement: Judgement): void {
    const { verdict, when = always } = judgement;
    // What can't be told is said without conditions.
    if (verdict === 'unverifiable' || when.text === '') this.entries.push(judgement);
    else {
      const key = this.wordsOf(judgement);
      let statement = this.statements.get(key);
      if (statement === undefined) this.statements.set(key, (statement = new Statement(this.model)));
      const place = statement.add(judgement, when);
      if (place !== undefined) this.entries.push(place);
    }
  }

  /** What it has come to. */
  get judgements(): readonly Judgement[] {
    if (this.statements.size === 0) return this.entries as readonly Judgement[];
    const wordsAt = (judgement: Judgement): string =>
      `${this.wordsOf(judgement)} ${keyOf(judgement.source ?? judgement.resource.source)}`;
    const unconditional = new Set(
      this.entries.flatMap((entry) => (entry instanceof Place || entry.verdict !== 'fail' ? [] : [wordsAt(entry)])),
    );
    return this.entries.flatMap((entry) =>
      entry instanceof Place
        ? entry.settled((first) => unconditional.size > 0 && unconditional.has(wordsAt(first)))
        : [entry],
    );
  }

  /** What is said of a resource, wherever it points. */
  private wordsOf(judgement: Judgement): string {
    const { resource, message, severity, about, corrected } = judgement;
    const data = this.dataInWords(judgement);
    const lines = data === judgement.data ? undefined : corrected;
    return JSON.stringify([resource.stack, resource.id, keyOf(resource.source), message, data, severity, about, lines]);
  }

  /** Where lines of the user's stand in the place of the code of the fix, nobody reads what that would have been. */
  private dataInWords({ resource, message = '', data, corrected }: Judgement): Judgement['data'] {
    const said = this.messages[message];
    if (data === undefined || corrected === undefined || resource.path !== undefined || said === undefined) return data;
    const { text, fix } = said;
    const words = [text, fix.summary, ...Object.values(fix.summaryIn ?? {})].join(' ');
    return Object.fromEntries(Object.entries(data).filter(([name]) => words.includes(`{{${name}}}`)));
  }
}

/** What a rule says of a resource in the same words, at one place or several. */
class Statement {
  private readonly places = new Map<string, Place>();
  private readonly resources = new Set<Resource>();
  private readonly whens: When[] = [];

  constructor(private readonly model: EksModel) {}

  /** The place, if it is the first time that it is named. */
  add(judgement: Judgement, when: When): Place | undefined {
    const { resource, source = resource.source } = judgement;
    this.resources.add(resource);
    this.whens.push(when);
    const key = keyOf(source);
    const known = this.places.get(key);
    if (known !== undefined) {
      known.whens.push(when);
      return undefined;
    }
    const place = new Place(this, judgement, when);
    this.places.set(key, place);
    return place;
  }

  /** Whether it holds wherever there is the resource. */
  get isAlways(): boolean {
    return (this.alwaysMemo ??= [...this.resources].every(
      (resource) => without([this.existsOf(resource)], this.whens)?.length === 0,
    ));
  }

  isFirst(place: Place): boolean {
    for (const first of this.places.values()) return first === place;
    return false;
  }

  /** The existence of the resource, if it is one. */
  get exists(): When {
    const [resource, other] = this.resources;
    return resource === undefined || other !== undefined ? always : this.existsOf(resource);
  }

  /** Nobody has what belongs to a cluster without the cluster. */
  private existsOf(resource: Resource): When {
    const { exists } = resource;
    return exists.and(this.model.findView(resource)?.cluster?.exists ?? always) ?? exists;
  }

  private alwaysMemo: boolean | undefined;
}

/** Where a statement points. */
class Place {
  readonly whens: [When, ...When[]];

  constructor(
    private readonly statement: Statement,
    private readonly first: Judgement,
    when: When,
  ) {
    this.whens = [when];
  }

  /** @param isSaidAnyway whether the same is said at its place under no condition too, so that it needn't be said again */
  settled(isSaidAnyway: (judgement: Judgement) => boolean): readonly Judgement[] {
    const { statement, first } = this;
    if (isSaidAnyway(first)) return [];
    if (statement.isAlways) return statement.isFirst(this) ? [{ ...first, when: always }] : [];
    const whens = [...new Map(this.whens.map((when) => [when.text, when])).values()];
    const [one = always, ...others] =
      whens.length === 1 || whens.length > MOST_WHENS ? whens : fewerAssumptions(whens, always, statement.exists);
    return [{ ...first, when: either([one, ...others]) }];
  }
}
