import { bulleted, ENGINE_RULES, type Fix, type Rule, type RuleOption } from '../../engine';
import { DIALECTS } from '../../front-ends/registry';
import type { Dialect } from '../../value';
import type { ToolRule } from '../../engine/tool-rules';

/** The sections of the catalogue, in its order. */
export const SUBJECTS: Readonly<Record<Rule['subject'], string>> = {
  imds: 'Instance metadata',
  'launch-template': 'Launch templates',
  'node-bootstrap': 'Node bootstrap',
  'node-group': 'Node groups and updates',
  addon: 'Add-ons',
  'vpc-cni': 'VPC CNI',
  iam: 'IAM',
  eksctl: 'eksctl',
  custom: 'Custom rules',
};

/**
 * The page of a rule, in Markdown; the same text as `explain` prints.
 * @param module where a custom rule comes from; undefined if that isn't known, or it is built in
 */
export function rulePage(rule: Rule, module?: string): string {
  return paragraphs([
    `# ${rule.id}`,
    `${rule.title}.`,
    section('What happens', rule.symptom),
    section('How to recognise it', bulleted(rule.signs)),
    section('Why', rule.why),
    section('Examples', rule.examples ?? ''),
    section('What it reports, and the fix', ...messageSections(rule)),
    section("What it can't see", rule.limits),
    section('When to ignore it', rule.ignore, suppressionSection(rule.id)),
    optionSection(rule.id, rule.options ?? {}),
    section('About this rule', aboutRule(rule, module)),
    section('Sources', rule.sources.map(({ title, url }) => `- [${title}](${url})`).join('\n')),
  ]);
}

/** A user's own rule leaves out what the messages don't need. */
export function section(title: string, ...body: readonly string[]): readonly string[] {
  return body.every((text) => text.trim() === '') ? [] : [`## ${title}`, ...body];
}

/** The page of one of the tool's own rules, in Markdown. */
export function toolRulePage(rule: ToolRule): string {
  return paragraphs([
    `# ${rule.id}`,
    `${rule.title}.`,
    ['## What it means', rule.meaning],
    ['## What to do', rule.remedy],
    [
      '## About this rule',
      `- Severity: ${rule.severity}\n- Reported by the engine itself; it has no options${rule.id === ENGINE_RULES.crashed ? " and can't be switched off" : `, and a level like other rules: \`--rule ${rule.id}=error\`, or \`rules\` in the configuration file`}.`,
    ],
  ]);
}

/** Messages of one rule often share the code of their fix, which is then shown once. */
function messageSections({ messages, subject }: Rule): string[] {
  const shownUnder = new Map<string, string>();
  return Object.entries(messages).map(([id, { text, fix }]) => {
    const key = JSON.stringify(fix.code ?? {});
    const earlier = shownUnder.get(key);
    if (earlier === undefined) shownUnder.set(key, id);
    const codes = codeOf(fix);
    return paragraphs([
      `### ${id}`,
      `> ${withPlaceholders(text)}`,
      `**Fix** (${(subject === 'custom' ? CUSTOM_SAFETY : SAFETY)[fix.safety]}${repairOption(fix) === undefined ? '' : `; \`${repairOption(fix)}\` does it`}): ${withPlaceholders(fix.summary)}`,
      ...(earlier === undefined || codes.length === 0
        ? codes.map(([{ title, fixes }, code]) => `${title}:\n\n${fenced(fixes.language, code)}`)
        : [`The code is the same as for ${earlier}.`]),
      ...ownSummariesOf(fix),
    ]).trimEnd();
  });
}

const SAFETY: Readonly<Record<Fix['safety'], string>> = {
  safe: 'safe to apply',
  'needs-decision': 'needs a decision: it replaces nodes, restarts pods or changes permissions',
};

/** What its author says, who may think of other consequences. */
const CUSTOM_SAFETY: Readonly<Record<Fix['safety'], string>> = {
  safe: 'safe to apply, by the author of the rule',
  'needs-decision': 'needs a decision',
};

/** Where the settings are others. */
function ownSummariesOf({ summaryIn = {} }: Fix): readonly string[] {
  return DIALECTS.flatMap(({ name, title }) => {
    const summary = name === 'none' ? undefined : summaryIn[name];
    return summary === undefined ? [] : [`With ${title}: ${withPlaceholders(summary)}`];
  });
}

function codeOf(fix: Fix): [Dialect, string][] {
  return DIALECTS.flatMap((dialect): [Dialect, string][] => {
    const code = dialect.name === 'none' ? undefined : fix.code?.[dialect.name];
    // What is worked out as a whole tells nothing without a finding.
    return code === undefined || /^\{\{\w+\}\}$/.test(code) ? [] : [[dialect, withCodePlaceholders(code)]];
  });
}

function suppressionSection(id: string): string {
  return paragraphs([
    // Several dialects write it alike.
    ...new Set(
      DIALECTS.flatMap(({ suppression, fixes }) => {
        const written = suppression?.(id);
        return written === undefined
          ? []
          : [paragraphs([`${written.where}:`, fenced(fixes.language, written.code)]).trimEnd()];
      }),
    ),
    'For a whole run of the command:',
    fenced('sh', `eks-guardrails check cdk.out --rule ${id}=off`),
  ]).trimEnd();
}

function optionSection(ruleId: string, options: Readonly<Record<string, RuleOption>>): string[] {
  const entries = Object.entries(options);
  const [first] = entries;
  if (first === undefined) return [];
  const [firstName, firstOption] = first;
  const other = firstOption.allowed.find((value) => value !== firstOption.default) ?? firstOption.default;
  return [
    '## Options',
    entries
      .map(([name, { description, allowed, default: fallback }]) => {
        const values = allowed.map((value) => `\`${value}\``).join(', ');
        return `- \`${name}\`: ${description.trim()} One of ${values}; default \`${fallback}\`.`;
      })
      .join('\n'),
    fenced('sh', `eks-guardrails check cdk.out --rule-option ${ruleId}.${firstName}=${other}`),
  ];
}

