import { resourceName, typeName } from '../../eks';
import { withCommonNames, type Finding } from '../../engine';
import { Sayings } from '../alike';
import { blocksOf, type Block, type Located } from '../blocks';
import { codeFrame } from '../code-frame';
import type { ReportContext } from '../format';
import { LABELS, labelOf, type Label } from '../listed';
import { otherPlaces, type OtherPlace } from '../other-places';
import { count } from '../prose';
import { repairMark, repairText } from '../repairs';
import { rulesOf } from '../rule-information';
import type { CheckResult } from '../../check';
import type { Listing } from './listing';
import { docsLink, html, prose, type Markup } from './markup';
import { countOf } from './marks';
import { givenName } from './names';

/** Columns of a line of code. */
const FRAME_WIDTH = 130;

/** Further places that are shown without unfolding. */
const MOST_PLACES = 10;

const FAILING = ['error', 'warning', 'info'] as const satisfies readonly Label[];

/** What there is to do, errors first: what one fix mends is told once, with all the resources that need it. */
export class Todo {
  readonly blocks: readonly Block[];
  private readonly sayings: Sayings;
  private readonly titles: ReadonlyMap<string, string>;
  /** Anchors of the entries whose fix was shown. */
  private readonly fixes = new Map<string, string>();
  private told = 0;

  constructor(
    result: CheckResult,
    private readonly context: ReportContext,
    private readonly listing: Listing,
  ) {
    const findings = listing.with(...FAILING).map(({ finding }) => finding);
    this.blocks = blocksOf(findings, result, 'alike');
    this.sayings = new Sayings(result);
    this.titles = new Map(rulesOf(findings, context.rules).map(({ id, title }) => [id, title]));
  }

  *section(): Iterable<Markup> {
    yield html`<section id="findings"><h2>What to do</h2>
`;
    if (this.blocks.length === 0)
      yield html`<p class="panel">Nothing to correct was found.</p>
`;
    else {
      yield this.filters();
      const [apart, enabled] = [true, false].map((wanted) =>
        this.blocks.filter(({ finding }) => (finding.resource.isNotEnabled === true) === wanted),
      );
      yield* this.list(enabled ?? [], '');
      yield* this.list(apart ?? [], 'In modules that no root module enables');
    }
    yield html`</section>
`;
  }

  private *list(blocks: readonly Block[], heading: string): Iterable<Markup> {
    if (blocks.length === 0) return;
    yield html`${heading === '' ? undefined : html`<h3 class="apart">${heading}</h3>\n`}<ol class="todo">
`;
    for (const block of blocks) yield this.entry(block);
    yield html`</ol>
`;
  }

  private filters(): Markup {
    const all = this.blocks.flatMap(({ finding, others }) => [finding, ...others.map((other) => other.finding)]);
    const number = (label: Label) => all.filter((finding) => labelOf(finding) === label).length;
    return html`<fieldset class="filters"><legend>Show</legend>${FAILING.map((label) => html`<label><input type="checkbox" id="show-${label}" checked="checked"/> ${countOf(label, number(label))}</label>`)}</fieldset>
`;
  }

  private entry(block: Block): Markup {
    const { finding, place, others } = block;
    const { rule, docs, related, message } = finding;
    const label = LABELS.find((one) => one === labelOf(finding)) ?? 'info';
    const anchor = this.anchorOf(finding);
    const title = this.titles.get(rule);
    const mark = repairMark([finding, ...others.map((other) => other.finding)], this.context);
    return html`<li class="entry finding ${label}" id="${anchor}"><header><span class="soft">${++this.told}.</span> <span class="label">${label}</span> <h3>${title === undefined || title === rule ? rule : prose(title)}</h3> <span class="rule">${docsLink(docs, rule)}</span>${others.length === 0 ? undefined : html` <span class="times">${count(others.length + 1, 'finding')}</span>`}${mark === '' ? undefined : html` <span class="repair">${mark}</span>`} <a class="permalink" href="#${anchor}" aria-label="Link to this entry">#</a></header>
<p>${prose(message)}</p>
${this.where({ finding, place })}
${this.frame(block, label)}${this.others(block)}${this.fix(finding, anchor, others.length > 0)}${
  related.length === 0
    ? undefined
    : html`<ul class="related">
${related.map(
  (
    other,
  ) => html`<li>${prose(other.message)} <span class="place">${this.listing.position(other.source.locate())}</span></li>
`,
)}</ul>
`
}</li>
`;
  }

