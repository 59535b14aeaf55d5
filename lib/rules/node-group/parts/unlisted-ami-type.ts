import { unverifiable, type Outcome } from '../../parts/case-judgements';
import { resourceName } from '../../../engine';
import { amiTypeNames, amiTypesAsOf } from '../../../knowledge';
import type { NodeGroup, When } from '../../../eks';
import { editDistance } from '../../../text/nearest';
import { suggest, suggestion } from './suggested-ami-type';

/** How all AMI types are called: words in upper case, with the architecture `x86_64` as the only exception. */
const TYPE_NAME = /^[A-Z][A-Z0-9]*(?:_(?:[A-Z0-9]+|x86))*$/;

export type UnlistedMessage = 'misspelled' | 'image' | 'noType';

/** A type that the table doesn't have: EKS may have got it since, unless no type could be called so. */
export function judgeUnlisted(nodeGroup: NodeGroup, name: string, when: When): Outcome<UnlistedMessage> {
  const data = { group: resourceName(nodeGroup), amiType: name };
  const lowerCase = name.toLowerCase();
  const meant = amiTypeNames().find((known) => known.toLowerCase() === lowerCase);
  if (meant !== undefined) {
    return {
      verdict: 'fail',
      message: 'misspelled',
      data: { ...data, ...suggest(meant), why: 'their names are case-sensitive' },
    };
  }
  const near = amiTypeNames().find((known) => isMisspelt(lowerCase, known.toLowerCase()));
  if (near !== undefined)
    return { verdict: 'fail', message: 'misspelled', data: { ...data, ...suggest(near), why: `\`${near}\` is one` } };
  if (lowerCase.startsWith('ami-')) return { verdict: 'fail', message: 'image', data };
  if (!TYPE_NAME.test(name))
    return { verdict: 'fail', message: 'noType', data: { ...data, ...suggestion(nodeGroup, undefined, when) } };
  return unverifiable(`AMI type ${name} is not in the table of ${amiTypesAsOf()}`);
}

/** Whether a name is a known one but for a letter or two in one of its long words: another system, year or architecture may be new. */
function isMisspelt(name: string, known: string): boolean {
  const [words, others] = [name.split(/[_-]/), known.split('_')];
  if (words.length !== others.length) return false;
  return words.every((word, index) => {
    const other = others[index] ?? '';
    return word === other || (/^[a-z]{5,}$/.test(word) && /^[a-z]{5,}$/.test(other) && editDistance(word, other) <= 2);
  });
}
