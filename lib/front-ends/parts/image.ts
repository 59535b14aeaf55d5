import { amiOfParameter, UNKNOWN_AMI } from '../../knowledge/published-amis';
import type { Image } from '../../eks';
import { Known, type Plain } from '../../value';

/** Text that EC2 itself looks up, or that CloudFormation does, with the path of the SSM parameter in it. */
const SSM_LOOKUP = /^(?:resolve:ssm:|\{\{resolve:ssm:)((?:\$\{[^}]*\}|[^:}])+)/;

/** The image that a text names: an AMI id, or the lookup of an SSM parameter. */
export function imageFrom(plain: Plain<string>): Plain<Image> {
  if (plain.kind === 'absent') return plain;
  const text = plain.kind === 'known' ? plain.value : plain.text;
  const path = text === undefined ? undefined : SSM_LOOKUP.exec(text)?.[1];
  if (path !== undefined)
    return new Known(
      { ...imageAt(path), ...(text?.startsWith('resolve:') === true ? { resolvedAtLaunch: true } : {}) },
      plain.source,
    );
  return plain.kind === 'known' ? new Known({ text: plain.value, ...UNKNOWN_AMI }, plain.source, plain.note) : plain;
}

/** The image of an SSM parameter; parts of its path may be unknown (`${…}`). */
export function imageAt(path: string): Image {
  return { text: path, ...amiOfParameter(path), ...(path.startsWith('/aws/service/') ? { isPublished: true } : {}) };
}
