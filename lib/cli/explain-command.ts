import { configurationFileFor } from '../configuration/merge';
import { rulesOf, unknownRule } from '../engine';
import { ansiStyle, plainStyle } from '../report/style';
import { allRules } from '../rules';
import { plainMarkdown } from './plain-markdown';
import { rulePage, toolRulePage } from './rule-page';
import { terminalOf } from './terminal';
import { toolRules } from './tool-rules';
import { UsageError } from './usage-error';

/**
 * The page of a rule as text for the terminal.
 * @param config path of the configuration file, which may have rules of its own; `false` for none. Default: the nearest one
 * @throws UsageError if there is no such rule, ConfigurationFileError if the file can't be used
 */
export function explainRule(id: string, config?: string | false): string {
  const { colour, width } = terminalOf(process.stdout);
  return plainMarkdown(pageOf(id, config), width, colour ? ansiStyle : plainStyle);
}

function pageOf(id: string, config: string | false | undefined): string {
  const toolRule = toolRules.find((one) => one.id === id);
  if (toolRule !== undefined) return toolRulePage(toolRule);
  const builtIn = allRules.find((one) => one.id === id);
  if (builtIn !== undefined) return rulePage(builtIn);
  // Only now, so that a broken file keeps nobody from reading about the built-in rules.
  const rules = rulesOf(configurationFileFor(config)?.configuration ?? {}, allRules);
  const own = rules.find((one) => one.id === id);
  if (own !== undefined) return rulePage(own);
  throw new UsageError(`${unknownRule(id, [...rules, ...toolRules])}\nRun "eks-guardrails rules" for the list.`);
}
