import type { UpgradePlans } from '../../upgrade/plan';
import { upgradeHtml } from './html';
import { upgradeJson } from './json';
import { upgradeMarkdown } from './markdown';
import { upgradeText, type PlanTerminal } from './text';

/** What a plan is printed with. */
interface PlanContext extends PlanTerminal {
  /** Version of the tool. */
  readonly version: string;
}

/** The formats of plans, by the names that users call them. */
export const PLAN_FORMATS = {
  text: (plans, context) => upgradeText(plans, context),
  json: (plans, { version }) => [upgradeJson(plans, version)],
  markdown: (plans, { version }) => upgradeMarkdown(plans, version),
  html: (plans, { version }) => upgradeHtml(plans, version),
} as const satisfies Record<string, (plans: UpgradePlans, context: PlanContext) => Iterable<string>>;

export type PlanFormat = keyof typeof PLAN_FORMATS;
