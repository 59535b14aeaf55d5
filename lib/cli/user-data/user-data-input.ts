import { statSync } from 'node:fs';
import { alternativesOf, always, whereExists, type PlacedSuppression, type Source } from '../../eks';
import { fileBytes } from '../../files/read';
import { readTemplates } from '../../front-ends/cloudformation';
import { whyNotRead } from '../../front-ends/near-path';
import { readPaths } from '../../front-ends/paths';
import { nearestName } from '../../text/nearest';
import { inputOf, loneUserData, unreadUserData, type UserDataInput, type UserDataInputs } from '../../user-data/input';
import type { UserDataQuestion } from '../../user-data/launch';
import { readStandardInput } from '../parts/standard-input';
import { UsageError } from '../parts/usage-error';

/**
 * Reads user data from a file, the standard input (`-`), or the launch templates of a CloudFormation template or `cdk.out`.
 * @throws UsageError if a template has no such launch template, or several and none is named
 */
export async function readUserDataInput(file: string, question: UserDataQuestion): Promise<UserDataInputs> {
  let bytes: Buffer | undefined;
  try {
    bytes = file === '-' ? await readStandardInput() : statSync(file).isDirectory() ? undefined : fileBytes(file);
  } catch (error) {
    return unreadUserData(file, whyNotRead(file, error));
  }
  if (bytes === undefined) return fromTemplates(readPaths([file]), file, question);
  const name = file === '-' ? 'standard input' : file;
  const text = bytes.toString('utf8');
  // What comes before the pipe failed, or found nothing.
  if (file === '-' && text.trim() === '')
    return unreadUserData(name, 'it is empty, so there is no user data to look at');
  if (file === '-' && NONE.has(text.trim()))
    return unreadUserData(name, `it is "${text.trim()}", as commands print it where there is no user data`);
  if (isTemplate(text)) return fromTemplates(readTemplates([{ file: name, text }]), name, question);
  if (question.id !== undefined)
    throw new UsageError(`--id names a launch template of a CloudFormation template, and ${name} is none`);
  return { ...loneUserData(bytes, name, question), text };
}

/** What the AWS CLI prints as text, and jq, for a value that isn't there. */
const NONE: ReadonlySet<string> = new Set(['None', 'null']);

/** A template declares resources at its top level; no user data does. */
function isTemplate(text: string): boolean {
  return /^\s*\{/.test(text)
    ? /"Resources"\s*:\s*\{/.test(text)
    : /^(?:Resources|AWSTemplateFormatVersion)[ \t]*:/m.test(text) &&
        !/^\s*(?:#!|MIME-Version|Content-Type)/i.test(text);
}

function fromTemplates(
  { resources, diagnostics, suppressions = [] }: ReturnType<typeof readTemplates>,
  file: string,
  question: UserDataQuestion,
): UserDataInputs {
  const all = resources.filter((resource) => resource.kind === 'launch-template');
  const chosen =
    question.id === undefined
      ? all.filter(({ userData }) => alternativesOf(userData).some(({ value }) => value.kind !== 'absent'))
      : all.filter(({ id }) => id === question.id);
  const ids = all.map(({ id }) => id);
  if (chosen.length === 0) {
    if (question.id === undefined)
      throw new UsageError(
        `no launch template in ${file} has user data${ids.length === 0 ? ', because it has no launch template' : ''}`,
      );
    const nearest = nearestName(question.id, ids);
    throw new UsageError(
      `${file} has no launch template "${question.id}"${nearest === undefined ? '' : `; did you mean "${nearest}"?`}${ids.length === 0 ? '' : `\nIt has ${ids.join(', ')}.`}`,
    );
  }
  if (question.id === undefined && chosen.length > 1)
    throw new UsageError(
      `${file} has several launch templates with user data; choose one with --id: ${chosen.map(({ id }) => id).join(', ')}`,
    );
  const problems = [...diagnostics];
  const inputs = chosen.flatMap((template) =>
    alternativesOf(whereExists(template, template.userData)).flatMap(({ when, value }): UserDataInput[] => {
      const condition = when === always ? '' : ` (if ${when.text})`;
      if (value.kind === 'known')
        return [
          {
            ...inputOf(`${template.id}${condition}`, value.value, value.source, question, () => ({
              template,
              when,
              resources,
            })),
            suppressions: suppressions.map((suppression) => atUserData(suppression, template.source, value.source)),
          },
        ];
      const message =
        value.kind === 'absent'
          ? `launch template ${template.id} has no user data${condition}`
          : `the user data of launch template ${template.id} isn't known: ${value.reason}${condition}`;
      problems.push({ severity: 'warning', message, ...placeOf(value.source) });
      return [];
    }),
  );
  return { inputs, diagnostics: problems };
}

/** Findings count in the text of the user data; comments stand in the file that holds it. */
function atUserData(suppression: PlacedSuppression, template: Source, userData: Source): PlacedSuppression {
  return {
    ...suppression,
    covers: (where) => suppression.covers({ ...where, head: template.locate(), place: userData.locate() }),
  };
}

function placeOf(source: Source): { file: string; line: number; column: number } {
  const { file, line, column } = source.locate();
  return { file, line, column };
}
