import { Known, Unknown, type Source } from '../../value';
import { TerraformMap, type TerraformValue } from '../terraform-value';

/** The `outputs` of a `terraform_remote_state`, each looked up in the root module that makes the state. */
export class StateOutputs extends TerraformMap {
  constructor(
    private readonly find: (output: string) => TerraformValue | undefined,
    private readonly address: string,
    private readonly source: Source,
  ) {
    super(new Map(), new Unknown(`outputs of ${address} are read from a state`, source));
  }

  override entry(key: string): TerraformValue {
    return (
      this.find(key) ??
      new Unknown(`no root module of this run gives output ${key}`, this.source, `\${${this.address}.outputs.${key}}`)
    );
  }
}

/** Attributes of a data source with the outputs in them. */
export function withOutputs(attributes: TerraformValue, outputs: StateOutputs, source: Source): TerraformValue {
  const entries =
    attributes.kind === 'known' && attributes.value instanceof TerraformMap ? attributes.value.entries : [];
  return new Known(new TerraformMap(new Map([...entries, ['outputs', new Known(outputs, source)]])), source);
}
