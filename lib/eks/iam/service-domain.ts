import { Known, type Plain, type Value } from '../../value';

/** A domain that the engine fills in, which is that of the stack. */
const FILLED_IN = /^([a-z0-9-]+)\.\$\{[^}]*(?:AWS::URLSuffix|dns_suffix)[^}]*\}$/;

/** `ec2.${AWS::URLSuffix}` is EC2 wherever it is deployed to, by the name that it has in most partitions. */
export function inAnyPartition<V extends Plain<string> | Value<string>>(name: V): V | Known<string> {
  if (name.kind !== 'unknown') return name;
  const [, service] = FILLED_IN.exec(name.text ?? '') ?? [];
  return service === undefined ? name : new Known(`${service}.amazonaws.com`, name.source);
}
