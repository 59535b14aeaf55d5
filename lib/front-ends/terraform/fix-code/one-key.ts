import { alternativesOf, type Resource, type Value } from '../../../value';

/** The key of one of several that `for_each` makes: `aws_eks_addon.this["vpc-cni"]`. */
const KEY = /\["([^"\\$]+)"\]$/;

/** The version of one of the add-ons that a block makes with `for_each`: it is for that one alone, and the others go on with what the block says. */
export function forOneKey(code: string, resource: Resource): string {
  const [, key] = KEY.exec(resource.id) ?? [];
  const [, version] = /^addon_version = ("[^"$]+")$/.exec(code) ?? [];
  const isOneOfSeveral = resource.moduleInputs === undefined && resource.editing?.repeatedBy === 'for_each';
  if (key === undefined || version === undefined || !isOneOfSeveral || !('version' in resource)) return code;
  const others = ofOthers(resource);
  return others === undefined ? code : `addon_version = each.key == ${JSON.stringify(key)} ? ${version} : ${others}`;
}

/** What the block says of the version; undefined where that isn't written in one line. What is absent all the same stands at the argument then. */
function ofOthers({ source, version }: Resource & { readonly version?: unknown }): string | undefined {
  const head = source.locate();
  const [first] = alternativesOf(version as Value<unknown>);
  const place = first?.value.source.locate();
  const isLeftOut = first?.value.kind === 'absent' && place?.file === head.file && place.line === head.line;
  return isLeftOut ? 'null' : first?.value.source.wholeExpression;
}
