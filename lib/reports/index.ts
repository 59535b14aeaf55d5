import type { CheckResult } from '../check';
import { atlantis } from './atlantis';
import { compact } from './compact';
import type { Format, ReportContext } from './format';
import { github } from './github';
import { gitlab } from './gitlab';
import { html } from './html';
import { json } from './json';
import { junit } from './junit';
import { markdown } from './markdown';
import { sarif } from './sarif';
import { text } from './text';
import { Secrets } from '../text/secrets';

export type { Format, ListedFindings, ReportContext } from './format';
export type { Repository } from './repository';
export type {
  JsonDiagnostic,
  JsonEdit,
  JsonFinding,
  JsonInput,
  JsonLocation,
  JsonPosition,
  JsonRepair,
  JsonReport,
} from './json';

/** Every report format by the name that users call it. */
export const FORMATS = {
  text: withoutSecrets(() => text),
  compact: withoutSecrets(() => compact),
  json: withoutSecrets(() => json),
  sarif: withoutSecrets(() => sarif),
  junit: withoutSecrets(() => junit),
  github: withoutSecrets(() => github),
  gitlab: withoutSecrets(() => gitlab),
  atlantis: withoutSecrets(() => atlantis),
  markdown: withoutSecrets(() => markdown),
  html: withoutSecrets(() => html),
} as const satisfies Record<string, Format>;

export type FormatName = keyof typeof FORMATS;

export function isFormatName(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

/** A format that never sees the secrets in the files that it shows. Its module is loaded when it is used: a report is written in one or two of them. */
function withoutSecrets(format: () => Format): Format {
  return {
    get description() {
      return format().description;
    },
    render: (result, context) => {
      const { secrets = new Secrets() } = result;
      const readSource = (file: string): string | undefined => {
        const source = context.readSource(file);
        return source === undefined ? undefined : secrets.hide(source);
      };
      return format().render(result, { ...context, readSource });
    },
  };
}

/** Renders results in one piece; for results that are longer than a string may be, use `FORMATS[format].render`. */
export function render(format: FormatName, result: CheckResult, context: ReportContext): string {
  return [...FORMATS[format].render(result, context)].join('');
}
