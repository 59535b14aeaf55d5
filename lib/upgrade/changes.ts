import { Known, sourceOf, Unknown, type Image, type Value } from '../eks';
import { AL2023_BY_DEFAULT, parseMinor } from '../knowledge';

/* What a plan takes for otherwise than it is written. */

/** Where such values come from. */
export const PLANNED = 'the plan of the upgrade';

/** The version of a step in the place of what is written. */
export function versionNow(written: Value<string>, to: string): Value<string> {
  return new Known(to, sourceOf(written), PLANNED);
}

/** Whether a version is known and newer than another. */
export function isNewer(version: string | undefined, than: string): boolean {
  return version !== undefined && (parseMinor(version) ?? 0) > (parseMinor(than) ?? 0);
}

/** The AMI of another Kubernetes version, where its name tells one. */
export function withVersion(written: Value<Image>, to: string): Value<Image> {
  if (written.kind !== 'known' || written.value.kubernetesVersion === undefined) return written;
  const { kubernetesVersion, text, ...rest } = written.value;
  return new Known(
    { ...rest, text: text.replaceAll(kubernetesVersion, to), kubernetesVersion: to },
    written.source,
    PLANNED,
  );
}

/** The AMI of AL2023 in the place of one of AL2; of which nothing is known stays so. */
export function onAl2023(written: Value<Image>, to: string): Value<Image> {
  const moved = withVersion(written, to);
  if (moved.kind !== 'known' || moved.value.family !== 'AL2') return moved;
  const { architecture = 'x86_64' } = moved.value;
  const text = `/aws/service/eks/optimized-ami/${to}/amazon-linux-2023/${architecture}/standard/recommended/image_id`;
  return new Known({ ...moved.value, family: 'AL2023', text }, moved.source, PLANNED);
}

/** Why the system of a group isn't known that was created when EKS had another default. */
const KEPT = 'a group keeps the AMI type with which it was created';

/** The AMI type of a group that exists, where none is written: another default of EKS doesn't change it. */
export function kept(written: Value<string>, from: string): Value<string> {
  return written.kind === 'absent' && (parseMinor(from) ?? AL2023_BY_DEFAULT) < AL2023_BY_DEFAULT
    ? new Unknown(KEPT, written.source)
    : written;
}

export function isKept(value: Value<string>): boolean {
  return value.kind === 'unknown' && value.reason === KEPT;
}
