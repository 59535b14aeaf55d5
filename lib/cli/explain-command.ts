import { unknownRule } from '../engine';
import { ansiStyle, plainStyle } from '../report/style';
import { allRules } from '../rules';
import { plainMarkdown } from './plain-markdown';
import { rulePage, toolRulePage } from './rule-page';
import { terminalOf } from './terminal';
import { toolRules } from './tool-rules';
import { UsageError } from './usage-error';

/**
 * The page of a rule as text for the terminal.
 * @throws UsageError if there is no such rule
 */
export function explainRule(id: string): string {
  const { colour, width } = terminalOf(process.stdout);
  return plainMarkdown(pageOf(id), width, colour ? ansiStyle : plainStyle);
}

function pageOf(id: string): string {
  const rule = allRules.find((one) => one.id === id);
  if (rule !== undefined) return rulePage(rule);
  const toolRule = toolRules.find((one) => one.id === id);
  if (toolRule !== undefined) return toolRulePage(toolRule);
  throw new UsageError(`${unknownRule(id, allRules)}\nRun "eks-guardrails rules" for the list.`);
}
