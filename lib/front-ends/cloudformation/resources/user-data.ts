import type { UserData } from '../../../eks';
import { flatMapValue, Known, type Plain, type Value } from '../../../value';
import { sourceTextOf } from '../../../eks/user-data/text-of-value';
import { userDataFromBase64 } from '../../parts/user-data-text';
import { asText, DecodedText, type Item } from '../../../cloudformation/item';

/** The user data of a launch template or launch configuration, without the base64 around it. */
export function readUserData(item: Value<Item>): Value<UserData> {
  return flatMapValue(item, (plain): Plain<UserData> => {
    if (plain.kind !== 'known') return plain;
    if (plain.value instanceof DecodedText) {
      const text = sourceTextOf(plain.value.text);
      return new Known({ text, layers: [], encodedBy: 'engine' }, plain.source, plain.note);
    }
    const text = asText(plain);
    return text.kind === 'known' ? userDataFromBase64(text) : (text as Plain<UserData>);
  });
}
