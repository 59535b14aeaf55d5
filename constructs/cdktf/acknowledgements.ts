import type { TerraformResource } from 'cdktf';
import { acknowledge } from '../../aspects/cdktf/acknowledgements';

/** Records a deliberate deviation from one of this library's rules, for everything that reads the configuration. */
export function acknowledgeRule(resource: TerraformResource, rule: string, reason: string): void {
  acknowledge(resource, { rule, reason });
}

/** A note in the comment of a resource, where a reader or another scanner looks for the reason of a setting. */
export function explain(resource: TerraformResource, setting: string, text: string): void {
  resource.addOverride(`//.eks-guardrails.notes.${setting}`, text);
}