function aboutRule(rule: Rule, module: string | undefined): string {
  const strict = rule.strictSeverity === undefined ? '' : ` (${rule.strictSeverity} in preset \`strict\`)`;
  const since = rule.since === '' ? [] : [`- Since: ${rule.since}`];
  const page = rule.docs === undefined || rule.docs === '' ? [] : [`- Documentation: ${rule.docs}`];
  return [
    `- Severity: at most ${rule.severity}${strict}`,
    ...fixability(rule).map((text) => `- ${text}`),
    ...since,
    `- Subject: ${SUBJECTS[rule.subject]}`,
    ...(module === undefined ? [] : [`- Module: ${module}`]),
    ...page,
  ].join('\n');
}

/** What `--fix` repairs of a rule, if it does. */
function fixability({ messages }: Rule): string[] {
  const all = Object.entries(messages);
  const parts = (['--fix', '--fix --unsafe'] as const).flatMap((option) => {
    const repaired = all.filter(([, { fix }]) => repairOption(fix) === option).map(([id]) => `\`${id}\``);
    if (repaired.length === 0) return [];
    return [`${repaired.length === all.length ? 'yes' : repaired.join(', ')} (\`${option}\`)`];
  });
  return parts.length === 0 ? [] : [`Fixable: ${parts.join('; ')}`];
}

/** The options of `check` with which it repairs something that a rule finds. */
export function repairOptions({ messages }: Rule): readonly string[] {
  const options = new Set(Object.values(messages).map(({ fix }) => repairOption(fix)));
  return (['--fix', '--fix --unsafe'] as const).filter((option) => options.has(option));
}

/** The options of `check` with which it makes a fix; undefined if none does. */
function repairOption({ repairs, safety, effect }: Fix): '--fix' | '--fix --unsafe' | undefined {
  if (repairs === undefined) return undefined;
  if (safety === 'safe') return '--fix';
  return effect === undefined ? undefined : '--fix --unsafe';
}

/** What is added for some resources only, which a page leaves out. */
const SOMETIMES =
  /\{\{(?:createdInModule|keptIn\w+|moved\w*|withoutIn\w+|ssh\w+|loopIn\w+|instanceIn\w+|roleFirst|replacing|inModule|volume)\}\}/g;

/** `{{name}}` as a reader should see it: `<name>`, which outside of code needs a backslash in Markdown, as all do that are written so. */
function withPlaceholders(markdown: string): string {
  return markdown
    .replaceAll(SOMETIMES, '')
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`')
        ? withCodePlaceholders(part)
        : part.replaceAll('<', '\\<').replaceAll(/\{\{(\w+)\}\}/g, '\\<$1>'),
    )
    .join('');
}

function withCodePlaceholders(code: string): string {
  return code.replaceAll(SOMETIMES, '').replaceAll(/\{\{(\w+)\}\}/g, '<$1>');
}

export function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;
}

export function paragraphs(parts: readonly (string | readonly string[])[]): string {
  return `${parts
    .flat()
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')}\n`;
}
