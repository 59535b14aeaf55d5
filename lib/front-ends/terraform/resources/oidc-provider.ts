import type { OidcProvider } from '../../../eks';
import type { Value } from '../../../value';
import { TerraformResource } from './terraform-resource';

/** `aws_iam_openid_connect_provider`. */
export class IamOidcProvider extends TerraformResource implements OidcProvider {
  readonly kind = 'oidc-provider';

  get url(): Value<string> {
    return this.attributes.text('url');
  }

  get clientIds(): Value<readonly Value<string>[]> {
    return this.attributes.strings('client_id_list');
  }

  get account(): string | undefined {
    const { mode, provider, isNotEnabled } = this.instance;
    return mode === 'managed' && isNotEnabled !== true ? provider : undefined;
  }
}
