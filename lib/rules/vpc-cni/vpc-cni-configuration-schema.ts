import { defineRule } from '../../engine';
import { vpcCni } from '../../knowledge';
import { judgeConfiguration, SCHEMA_MESSAGES, type SchemaMessage } from '../parts/addon-schema-judgements';

export const vpcCniConfigurationSchema = defineRule<SchemaMessage>({
  id: 'vpc-cni-configuration-schema',
  subject: 'vpc-cni',
  title: 'The configuration values of the vpc-cni add-on fit the schema of its version',
  severity: 'error',
  since: '0.1.0',
  isAboutCode: true,
  messages: SCHEMA_MESSAGES,
  *check(model) {
    for (const addon of model.addons)
      yield* judgeConfiguration(addon, model, (name) =>
        name.kind === 'known' && name.value === vpcCni.name ? vpcCni : undefined,
      );
  },
});
