import { isMap, member } from '../../cloudformation/cursor';
import { hasGenerators } from './transforms';
import { visitNames } from './reference-check';
import type { Template } from '../../cloudformation/template';
import type { TemplateSet } from '../../cloudformation/template-set';

/** Custom resources of CDK that put nothing into a cluster, or are read. */
const OF_CDK =
  /^Custom::(?:AWSCDK|VpcRestrictDefaultSG$|S3AutoDeleteObjects$|LogRetention$|CrossRegionExport|CrossRegionImport)/;

/** Whether a custom resource is one of the CDK's own, of which it is known what it does. */
export function isOfCdk(type: string): boolean {
  return OF_CDK.test(type);
}

/** What runs commands of the user's, or stands for more than it says. */
const RUNS_COMMANDS =
  /^AWS::(?:CloudFormation::(?:CustomResource|StackSet)|CodeBuild::|CodePipeline::|EC2::Instance$|EKS::Capability$|ImageBuilder::|Proton::|ServiceCatalog::|SSM::Association$|SSM::MaintenanceWindow|StepFunctions::)/;

const memo = new WeakMap<Template, readonly string[]>();

/** What of a stack, the stacks that nest it and those nested in it may put software into a cluster, and can't be looked into. */
export function otherInstallersOf(template: Template): readonly string[] {
  const root = rootOf(template);
  let found = memo.get(root);
  if (found === undefined) {
    const family = template.set.templates.filter((one) => rootOf(one) === root);
    found = family.flatMap((one) => inTemplate(one, family));
    memo.set(root, found);
  }
  return found;
}

const networkMemo = new WeakMap<Template, readonly string[]>();

/** What of such a family may add routes and endpoints to its networks, and can't be looked into: by what it is given. */
export function networkOutsidersOf(template: Template): readonly string[] {
  const root = rootOf(template);
  let found = networkMemo.get(root);
  if (found === undefined) {
    const family = template.set.templates.filter((one) => rootOf(one) === root);
    found = family.flatMap((one) => givenNetworkIn(one, family));
    networkMemo.set(root, found);
  }
  return found;
}

function givenNetworkIn(template: Template, family: readonly Template[]): readonly string[] {
  const resources = template.section('Resources')?.raw;
  if (!isMap(resources)) return [];
  const generated = hasGenerators(template, resources) ? ['a macro or module may add to it'] : [];
  const others = template.resourceIds.flatMap((id): readonly string[] => {
    const resource = resources[id];
    const type = member(resource, 'Type');
    if (typeof type !== 'string' || OF_CDK.test(type)) return [];
    const isStack = type === 'AWS::CloudFormation::Stack';
    const isOther = !type.startsWith('AWS::') || type === 'AWS::CloudFormation::CustomResource';
    if (!(isStack ? !isRead(template, id, family) : isOther)) return [];
    if (!OF_NETWORK.test(JSON.stringify(member(resource, 'Properties') ?? {}))) return [];
    return [isStack ? `nested stack ${id}, whose template isn't here, is given it` : `${id} (${type}) may add to it`];
  });
  return [...generated, ...others];
}

const OF_NETWORK = /vpc|subnet|route|network/i;

/** Exports that hand a resource to stacks which aren't here: none of the input imports them. */
export function exportsOf(template: Template, id: string): readonly string[] {
  const outputs = template.section('Outputs')?.raw;
  if (!isMap(outputs)) return [];
  return Object.entries(outputs).flatMap(([output, content]): readonly string[] => {
    const name = member(member(content, 'Export'), 'Name');
    if (name === undefined || !names(member(content, 'Value'), id)) return [];
    return importedBy(template.set).has(JSON.stringify(name)) ? [] : [`output ${output} exports it to other stacks`];
  });
}

function names(raw: unknown, id: string): boolean {
  if (typeof raw !== 'object' || raw === null) return false;
  let isNamed = false;
  const mention = (one: string): void => {
    isNamed ||= one === id;
  };
  visitNames(raw, { reference: mention, resource: mention, condition: () => undefined });
  return isNamed;
}

const importMemo = new WeakMap<TemplateSet, ReadonlySet<string>>();

/** What the templates of a run import, as it is written. */
function importedBy(set: TemplateSet): ReadonlySet<string> {
  let found = importMemo.get(set);
  if (found === undefined) {
    const written = new Set<string>();
    const visit = (raw: unknown): void => {
      if (typeof raw !== 'object' || raw === null) return;
      for (const [key, value] of Object.entries(raw)) {
        if (key === 'Fn::ImportValue') written.add(JSON.stringify(value));
        visit(value);
      }
    };
    for (const template of set.templates) visit(template.section('Resources')?.raw);
    importMemo.set(set, (found = written));
  }
  return found;
}

function rootOf(template: Template): Template {
  let root = template;
  while (root.parent !== undefined) root = root.parent.template;
  return root;
}

function inTemplate(template: Template, family: readonly Template[]): readonly string[] {
  const resources = template.section('Resources')?.raw;
  if (!isMap(resources)) return [];
  const generated = hasGenerators(template, resources) ? ['a macro or module may add to the template'] : [];
  const others = template.resourceIds.flatMap((id): readonly string[] => {
    const type = member(resources[id], 'Type');
    if (typeof type !== 'string' || OF_CDK.test(type)) return [];
    if (type === 'AWS::StepFunctions::StateMachine' && isProviderWaiter(resources[id])) return [];
    const what = `${id} (${type}) may install something`;
    if (type === 'AWS::CloudFormation::Stack')
      return isRead(template, id, family) ? [] : [`the template of nested stack ${id} isn't here`];
    return !type.startsWith('AWS::') || RUNS_COMMANDS.test(type) ? [what] : [];
  });
  return [...generated, ...others];
}

/** What the provider framework of the CDK waits with, as in its stack that makes clusters. Source: aws-cdk-lib, custom-resources, WaiterStateMachine. */
function isProviderWaiter(resource: unknown): boolean {
  return JSON.stringify(member(resource, 'Properties') ?? '').includes('framework-isComplete-task');
}

function isRead(template: Template, id: string, family: readonly Template[]): boolean {
  return family.some(({ parent }) => parent?.template === template && String(parent.key) === id);
}