  private where({ finding: { resource, message }, place }: Located): Markup {
    const { property } = place;
    const whole = resourceName(resource);
    const name = givenName(resource);
    return html`<p class="where">${name === '' ? 'The whole input' : html`<strong title="${whole}">${name}</strong>`} <span class="soft">${typeName(resource)}${whole === name || message.includes(whole) ? undefined : html` <span class="whole">${whole}</span>`}${resource.path === undefined ? undefined : ` ${resource.id}`}${
      property === undefined || property === 'Properties' ? undefined : html`, property <code>${property}</code>`
    }</span> <span class="place">${this.listing.position(place)}</span></p>`;
  }

  /** The lines around the place; the word in question is underlined. */
  private frame({ place }: Located, label: Label): Markup | undefined {
    const source = this.listing.source(place);
    const frame = source === undefined ? undefined : codeFrame(source, place.line, place.column, FRAME_WIDTH, 1);
    if (frame === undefined) return undefined;
    const lines = frame.map(({ number, mark, text }) => {
      const gutter = html`<span class="number">${number}</span>`;
      if (mark === undefined) return html`${gutter}${text}\n`;
      const { start, end } = mark;
      return html`<span class="hit ${label}">${gutter}${text.slice(0, start)}<mark>${text.slice(start, end)}</mark>${text.slice(end)}</span>`;
    });
    return html`<pre class="frame" tabindex="0">${lines}</pre>
`;
  }

  /** The other resources that the same change mends, with what is said of them alone. */
  private others(block: Block): Markup | undefined {
    if (block.others.length === 0) return undefined;
    const places = otherPlaces(block, this.sayings);
    const list = (shown: readonly OtherPlace[]) => html`<ul class="same">
${shown.flatMap(({ place, rows }) => rows.map(({ located, detail }) => this.row(located, detail, this.listing.position(place))))}</ul>
`;
    const more = places.slice(MOST_PLACES);
    return html`<p class="also">The same holds for:</p>
${list(places.slice(0, MOST_PLACES))}${more.length === 0 ? undefined : html`<details><summary>and at ${count(more.length, 'more place')}</summary>${list(more)}</details>\n`}`;
  }

  private row(located: readonly Located[], detail: string, position: string): Markup {
    const roots = new Set(located.map(({ finding }) => finding.resource.stack));
    const isNamed = new Set<string>();
    const names = located.map(({ finding }) => {
      const name = givenName(finding.resource);
      const shown = isNamed.has(name) ? '' : `${isNamed.size === 0 ? '' : ', '}${name}`;
      isNamed.add(name);
      return html`<span id="${this.anchorOf(finding)}" title="${resourceName(finding.resource)}">${shown}</span>`;
    });
    const stacks = located[0]?.finding.resource.dialect.stacks ?? '';
    return html`<li>${names}${roots.size > 1 ? `, in ${roots.size} ${stacks}: ${[...roots].join(', ')}` : undefined}${detail === '' ? undefined : html` <span class="soft">${prose(detail)}</span>`} <span class="place">${position}</span></li>
`;
  }

  /** Selected as a whole by one click, because no script runs that could copy it. */
  private fix(finding: Finding, anchor: string, isOfSeveral: boolean): Markup | undefined {
    const { rule, fix, fixCode = '' } = finding;
    const repair = repairText(finding, this.context);
    if (fix === '' && fixCode === '') return undefined;
    const key = JSON.stringify([rule, fix, withCommonNames(fixCode)]);
    const known = this.fixes.get(key);
    if (known !== undefined) return html`<p class="fix"><b>Fix</b> as <a href="#${known}">above</a></p>\n`;
    this.fixes.set(key, anchor);
    return html`<p class="fix"><b>Fix</b> ${prose(fix)}${isOfSeveral && fixCode !== '' ? ' For the first:' : undefined}${repair === '' ? undefined : html` <span class="soft">${prose(`${repair}.`)}</span>`}</p>
${
  fixCode === ''
    ? undefined
    : html`<pre class="code" tabindex="0">${fixCode.trimEnd()}</pre>
`
}`;
  }

  private anchorOf(finding: Finding): string {
    return this.listing.of(finding)?.anchor ?? '';
  }
}
