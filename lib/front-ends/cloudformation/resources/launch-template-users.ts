import { isMap, member } from '../../../cloudformation/cursor';
import { visitNames } from '../reference-check';
import type { Template } from '../../../cloudformation/template';
import type { TemplateSet } from '../../../cloudformation/template-set';

const TEMPLATE = 'AWS::EC2::LaunchTemplate';
const MANAGED = 'AWS::EKS::Nodegroup';

/** What uses each launch template of a run besides managed node groups, in the order of the input. */
export class LaunchTemplateUsers {
  private static readonly bySet = new WeakMap<TemplateSet, LaunchTemplateUsers>();
  private readonly byResource = new Map<string, Set<string>>();
  private readonly byName = new Map<string, Set<string>>();

  static of(template: Template, id: string): readonly string[] {
    const { set } = template;
    let users = this.bySet.get(set);
    if (users === undefined) this.bySet.set(set, (users = new LaunchTemplateUsers(set)));
    const name = member(member(users.resource(template, id), 'Properties'), 'LaunchTemplateName');
    const named = name === undefined ? undefined : users.byName.get(nameKey(template, name));
    return [...new Set([...(users.byResource.get(`${template.id} ${id}`) ?? []), ...(named ?? [])])];
  }

  private constructor(set: TemplateSet) {
    for (const template of set.templates) {
      for (const id of template.resourceIds) this.addResource(template, id);
      const outputs = template.section('Outputs')?.raw;
      // By these CDK links the stacks of an app, all of which are here.
      const isLink = (id: string): boolean =>
        template.input.assembly?.asByHand === true && id.startsWith('ExportsOutput');
      for (const [id, output] of Object.entries(outputs ?? {}).filter(([name]) => !isLink(name)))
        this.addReferences(template, output, `output ${id} tells others of it`);
    }
  }

  private resource(template: Template, id: string): unknown {
    return member(template.section('Resources')?.raw, id);
  }

  private addResource(template: Template, id: string): void {
    const raw = this.resource(template, id);
    const type = member(raw, 'Type');
    if (type === MANAGED) return;
    // Loops and other functions in the place of a resource are looked through as they are.
    const content = typeof type === 'string' ? member(raw, 'Properties') : raw;
    const clause = `${typeof type === 'string' ? `${type} ` : ''}${id} uses it`;
    this.addReferences(template, content, clause, id);
    if (type !== TEMPLATE) this.addNames(template, content, clause);
  }

  private addReferences(template: Template, raw: unknown, clause: string, own?: string): void {
    if (typeof raw !== 'object' || raw === null) return;
    const mention = (id: string): void => {
      if (id !== own && template.typeOf(id) === TEMPLATE) add(this.byResource, `${template.id} ${id}`, clause);
    };
    visitNames(raw, { reference: mention, resource: mention, condition: () => undefined });
  }

  private addNames(template: Template, raw: unknown, clause: string): void {
    if (typeof raw !== 'object' || raw === null) return;
    for (const [key, value] of Object.entries(raw)) {
      if (key === 'LaunchTemplateName') add(this.byName, nameKey(template, value), clause);
      else this.addNames(template, value, clause);
    }
  }
}

/** Texts are the same everywhere, references and functions within a template. */
function nameKey({ id }: Template, name: unknown): string {
  return isMap(name) ? `${id} ${JSON.stringify(name)}` : JSON.stringify(name);
}

function add(map: Map<string, Set<string>>, key: string, clause: string): void {
  const clauses = map.get(key);
  if (clauses === undefined) map.set(key, new Set([clause]));
  else clauses.add(clause);
}
