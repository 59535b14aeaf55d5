import type { Deed, Outsider } from '../../../eks';
import type { Source } from '../../../value';
import { isMap, member } from '../../../cloudformation/cursor';
import type { Template } from '../../../cloudformation/template';
import type { TemplateSet } from '../../../cloudformation/template-set';
import { deedsOf } from '../../parts/commands';
import { isOfCdk } from '../other-installers';
import { visitNames } from '../reference-check';
import { hasUnknownTransforms } from '../transforms';

/*
 * What isn't looked into and is given a role or a cluster of a template: a nested stack whose template isn't here, a custom resource. It may do with it what
 * nothing else here does. What is given neither does nothing to them, unless a macro writes more into the template.
 */

interface OutsiderOfTemplate extends Outsider {
  /** For the name of a policy that it may attach. */
  readonly id: string;
  readonly source: Source;
}

const STACK = /^AWS::(?:CloudFormation::(?:Stack|StackSet)|Serverless::Application)$/;

/** What runs commands that are written in the template. */
const BUILD = 'AWS::CodeBuild::Project';

/** The keys under which a literal is the name of a role or a cluster. */
const NAMING = /role|cluster/i;

const bySet = new WeakMap<TemplateSet, Outsiders>();

/** @param name that the resource is given itself, as it is written */
export function outsidersOf(template: Template, id: string, name: unknown): readonly OutsiderOfTemplate[] {
  const { set } = template;
  let found = bySet.get(set);
  if (found === undefined) bySet.set(set, (found = new Outsiders(set)));
  return found.of(template, id, name);
}

class Outsiders {
  private readonly byResource = new Map<string, Set<OutsiderOfTemplate>>();
  private readonly byName = new Map<string, Set<OutsiderOfTemplate>>();
  private readonly byTemplate = new Map<Template, OutsiderOfTemplate>();

  constructor(set: TemplateSet) {
    for (const template of set.templates) {
      const resources = template.section('Resources')?.raw;
      if (!isMap(resources)) continue;
      if (hasUnknownTransforms(template))
        this.byTemplate.set(template, {
          id: 'Transform',
          who: 'a macro of the template',
          source: template.root,
          may: () => true,
        });
      for (const id of template.resourceIds) this.add(template, id, resources[id]);
    }
  }

  of(template: Template, id: string, name: unknown): readonly OutsiderOfTemplate[] {
    const ofMacro = this.byTemplate.get(template);
    return [
      ...new Set([
        ...(this.byResource.get(`${template.id} ${id}`) ?? []),
        ...((name === undefined ? undefined : this.byName.get(keyOf(template, name))) ?? []),
        ...(ofMacro === undefined ? [] : [ofMacro]),
      ]),
    ];
  }

  private add(template: Template, id: string, resource: unknown): void {
    const type = member(resource, 'Type');
    if (typeof type !== 'string' || isOfCdk(type)) return;
    const source = template.named('Resources', id);
    const properties = member(resource, 'Properties');
    if (source === undefined || typeof properties !== 'object' || properties === null) return;
    const may = deedsIn(template, id, type, properties);
    if (may === undefined) return;
    const who = STACK.test(type)
      ? `nested stack ${id}, whose template isn't here and which is given it,`
      : `${id} (${type}), which is given it,`;
    const outsider = { id, who, source, may };
    const mention = (other: string): void => {
      if (other !== id) put(this.byResource, `${template.id} ${other}`, outsider);
    };
    visitNames(properties, { reference: mention, resource: mention, condition: () => undefined });
    this.addNames(template, properties, outsider);
  }

  private addNames(template: Template, raw: unknown, outsider: OutsiderOfTemplate): void {
    if (typeof raw !== 'object' || raw === null) return;
    for (const [key, value] of Object.entries(raw)) {
      if (NAMING.test(key)) put(this.byName, keyOf(template, value), outsider);
      this.addNames(template, value, outsider);
    }
  }
}

/** Undefined for what is looked into, or does nothing to others. */
function deedsIn(
  template: Template,
  id: string,
  type: string,
  properties: object,
): ((deed: Deed) => boolean) | undefined {
  if (STACK.test(type)) return template.set.isFollowed(template, id) ? undefined : () => true;
  if (type === BUILD) {
    const deeds = deedsOf(linesIn(member(member(properties, 'Source'), 'BuildSpec')));
    return (deed) => deeds.has(deed);
  }
  return !type.startsWith('AWS::') || type === 'AWS::CloudFormation::CustomResource' ? () => true : undefined;
}

/** The commands of a build, which stand in a list. */
function linesIn(raw: unknown): readonly string[] {
  if (typeof raw === 'string') return raw.split('\n').map((line) => line.replace(/^\s*-\s*/, ''));
  return typeof raw === 'object' && raw !== null ? Object.values(raw).flatMap(linesIn) : [];
}

/** Texts are the same everywhere, references and functions within a template. */
function keyOf({ id }: Template, name: unknown): string {
  return isMap(name) ? `${id} ${JSON.stringify(name)}` : JSON.stringify(name);
}

function put(map: Map<string, Set<OutsiderOfTemplate>>, key: string, outsider: OutsiderOfTemplate): void {
  const found = map.get(key);
  if (found === undefined) map.set(key, new Set([outsider]));
  else found.add(outsider);
}
