import { amiOfParameter, UNKNOWN_AMI } from '../../knowledge/published-amis';
import type { Image } from '../../eks';
import { Default, Known, type Plain } from '../../value';
import { ComposedText, JoinedText } from '../../value/composed-text';

/** Text that EC2 itself looks up, or that CloudFormation does, with the path of the SSM parameter in it. */
const SSM_LOOKUP = /^(?:resolve:ssm:|\{\{resolve:ssm:)((?:\$\{[^}]*\}|[^:}])+)/;

/** The image that a text names: an AMI id, or the lookup of an SSM parameter. */
export function imageFrom(plain: Plain<string>): Plain<Image> {
  if (plain.kind === 'absent') return plain;
  const text = plain.kind === 'known' ? plain.value : plain.text;
  const path = text === undefined ? undefined : SSM_LOOKUP.exec(text)?.[1];
  if (path !== undefined)
    return new Known(
      {
        ...withVersionFrom(imageAt(path), plain),
        ...(text?.startsWith('resolve:') === true ? { resolvedAtLaunch: true } : {}),
      },
      plain.source,
    );
  if (plain.kind !== 'known') return plain;
  const malformed = isMalformed(plain) ? { isMalformed: true as const } : {};
  return new Known({ text: plain.value, ...UNKNOWN_AMI, ...malformed }, plain.source, plain.note);
}

/** An image, with the piece of the text that names it which is its Kubernetes version, if there is one. */
export function withVersionFrom<I extends Pick<Image, 'kubernetesVersion'>>(
  image: I,
  named: Plain<string>,
): I & Pick<Image, 'versionFrom'> {
  const { kubernetesVersion } = image;
  if (kubernetesVersion === undefined || !(named instanceof JoinedText || named instanceof ComposedText)) return image;
  const piece = named.pieces.find((one) => one.kind === 'known' && one.value === kubernetesVersion);
  return piece?.kind === 'known' ? { ...image, versionFrom: piece } : image;
}

/** What people write where something is to be filled in before the deployment. */
const TO_FILL_IN = /change|replace|insert|your|example|placeholder|todo|tbd|x{3}/i;

/** Whether it is a word that stands where only an AMI id, or the lookup of one, can: what holds `<…>`, `$` or nothing is to be filled in, too. */
function isMalformed(plain: Known<string>): boolean {
  return (
    !(plain instanceof Default) && /^(?!ami-|resolve:)[\w./:-]+$/.test(plain.value) && !TO_FILL_IN.test(plain.value)
  );
}

/** The image of an SSM parameter; parts of its path may be unknown (`${…}`). */
export function imageAt(path: string): Image {
  return { text: path, ...amiOfParameter(path), ...(path.startsWith('/aws/service/') ? { isPublished: true } : {}) };
}
