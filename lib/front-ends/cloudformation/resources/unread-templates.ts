import { argumentsSpeakOfEks, isOtherThing, speakOfEks, templateMayHoldEks } from '../../../knowledge/eks-words';
import { isMap, member } from '../../../cloudformation/cursor';
import type { Template } from '../../../cloudformation/template';
import type { NotRead } from '../../parts/not-read';

/** Nested stacks in which CDK's own constructs keep their functions. */
const OF_CDK = /^awscdkawseks\w*(?:KubectlProvider|ClusterResourceProvider)NestedStack\w*$/;

const OTHER_CLUSTER = /(?:ecs|msk|kafka|rds|aurora|redis|docdb|documentdb|opensearch|emr|redshift)-?cluster$/;

const MODULE = /::MODULE$/;

/** What a resource declares through a template that isn't read, if that could hold something of EKS; undefined of all others. */
export function unreadTemplate(
  template: Template,
  id: string,
  type: string,
  raw: Readonly<Record<string, unknown>>,
): NotRead | undefined {
  const kind = KINDS.get(type) ?? (MODULE.test(type) ? 'module' : undefined);
  if (kind === undefined) return undefined;
  const { Properties: properties } = raw;
  const detail =
    kind === 'module' ? type : fileName(member(properties, 'TemplateURL') ?? member(properties, 'Location'));
  if (kind === 'nested stack' && (OF_CDK.test(id) || template.set.isFollowed(template, id))) return undefined;
  if (!mayHoldEks(id, detail, properties)) return undefined;
  const source = template.named('Resources', id);
  return source === undefined ? undefined : { kind, name: detail === '' ? id : `${id} (${detail})`, source };
}

const KINDS: ReadonlyMap<string, NotRead['kind']> = new Map<string, NotRead['kind']>([
  ['AWS::CloudFormation::Stack', 'nested stack'],
  ['AWS::Serverless::Application', 'nested stack'],
  ['AWS::CloudFormation::StackSet', 'stack set'],
]);

/** By the template where it is written here, else by the names of the stack, its file and its parameters, as modules of Terraform are judged. */
function mayHoldEks(id: string, detail: string, properties: unknown): boolean {
  const body = textIn(member(properties, 'TemplateBody'));
  if (body !== undefined) return templateMayHoldEks(body);
  const name = detail
    .replace(/\.\w+$|::MODULE$/g, '')
    .replaceAll('::', '-')
    .toLowerCase();
  if (isOtherThing(name) || OTHER_CLUSTER.test(name)) return false;
  const parameters = member(properties, 'Parameters');
  return speakOfEks([id, detail]) || argumentsSpeakOfEks(namesIn(isMap(parameters) ? parameters : properties));
}

/** A literal text, and what is put together of such texts. */
function textIn(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw;
  if (!isMap(raw)) return undefined;
  const parts = raw['Fn::Sub'] ?? raw['Fn::Join'];
  return parts === undefined ? undefined : stringsIn(parts).join('');
}

/** `eks.yaml` of an address, or of an expression that ends with one. */
function fileName(raw: unknown): string {
  // The list form of `Fn::Sub` has its variables behind the text.
  const substituted = isMap(raw) ? raw['Fn::Sub'] : undefined;
  const text: unknown = Array.isArray(substituted) ? substituted[0] : raw;
  const name =
    stringsIn(text)
      .join('')
      .split(/[\\/}]/)
      .at(-1) ?? '';
  return /^[\w-]+(?:\.[\w-]+)+$/.test(name) ? name : '';
}

function stringsIn(raw: unknown): readonly string[] {
  if (typeof raw === 'string') return [raw];
  if (typeof raw !== 'object' || raw === null) return [];
  return Object.values(raw).flatMap(stringsIn);
}

/** Names of parameters and of what is passed for them. */
function namesIn(raw: unknown): readonly string[] {
  if (!isMap(raw)) return [];
  return Object.entries(raw).flatMap(([key, value]) => [key, ...(isMap(value) ? stringsIn(value) : [])]);
}
