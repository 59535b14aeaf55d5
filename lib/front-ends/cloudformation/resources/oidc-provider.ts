import type { OidcProvider } from '../../../eks';
import type { Value } from '../../../value';
import { CloudFormationResource } from './cloudformation-resource';

/** `AWS::IAM::OIDCProvider`, and the custom resource that CDK uses for it. */
export class IamOidcProvider extends CloudFormationResource implements OidcProvider {
  readonly kind = 'oidc-provider';

  get url(): Value<string> {
    return this.properties.string('Url');
  }

  /** A stack is of one account. */
  get account(): string | undefined {
    return this.type === 'AWS::IAM::OIDCProvider' ? '' : undefined;
  }

  get clientIds(): Value<readonly Value<string>[]> {
    return this.properties.strings(this.type === 'AWS::IAM::OIDCProvider' ? 'ClientIdList' : 'ClientIDList');
  }
}
