import { looksLikeTemplate, mayBeTemplate } from '../../cloudformation/template-text';
import type { FrontEnd } from '../front-end';
import { CLOUDFORMATION } from './dialects';
import { templateReader, type TemplateReader } from './reading';

/** Templates of CloudFormation. */
export const cloudFormation: FrontEnd<TemplateReader> = {
  kinds: { 'cloudformation-template': 'CloudFormation template' },
  sought: 'CloudFormation template',
  dialects: [CLOUDFORMATION],
  detection: {
    fileNames: /\.(?:json|ya?ml|template)$/i,
    // What the user names and nobody knows is taken for a template, so that it is told what is wrong with it as one.
    inText: (text, isNamed) =>
      looksLikeTemplate(text) ? 'likely' : isNamed || mayBeTemplate(text) ? 'perhaps' : undefined,
  },
  reader: templateReader,
  take(reader, input) {
    if (input.is !== 'file' || input.text === undefined) return undefined;
    const { path, text, isNamed } = input;
    reader.add('cloudformation-template', path, [{ file: path, text, optional: !isNamed }]);
    return undefined;
  },
};
