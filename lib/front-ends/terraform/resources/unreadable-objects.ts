import type { Diagnostic, Resource } from '../../../value';
import { Manifest } from './kubernetes';

/** What is told of objects of Kubernetes whose text can't be read, as of a manifest that can't: no rule sees what is in them. */
export function unreadableObjects(resources: readonly Resource[]): readonly Diagnostic[] {
  return resources.flatMap((resource): readonly Diagnostic[] => {
    const defect = resource instanceof Manifest ? resource.defect : undefined;
    if (defect === undefined) return [];
    const { file, line, column } = defect.source.locate();
    const message = `${resource.id} can't be read, so its object isn't checked: ${defect.reason}`;
    return [{ severity: 'error', message, file, line, column }];
  });
}
