import { isJsonMap, memberAt, memberOf, textOf, type JsonMap } from '../../terraform/json-tree';

/*
 * What stands for a value that Pulumi doesn't know, or doesn't show.
 */

/**
 * What an unknown value is written as, by its type; files hold the first one for all of them. Source: pulumi/pulumi, sdk/go/common/resource/plugin/rpc.go;
 * sdk/go/common/apitype/property-values.json.
 */
const UNKNOWN: ReadonlySet<unknown> = new Set([
  '04da6b54-80e4-46f7-96ec-b56ff0331ba9',
  '1c4a061d-8072-4f0a-a4cb-0ff528b18fe7',
  '3eeb2bf0-c639-47a8-9e75-3b44932eb421',
  '6a19a0b0-7e62-4c92-b797-7f8e31da9cc2',
  '030794c1-ac77-496b-92df-f27374a8bd58',
  'e48ece36-62e2-4504-bad9-02848725956a',
]);

/** The key of a map that is something else than a map, and what it is then. Source: pulumi/pulumi, sdk/go/common/resource/sig. */
const SIGNATURE = '4dabf18193072939515e22adb298388d';
const SECRET = '1b47061264138c4ac30d75fd1eb44270';

/** What previews have in the place of secrets. Source: pulumi/pulumi, pkg/backend/display/json.go. */
const BLINDED = '[secret]';

const AFTER_UPDATE = 'it is known only after the update';
const IS_SECRET = 'it is secret, so it is not looked at';

/** Why a value isn't known that stands there; undefined for one that does. */
export function whyUnknown(json: unknown): string | undefined {
  if (UNKNOWN.has(json)) return AFTER_UPDATE;
  if (json === BLINDED) return IS_SECRET;
  const signature = memberOf(json, SIGNATURE);
  if (signature === undefined) return undefined;
  return signature === SECRET ? IS_SECRET : 'it is an asset or a reference, which is not looked at';
}

export function isAfterUpdate(json: unknown): boolean {
  return UNKNOWN.has(json);
}

/**
 * The texts of all secrets that stand there, encrypted or in the clear, as `--show-secrets` writes them, and what they are encrypted with: the salt of
 * a passphrase, by which somebody can guess it, or a key. Source: pulumi/pulumi, sdk/go/common/apitype/core.go, SecretsProvidersV1.
 */
export function secretsIn(root: unknown): readonly string[] {
  const found: string[] = [];
  eachIn(root, (json) => {
    const provider = memberAt(json, 'secrets_providers', 'state');
    for (const key of ['salt', 'encryptedkey']) found.push(...[textOf(memberOf(provider, key)) ?? []].flat());
    if (!isJsonMap(json) || memberOf(json, SIGNATURE) !== SECRET) return;
    const ciphertext = textOf(json['ciphertext']);
    if (ciphertext !== undefined) found.push(ciphertext);
    eachIn(plainOf(json), (plain) => {
      if (typeof plain === 'string' || typeof plain === 'number') found.push(String(plain));
    });
  });
  return found;
}

/** The plain text of a secret is JSON; of one that is encrypted there is none. */
function plainOf(secret: JsonMap): unknown {
  const text = textOf(secret['plaintext']);
  try {
    return JSON.parse(text ?? '');
  } catch {
    return text;
  }
}

/** Calls `use` for a value and for all within it, however deep they are. */
function eachIn(root: unknown, use: (json: unknown) => void): void {
  const left: unknown[] = [root];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    use(next);
    if (typeof next === 'object' && next !== null)
      for (const inner of Object.values(next)) if (inner !== undefined && inner !== null) left.push(inner);
  }
}
