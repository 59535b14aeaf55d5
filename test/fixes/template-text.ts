import { TreeFile } from '../../lib/fixes/tree-file';
import { TEMPLATE_SETTINGS } from '../../lib/front-ends/cloudformation/template-settings';

/** A template to be repaired. */
export function templateText(text: string, file: string): TreeFile | undefined {
  return TreeFile.read(text, file, TEMPLATE_SETTINGS);
}
