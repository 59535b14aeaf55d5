import { rulesOf, unknownRule, type Rule } from '../../engine';
import { toolRules } from '../../engine/tool-rules';
import { DIALECTS } from '../../front-ends/registry';
import { ansiStyle, plainStyle } from '../../reports/style';
import { allRules } from '../../rules';
import type { DialectName } from '../../value';
import { configurationFor, tellLeftOut, type ConfigurationArguments } from '../parts/configuration-code';
import { plainMarkdown } from '../output/plain-markdown';
import { rulePage, toolRulePage } from './rule-page';
import { foundRules } from './rule-search';
import { dialectOf, ruleSummary } from './rule-summary';
import { terminalOf } from '../output/terminal';
import { UsageError } from '../parts/usage-error';

export interface ExplainArguments extends ConfigurationArguments {
  /** The whole page of a rule. @default - what fits on a screen */
  readonly full?: boolean;
  /** Whose code is shown. @default - what the folder is written in */
  readonly dialect?: DialectName;
}

/** What a rule is called: words with hyphens. */
const RULE_ID = /^[a-z\d]+(?:-[a-z\d]+)+$/i;

/**
 * A rule as text for the terminal, or the rules that may be behind what somebody sees.
 * @param words the id of a rule; or a line of a log, an error message, or words. The configuration file may have rules of its own
 * @throws UsageError if there is no such rule, ConfigurationFileError if the file can't be used
 */
export function explain(words: readonly string[], given: ExplainArguments = {}): string {
  const { colour, width } = terminalOf(process.stdout);
  return plainMarkdown(pageOf(words.join(' ').trim(), given), width, colour ? ansiStyle : plainStyle);
}

function pageOf(text: string, given: ExplainArguments): string {
  const toolRule = toolRules.find((one) => one.id === text);
  if (toolRule !== undefined) return toolRulePage(toolRule);
  const builtIn = allRules.find((one) => one.id === text);
  if (builtIn !== undefined) return pageOfRule(builtIn, given);
  // Only now, so that a broken file keeps nobody from reading about the built-in rules.
  const file = configurationFor(given);
  tellLeftOut(file);
  const rules = rulesOf(file?.configuration ?? {}, allRules);
  const own = rules.find((one) => one.id === text);
  if (own !== undefined) return rulePage(own, file?.ruleFiles.get(own.id));
  if (!RULE_ID.test(text)) return foundRules(text, rules);
  throw new UsageError(
    `${unknownRule(text, [...rules, ...toolRules])}\nRun "eks-guardrails rules" for the list, or "eks-guardrails rules --search ${text}" for what the rules say.`,
  );
}

function pageOfRule(rule: Rule, { full = false, dialect }: ExplainArguments): string {
  if (full) return rulePage(rule);
  const asked = dialect === undefined ? dialectOf(process.cwd()) : DIALECTS.find(({ name }) => name === dialect);
  return ruleSummary(rule, asked) ?? rulePage(rule);
}
