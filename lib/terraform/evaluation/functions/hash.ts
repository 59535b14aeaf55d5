import { createHash } from 'node:crypto';
import { ANY_NUMBER, parts, whole, type Call, type Functions } from './function';
import { Unknown } from '../../../value';

export const HASHES: Functions = {
  md5: whole(1, 1, (call) => hash(call, 'md5', 'hex')),
  sha1: whole(1, 1, (call) => hash(call, 'sha1', 'hex')),
  sha256: whole(1, 1, (call) => hash(call, 'sha256', 'hex')),
  sha512: whole(1, 1, (call) => hash(call, 'sha512', 'hex')),
  base64sha256: whole(1, 1, (call) => hash(call, 'sha256', 'base64')),
  base64sha512: whole(1, 1, (call) => hash(call, 'sha512', 'base64')),
  uuid: parts(0, 0, (call) => different(call)),
  timestamp: parts(0, 0, (call) => different(call)),
  plantimestamp: parts(0, 0, (call) => different(call)),
  bcrypt: parts(1, ANY_NUMBER, (call) => different(call)),
};

function hash(call: Call, algorithm: string, encoding: 'hex' | 'base64'): string {
  return createHash(algorithm).update(call.text(0)).digest(encoding);
}

/** Each call gives another value, so that no two are equal. */
function different({ name, here }: Call): Unknown {
  return new Unknown(`${name}() gives another value each time`, here, `\${${name}()}`);
}
