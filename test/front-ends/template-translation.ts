import { parseDocument } from '../../lib/languages';
import { once } from '../rules/models';
import { isMap, untranslatable, Untranslatable, type JsonMap } from '../rules/terraform/untranslatable';

/** A resource of a template. */
export interface Declared {
  readonly id: string;
  readonly type: string;
  readonly properties: JsonMap;
}

/** A template of CloudFormation, to be said again in an input that has neither conditions nor parameters. */
export abstract class TemplateTranslation {
  protected readonly resources: readonly Declared[];
  /** Logical ids of what the other input calls otherwise, by type and id there. */
  protected readonly ids = new Map<string, string>();

  /** @param unneeded what CloudFormation says beside the properties, and the other input leaves out */
  constructor(root: JsonMap, unneeded: readonly string[] = []) {
    if (['Conditions', 'Parameters', 'Mappings'].some((key) => isMap(root[key])))
      untranslatable('conditions and parameters');
    this.resources = Object.entries(isMap(root['Resources']) ? root['Resources'] : {}).map(([id, resource]) => {
      if (!isMap(resource)) return untranslatable('a resource that is no map');
      const { Type, Properties, ...others } = resource;
      if (Object.keys(others).some((key) => !unneeded.includes(key)))
        untranslatable('what CloudFormation says beside the properties');
      return { id, type: String(Type), properties: isMap(Properties) ? Properties : {} };
    });
  }

  protected all(type: string): readonly Declared[] {
    return this.resources.filter((resource) => resource.type === type);
  }
}

/** @returns the reason if the other input can't say the same */
export function translated<T>(template: string, translate: (root: JsonMap) => T): T | string {
  const { root, diagnostics } = once(['template', template], () => parseDocument(template, 'template.yaml'));
  if (diagnostics.length > 0 || !isMap(root)) return 'a template with problems';
  try {
    return translate(root);
  } catch (error) {
    if (error instanceof Untranslatable) return error.message;
    throw error;
  }
}
