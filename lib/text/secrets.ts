import { withoutInterpolation } from './hcl-escapes';

/**
 * Secrets in what people are shown. What is hidden keeps its length and its line breaks, so that places in the text stay what they are.
 *
 * Two kinds are hidden: values that the input itself declares to be secret, wherever they stand, and what looks like a credential.
 */
export class Secrets {
  /** By their first characters, so that a text is looked through once, however many there are. */
  private readonly byStart = new Map<string, string[]>();

  /** @param values those that the input declares to be secret */
  constructor(values: Iterable<string> = []) {
    for (const written of new Set([...values].flatMap(writtenForms))) {
      const start = written.slice(0, SHORTEST);
      this.byStart.set(
        start,
        [...(this.byStart.get(start) ?? []), written].sort((a, b) => b.length - a.length),
      );
    }
  }

  hide(text: string): string {
    return hideCredentials(this.hideValues(text));
  }

  private hideValues(text: string): string {
    if (this.byStart.size === 0) return text;
    let shown = '';
    let from = 0;
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      const value = this.byStart
        .get(text.slice(at, at + SHORTEST))
        ?.find((one) => text.startsWith(one, at) && isWhole(text, at, one));
      if (value === undefined) continue;
      shown += text.slice(from, at) + hidden(value);
      from = at + value.length;
      at = from - 1;
    }
    return shown + text.slice(from);
  }
}

/** Shorter values are not hidden: they are no secrets, and would match in ordinary text. */
const SHORTEST = 4;

/** Shorter values are hidden only where they are whole words, because they may occur inside other words. */
const LONG = 8;

function isWhole(text: string, at: number, value: string): boolean {
  return value.length >= LONG || !(/[\w-]/.test(text.charAt(at - 1)) || /[\w-]/.test(text.charAt(at + value.length)));
}

/** A value as it may stand in a file: line by line, and with the escapes of JSON, HCL and YAML. Heredocs of HCL have no others than those of templates. */
function writtenForms(value: string): string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  const forms = lines.flatMap((line) => {
    const quoted = JSON.stringify(line).slice(1, -1);
    return [line, quoted, line.replaceAll("'", "''"), withoutInterpolation(line), withoutInterpolation(quoted)];
  });
  return [...forms, JSON.stringify(value).slice(1, -1)].filter((form) => form.length >= SHORTEST);
}

