import { join } from 'node:path';
import { fileText } from '../files/read';

/** A source of a rule's facts: a document, a repository path, an API text. */
export interface FactSource {
  readonly title: string;
  readonly url: string;
}

/** What is told of a rule at length: its page says it, and nobody needs it to check. */
export interface RuleProse {
  /** What happens to the cluster: the story, with the log line or symptom. Markdown. */
  readonly symptom: string;
  /** What somebody sees who has the problem and doesn't know it yet: log lines as the components write them, or words. Markdown, one each. @default - none */
  readonly signs?: readonly string[];
  /** Why AWS behaves so. Markdown. */
  readonly why: string;
  /** What is wrong and what is right, in the languages that it is written in. Markdown. @default - none */
  readonly examples?: string;
  /** What the rule can't see, honestly. Markdown. */
  readonly limits: string;
  /** When ignoring the rule is right. Markdown. */
  readonly ignore: string;
  readonly sources: readonly FactSource[];
}

/** Signs as a list of Markdown. */
export function bulleted(signs: readonly string[] = []): string {
  return signs.map((sign) => `- ${sign}`).join('\n');
}

/** The headings of a page, in their order. */
const PAGE_HEADINGS = {
  symptom: 'What happens',
  signs: 'How to recognise it',
  why: 'Why',
  examples: 'Examples',
  limits: "What it can't see",
  ignore: 'When to ignore it',
  sources: 'Sources',
} as const satisfies Record<keyof RuleProse, string>;

type Section = keyof typeof PAGE_HEADINGS;

const SECTIONS = Object.keys(PAGE_HEADINGS) as Section[];

const OPTIONAL: readonly Section[] = ['signs', 'examples'];

const FOLDER = join(__dirname, '..', 'rules');

/**
 * The page beside a built-in rule.
 * @param missing what to tell where the installation has no page, which is no reason to fail a report
 */
export function readPage(subject: string, id: string, missing: string): RuleProse {
  let text: string;
  try {
    text = fileText(join(FOLDER, subject, `${id}.md`));
  } catch {
    return { symptom: missing, why: '', limits: '', ignore: '', sources: [] };
  }
  return parsePage(id, text);
}

/**
 * What a page says.
 * @throws an error that names what is missing or of no use in it
 * @internal tests give it pages that are not whole
 */
export function parsePage(id: string, text: string): RuleProse {
  const [first = '', ...others] = linesBySection(text);
  const problems = [
    ...(first.trim() === `# ${id}` ? [] : [`it begins with "# ${id}" and nothing else before the first section`]),
  ];
  const bodies = new Map<string, string>();
  for (const section of others) {
    const end = section.indexOf('\n');
    const heading = section.slice('## '.length, end).trim();
    if (bodies.has(heading)) problems.push(`"## ${heading}" stands there twice`);
    if (!Object.values<string>(PAGE_HEADINGS).includes(heading))
      problems.push(`"## ${heading}" is no section of a page; they are ${headings(SECTIONS)}`);
    bodies.set(heading, section.slice(end).trim());
  }
  const absent = SECTIONS.filter((section) => !OPTIONAL.includes(section) && !bodies.get(PAGE_HEADINGS[section]));
  if (absent.length > 0) problems.push(`it says nothing under ${headings(absent)}`);
  const order = [...bodies.keys()].filter((heading) => Object.values<string>(PAGE_HEADINGS).includes(heading));
  const inOrder = Object.values<string>(PAGE_HEADINGS).filter((heading) => bodies.has(heading));
  if (order.join('\n') !== inOrder.join('\n'))
    problems.push(`its sections are in another order than ${headings(SECTIONS)}`);
  const signs = signsIn(bodies.get(PAGE_HEADINGS.signs) ?? '', problems);
  const sources = sourcesIn(bodies.get(PAGE_HEADINGS.sources) ?? '', problems);
  if (problems.length > 0) throw new Error(`the page ${id}.md: ${problems.join('; ')}`);

  const body = (section: Section): string => bodies.get(PAGE_HEADINGS[section]) ?? '';
  return {
    symptom: body('symptom'),
    signs,
    why: body('why'),
    examples: body('examples'),
    limits: body('limits'),
    ignore: body('ignore'),
    sources,
  };
}

function headings(sections: readonly Section[]): string {
  return sections.map((section) => `"## ${PAGE_HEADINGS[section]}"`).join(', ');
}

/** A page cut before each heading of a section; what looks like one in a block of code is none. */
function linesBySection(text: string): string[] {
  const sections: string[][] = [[]];
  let isCode = false;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && line.startsWith('## ')) sections.push([]);
    sections.at(-1)?.push(line);
  }
  return sections.map((lines) => `${lines.join('\n')}\n`);
}

/** The items of a list that holds nothing else; an item may go on in lines that are indented. */
function signsIn(list: string, problems: string[]): string[] {
  const signs: string[] = [];
  for (const line of list.split('\n').filter((one) => one.trim() !== '')) {
    if (line.startsWith('- ')) signs.push(line.slice(2).trim());
    else if (line.startsWith('  ')) signs.push(`${signs.pop() ?? ''} ${line.trim()}`);
    else problems.push(`"${line}" is no item of a list, such as "- \`a line of a log\` (who writes it)"`);
  }
  return signs;
}

/** The links of a list that holds nothing else. */
function sourcesIn(list: string, problems: string[]): FactSource[] {
  return list
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line): FactSource[] => {
      const [, title, url] = /^- \[([^\]]+)\]\((https:\/\/[^\s)]+)\)$/.exec(line) ?? [];
      if (title !== undefined && url !== undefined) return [{ title, url }];
      problems.push(`"${line}" is no source, such as "- [title](https://…)"`);
      return [];
    });
}
