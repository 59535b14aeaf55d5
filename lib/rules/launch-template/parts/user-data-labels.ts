import { dataAt, nodeConfigsOf, nowhere, Unknown, type BootCase, type Data, type Source } from '../../../eks';
import { splitAtHoles } from '../../../text/holes';
import { kubeletArguments, kubeletArgumentsIn, type KubeletText } from '../../../eks/user-data/bootstrap-script';
import { labelsOf, readBottlerocket } from '../../../eks/user-data/bottlerocket';
import type { UserDataDocument } from '../../../eks/user-data/document';
import type { MergedNodeConfig } from '../../../eks/user-data/node-config';
import { UNKNOWN_IN_LABEL } from '../../../eks/user-data/node-labels';
import { runningScriptOf } from '../../../eks/user-data/scripts';
import { SourceText, type TextPiece } from '../../../eks/user-data/source-text';
import { eksBootstrapCallsIn, readWindows } from '../../../eks/user-data/windows';
import { bootStateOf } from '../../parts/boot-state';

/** A label that nodes give themselves, as their user data says. */
export interface UserDataLabel {
  /** With `UNKNOWN_IN_LABEL` for each part that isn't known. */
  readonly key: string;
  /** The same for people. */
  readonly shown: string;
  /** What sets it, such as `--node-labels`. */
  readonly setting: string;
  readonly source: Source;
  /** Line of the user data. */
  readonly line: number;
  /** What the key stands in, and where. */
  readonly body: SourceText;
  readonly offset: number;
}

/**
 * The labels in the user data of a boot that reach kubelet: in whatever bootstraps these nodes. Labels that can't be seen at all, because
 * it isn't known which flags there are, aren't among them.
 */
export function userDataLabelsOf(boot: BootCase): readonly UserDataLabel[] {
  const { document, family } = boot;
  // Nearly always nothing to look for.
  if (document?.parts.some(({ body }) => body.text.includes('node-labels')) !== true || family.kind !== 'known')
    return [];
  const state = bootStateOf(boot).kind;
  if (state !== 'own' && state !== 'additions') return [];
  switch (family.value) {
    case 'AL2':
      return state === 'own' ? labelsOfScripts(document) : [];
    case 'AL2023': {
      const merged = nodeConfigsOf(document)?.merged;
      return merged === undefined ? [] : labelsOfNodeConfigs(merged);
    }
    case 'BOTTLEROCKET':
      return labelsOfSettings(document);
    case 'WINDOWS':
      return state === 'own' ? labelsOfPowerShell(document) : [];
  }
}

const NODE_LABELS = '`--node-labels`';

function labelsOfScripts({ parts }: UserDataDocument): readonly UserDataLabel[] {
  return parts.flatMap((part) => {
    const calls = runningScriptOf(part)?.bootstrapCalls ?? [];
    const words = calls.flatMap(({ options }) => options.get('--kubelet-extra-args')?.value ?? []);
    return words.flatMap((word) => kubeletArguments(word).labels.map(({ key }) => labelAt(key, part.body)));
  });
}

function labelsOfPowerShell({ text }: UserDataDocument): readonly UserDataLabel[] {
  const words = eksBootstrapCallsIn(readWindows(text)).flatMap(
    ({ parameters }) => parameters.get('KubeletExtraArgs')?.value ?? [],
  );
  return words.flatMap((word) => kubeletArguments(word).labels.map(({ key }) => labelAt(key, text)));
}

function labelAt(key: KubeletText, body: SourceText): UserDataLabel {
  return {
    ...keyOf(key),
    setting: NODE_LABELS,
    ...placeIn(body, key.offset),
  };
}

function placeIn(body: SourceText, offset: number): Pick<UserDataLabel, 'source' | 'line' | 'body' | 'offset'> {
  return { source: body.sourceAt(offset), line: body.positionAt(offset).line, body, offset };
}

/** What isn't known shows as `${…}`, `$NAME`, `$(command)` or in backticks. */
const SHOWN_UNKNOWN = /\$\{[^}]*\}|\$\([^)]*\)|`[^`]*`|\$\w+|\$[@*#?]/g;

function keyOf({ text, show }: KubeletText): Pick<UserDataLabel, 'key' | 'shown'> {
  // systemd takes quotation marks away.
  const [key, shown] = [text ?? masked(show), show].map((one) => one.replace(/^["']/, ''));
  return { key: key ?? '', shown: shown ?? '' };
}

/** A key with `${…}` in it, with {@link UNKNOWN_IN_LABEL} in their place. */
export function masked(shown: string): string {
  const key = shown.replace(SHOWN_UNKNOWN, UNKNOWN_IN_LABEL);
  return key.includes(UNKNOWN_IN_LABEL) ? key : UNKNOWN_IN_LABEL;
}

/** nodeadm joins all flags with spaces, and systemd splits them again: the name of a flag may be in one item and its value in the next. */
function labelsOfNodeConfigs(merged: MergedNodeConfig): readonly UserDataLabel[] {
  const path = ['spec', 'kubelet', 'flags'];
  const items = dataAt(merged.data, ...path);
  if (!Array.isArray(items)) return [];
  const starts: number[] = [];
  const pieces: TextPiece[] = [];
  let length = 0;
  for (const item of items as readonly Data[]) {
    starts.push(length);
    const text = SourceText.compose([...piecesOf(item), { text: ' ', sourceAt: () => nowhere }]);
    pieces.push(...piecesOf(item), { text: ' ', sourceAt: () => nowhere });
    length += text.text.length;
  }
  return kubeletArgumentsIn(SourceText.compose(pieces), (index) => index).labels.flatMap(
    (label): readonly UserDataLabel[] => {
      const item = starts.findLastIndex((start) => start <= label.key.offset);
      const origin = merged.origin([...path, String(item)]);
      if (origin === undefined) return [];
      const { body } = origin.reading;
      const key = keyOf(label.key);
      const found = body.text.indexOf(key.key, origin.offset);
      const offset = found < 0 ? origin.offset : found;
      return [{ ...key, setting: NODE_LABELS, ...placeIn(body, offset) }];
    },
  );
}

/** An item of the list of flags. What is known of an unknown one shows with `${…}` for the rest. */
function piecesOf(item: Data): readonly TextPiece[] {
  if (typeof item === 'string') return [{ text: item, sourceAt: () => nowhere }];
  if (!(item instanceof Unknown)) return [];
  if (item.text === undefined) return [{ unknown: item }];
  return splitAtHoles(item.text).map(
    ({ text, isHole }): TextPiece =>
      isHole ? { unknown: new Unknown(item.reason, item.source, text) } : { text, sourceAt: () => nowhere },
  );
}

function labelsOfSettings({ text }: UserDataDocument): readonly UserDataLabel[] {
  const labels = labelsOf(readBottlerocket(text));
  // What can't be read or seen is for other rules to tell.
  if (labels instanceof Unknown) return [];
  return labels.map(({ key, keyIsKnown, offset }) => ({
    key: keyIsKnown ? key : masked(key),
    shown: key,
    setting: '`settings.kubernetes.node-labels`',
    ...placeIn(text, offset),
  }));
}