/** All but white space, quotes and the escapes for them becomes a star. */
function hidden(text: string): string {
  return text.replaceAll(/\\[nrt"'\\]|[^\s"']/g, (part) => (part.length === 2 ? part : '*'));
}

const NAME =
  '(?:pass(?:word|wd|phrase)|secret(?:[_-]?access)?(?:[_-]?key)?|(?:access|api|auth|private)[_-]?key|token|[a-z]_pwd|jwt)';
/** The first character of a credential: none with which a reference, a structure or a placeholder begins. */
const BEGINNING = '[^\\s"\'\\\\,;:=&|(){}\\[\\]<>$`!*%?#]';
const WORD = `${BEGINNING}[^\\s"'\\\\,;&|(){}<>\`]{0,2000}`;
/** In quotes, fewer signs tell a reference from a credential. */
const BEGINNING_IN_QUOTES = '[^\\s"\'\\\\,;:=|(){}\\]<>$`]';
const QUOTED = `\\\\?"(?:${BEGINNING_IN_QUOTES}[^"\\\\\\n]{0,2000})|'(?:${BEGINNING_IN_QUOTES}[^'\\n]{0,2000})`;
const END_OF_NAME = '["\'\\\\]{0,2}';

/** What comes before a credential, and the credential. */
const CREDENTIALS: readonly RegExp[] = [
  // PASSWORD=…, password = "…", "password": "…", --token=…
  new RegExp(`(${NAME}${END_OF_NAME}(?:=|[ \\t]{0,40}(?:=>?|:)[ \\t]{0,8}(?=["'\\\\])))(${QUOTED}|${WORD})`, 'gi'),
  // password: …, as YAML has it
  new RegExp(`(^[ \\t-]{0,200}[\\w.-]{0,80}${NAME}${END_OF_NAME}:[ \\t]{1,8})(${BEGINNING}[^\\n#]{0,2000})`, 'gim'),
  // password: | with the text in the next line
  new RegExp(
    `(^[ \\t-]{0,200}[\\w.-]{0,80}${NAME}${END_OF_NAME}:[ \\t]{1,8}[|>][+-]?[ \\t]{0,8}\\n[ \\t]{1,200})([^\\s][^\\n]{0,2000})`,
    'gim',
  ),
  // aws_secret_access_key = …, as files of credentials have it
  /(aws_(?:access_key_id|secret_access_key|session_token|security_token)[ \t]{0,40}=[ \t]{0,40})([A-Z0-9+/=]{16,4000})/gi,
  // - name: PASSWORD, value: …
  new RegExp(
    `(${NAME}${END_OF_NAME},?\\s{1,200}(?:-[ \\t])?["'\\\\]{0,2}value["'\\\\]{0,2}[ \\t]{0,8}[:=][ \\t]{0,8})(${QUOTED}|${WORD})`,
    'gi',
  ),
  // --password …
  new RegExp(`(--(?:[a-z]{1,20}-){0,4}${NAME}[ \\t]{1,8})(${QUOTED}|${WORD})`, 'gi'),
  // curl --user name:…
  new RegExp(`((?<![\\w-])(?:-u|--user)[ \\t=]["'\\\\]{0,2}[a-z][\\w.@-]{0,80}:)(${WORD})`, 'gi'),
  // Authorization: Bearer …
  new RegExp(
    `((?:authorization|x-(?:api-key|auth-token))${END_OF_NAME}[ \\t]{0,8}[:=][ \\t]{0,8}["'\\\\]{0,2}(?:[a-z][\\w-]{0,30}[ \\t]{1,8})?)(${BEGINNING}[^"'\\\\\\n]{0,2000})`,
    'gi',
  ),
  // sshpass -p …, docker login -p …, mysql -p…
  new RegExp(`((?<!\\w)sshpass[ \\t]{1,8}-p[ \\t]{0,8})(${QUOTED}|${WORD})`, 'g'),
  new RegExp(
    `((?<!\\w)(?:docker|podman|nerdctl|helm registry)[ \\t]{1,8}login[ \\t](?:[^\\n|;&]{0,200}[ \\t])?-p[ \\t]{1,8})(${QUOTED}|${WORD})`,
    'g',
  ),
  new RegExp(`((?<!\\w)mysql(?:dump|admin)?[ \\t](?:[^\\n|;&]{0,200}[ \\t])?-p)(${QUOTED}|${WORD})`, 'g'),
  // https://name:…@host
  new RegExp('(://[^\\s:@/"\'\\\\]{0,200}:)([^\\s@/"\'\\\\$]{1,200})(?=@)', 'g'),
  new RegExp('(://)([\\w-]{16,200})(?=@)', 'g'),
  // The keys of AWS, and tokens that tell what they are
  /()((?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9]))/g,
  /()((?<![A-Za-z0-9])(?:gh[opsur]_[A-Za-z0-9]{30,255}|github_pat_\w{22,255}|glpat-[\w-]{20,255}|xox[abprs]-[\w-]{10,255}))/g,
  /(-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)((?:(?!-----)[\s\S]){1,40000})/g,
];

/** Values that are settings. */
const SETTING =
  /^["'\\]{0,2}(?:true|false|null|none|required|optional|enabled|disabled|(?:var|local|data|module|each|aws_\w+|random_\w+)\.[\w.[\]"]+)$/i;

function hideCredentials(text: string): string {
  const plain = CREDENTIALS.reduce(
    (shown, credential) =>
      shown.replaceAll(credential, (whole: string, before: string, value: string) =>
        SETTING.test(value.trim()) ? whole : before + hidden(value),
      ),
    text,
  );
  return plain.replaceAll(BASE64, (run) => (run.length >= SHORTEST_BASE64 && inBase64(run) ? hidden(run) : run));
}

const SHORTEST_BASE64 = 40;

/** Base64, also in lines, whose ends may be escaped; a key in the line after it is none. */
const BASE64 =
  /[A-Za-z0-9+/]{4,}(?:(?:[ \t]{0,20}\\?\r?\n[ \t]{0,200}|\\r|\\n)+[A-Za-z0-9+/]+(?![\w+/.-]|["']?[ \t]{0,9}:))*={0,2}/g;

/** Whether lines of base64 hold a credential, together or one of them. A first one may be a word that only stands in front. */
function inBase64(run: string): boolean {
  const lines = run.split(/\\[nr]|[\s\\]+/).filter((line) => line !== '');
  return (
    lines.slice(0, MOST_WORDS_IN_FRONT).some((_, index) => holdsCredential(lines.slice(index).join(''))) ||
    lines.some((line) => line.length >= SHORTEST_BASE64 && holdsCredential(line))
  );
}

const MOST_WORDS_IN_FRONT = 3;

/** Whether it is user data in base64 that holds a credential. */
function holdsCredential(run: string): boolean {
  const beginning = Buffer.from(run.slice(0, 16), 'base64').toString('latin1');
  if (!/^[\t\n\r -~]+$/.test(beginning)) return false;
  const decoded = Buffer.from(run, 'base64').toString('utf8');
  return CREDENTIALS.some((credential) =>
    [...decoded.matchAll(credential)].some(([, , value = '']) => !SETTING.test(value.trim())),
  );
}
