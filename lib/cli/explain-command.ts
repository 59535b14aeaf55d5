import { rulesOf, unknownRule } from '../engine';
import { ansiStyle, plainStyle } from '../reports/style';
import { allRules } from '../rules';
import { configurationFor, tellLeftOut, type ConfigurationArguments } from './configuration-code';
import { plainMarkdown } from './plain-markdown';
import { rulePage, toolRulePage } from './rule-page';
import { terminalOf } from './terminal';
import { toolRules } from '../engine/tool-rules';
import { UsageError } from './usage-error';

/**
 * The page of a rule as text for the terminal.
 * @param given the configuration file may have rules of its own
 * @throws UsageError if there is no such rule, ConfigurationFileError if the file can't be used
 */
export function explainRule(id: string, given: ConfigurationArguments = {}): string {
  const { colour, width } = terminalOf(process.stdout);
  return plainMarkdown(pageOf(id, given), width, colour ? ansiStyle : plainStyle);
}

function pageOf(id: string, given: ConfigurationArguments): string {
  const toolRule = toolRules.find((one) => one.id === id);
  if (toolRule !== undefined) return toolRulePage(toolRule);
  const builtIn = allRules.find((one) => one.id === id);
  if (builtIn !== undefined) return rulePage(builtIn);
  // Only now, so that a broken file keeps nobody from reading about the built-in rules.
  const file = configurationFor(given);
  tellLeftOut(file);
  const rules = rulesOf(file?.configuration ?? {}, allRules);
  const own = rules.find((one) => one.id === id);
  if (own !== undefined) return rulePage(own);
  throw new UsageError(`${unknownRule(id, [...rules, ...toolRules])}\nRun "eks-guardrails rules" for the list.`);
}
