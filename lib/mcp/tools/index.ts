import type { Tool } from '../tool';
import { check } from './check';
import { maxPods } from './max-pods';
import { planFix } from './plan-fix';
import { explainRule, findRuleForSymptom } from './rules';
import { addonDiff, upgradePlan } from './updates';
import { checkUserData } from './user-data';

/** In the order in which agents are told of them. */
export const TOOLS: readonly Tool[] = [
  check,
  explainRule,
  findRuleForSymptom,
  planFix,
  checkUserData,
  maxPods,
  addonDiff,
  upgradePlan,
];
