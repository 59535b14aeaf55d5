import { defineRule, type Judgement } from '../../engine';
import type { Plain } from '../../eks';
import { describedAddon, vpcCni, type AddonDescription } from '../../knowledge';
import { judgeConfiguration, SCHEMA_MESSAGES, type SchemaMessage } from '../parts/addon-schema-judgements';

/** Keys that look right and that no version accepts are listed for the VPC CNI only. */
type Message = Exclude<SchemaMessage, 'not-configurable'>;

const { 'not-configurable': _, ...MESSAGES } = SCHEMA_MESSAGES;

export const addonConfigurationSchema = defineRule<Message>({
  id: 'addon-configuration-schema',
  subject: 'addon',
  title: 'The configuration values of an add-on fit the schema of its version',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: true,
  messages: MESSAGES,
  *check(model) {
    for (const addon of model.addons)
      yield* judgeConfiguration(addon, model, describe) as Generator<Judgement<Message>>;
  },
});

/** The VPC CNI has a rule of its own, `vpc-cni-configuration-schema`. */
function describe(name: Plain<string>): AddonDescription | 'no schema' | undefined {
  if (name.kind !== 'known') return undefined;
  return name.value === vpcCni.name ? undefined : (describedAddon(name.value) ?? 'no schema');
}
