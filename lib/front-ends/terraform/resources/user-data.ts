import type { UserData } from '../../../eks';
import { Absent, flatMapValue, Known, type Plain, Unknown, type Value } from '../../../value';
import { Base64Text, ComposedText, UnknownBase64 } from '../../../value/composed-text';
import { sourceTextOf } from '../../../eks/user-data/text-of-value';
import { userDataFromBase64 } from '../../parts/user-data-text';
import { asText, type TerraformValue } from '../../../terraform/terraform-value';
import { renderCloudinit } from './cloudinit';
import type { Registry } from './registry';

/** User data that must be base64: `user_data` of a launch template, `user_data_base64` of a launch configuration. */
export function readEncodedUserData(raw: TerraformValue, registry: Registry): Value<UserData> {
  return flatMapValue(raw, (plain): Value<UserData> => {
    const rendered = renderedBy(plain, registry);
    if (rendered !== undefined) return rendered;
    return flatMapValue(asText(registry.link(plain)), (text): Plain<UserData> => {
      if (text instanceof Base64Text)
        return new Known({ text: sourceTextOf(text.decoded), layers: [], encodedBy: 'engine' }, text.source, text.note);
      if (text instanceof UnknownBase64)
        return new Known({ text: sourceTextOf(text.decoded), layers: [], encodedBy: 'engine' }, text.source);
      if (text.kind !== 'known') return text;
      return text.value === '' ? new Absent(text.source) : userDataFromBase64(text);
    });
  });
}

/** What `data.cloudinit_config.x.rendered` is, with or without `base64encode()` around it. */
function renderedBy(plain: Plain<unknown>, registry: Registry): Value<UserData> | undefined {
  if (plain.kind !== 'unknown') return undefined;
  const isEncodedAgain = plain instanceof UnknownBase64;
  const inner = isEncodedAgain ? plain.decoded : plain;
  const reference = registry.referenced(inner);
  return reference?.attribute === 'rendered'
    ? renderCloudinit(reference.instance, isEncodedAgain, plain.source, registry)
    : undefined;
}

const SHA1 = /^[0-9a-f]{40}$/;
const BASE64 = /^[A-Za-z0-9+/\r\n]+(?:={1,2}\s*|[^\S\r\n]\s*)?$/;

/** User data that the provider encodes, unless it is base64 already: `user_data` of a launch configuration. */
export function readPlainUserData(raw: TerraformValue, registry: Registry): Value<UserData> {
  return flatMapValue(asText(registry.link(raw)), (text): Plain<UserData> => {
    if (text.kind === 'absent' || (text.kind === 'unknown' && !(text instanceof ComposedText))) return text;
    if (text.kind === 'known') {
      if (text.value === '') return new Absent(text.source);
      if (SHA1.test(text.value)) return new Unknown('the plan holds only a hash of it', text.source);
      if (!(text instanceof Base64Text) && BASE64.test(text.value) && text.value.replace(/\s+/g, '').length % 4 === 0)
        return userDataFromBase64(text);
    }
    const decoded = text instanceof Base64Text ? text.decoded : text;
    return new Known(
      { text: sourceTextOf(decoded), layers: [], encodedBy: 'engine' },
      text.source,
      text.kind === 'known' ? text.note : undefined,
    );
  });
}
