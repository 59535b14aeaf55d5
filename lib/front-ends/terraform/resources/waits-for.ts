import type { TerraformInstance } from '../../../terraform/instance';

/** Whether an instance is created only once another one is there, because `depends_on` says so. @param address of the other */
export function waitsFor(
  { waitsFor: surely = [], mayWaitFor = [] }: TerraformInstance,
  address: string,
): boolean | 'unknown' {
  const isWithin = (part: string): boolean =>
    address.startsWith(part) && /^(?:$|[.[])/.test(address.slice(part.length));
  return surely.some(isWithin) || (mayWaitFor.some(isWithin) && 'unknown');
}
