import type { PartKind } from './document';

/** What a text is, told by how it begins. */

/** Media types that cloud-init gives to contents by how they begin; the longest beginning wins. Source: canonical/cloud-init: cloudinit/handlers/__init__.py. */
const BEGINNINGS: readonly (readonly [string, string])[] = [
  ['#cloud-config-archive', 'text/cloud-config-archive'],
  ['#cloud-config-jsonp', 'text/cloud-config-jsonp'],
  ['## template: jinja', 'text/jinja2'],
  ['#cloud-boothook', 'text/cloud-boothook'],
  ['#include-once', 'text/x-include-once-url'],
  ['#cloud-config', 'text/cloud-config'],
  ['#part-handler', 'text/part-handler'],
  ['#upstart-job', 'text/upstart-job'],
  ['#include', 'text/x-include-url'],
  ['#!', 'text/x-shellscript'],
];

/** The media type that cloud-init tells by the beginning of a content. */
export function sniffedType(text: string): string | undefined {
  const start = text.slice(0, 4096).trimStart().slice(0, 32).toLowerCase();
  // `trimStart` takes a byte order mark for white space; cloud-init doesn't.
  if (/^\s*\uFEFF/.test(text.slice(0, 16))) return undefined;
  return BEGINNINGS.find(([beginning]) => start.startsWith(beginning))?.[1];
}

const HANDLED: ReadonlyMap<string, PartKind> = new Map([
  ['text/x-shellscript', 'shell-script'],
  ['text/x-shellscript-per-boot', 'shell-script'],
  ['text/x-shellscript-per-instance', 'shell-script'],
  ['text/x-shellscript-per-once', 'shell-script'],
  ['text/cloud-config', 'cloud-config'],
  ['text/cloud-config-jsonp', 'cloud-config'],
  ['text/cloud-config-archive', 'cloud-config'],
  ['text/cloud-boothook', 'boothook'],
  ['text/jinja2', 'text'],
  ['text/part-handler', 'text'],
  ['text/upstart-job', 'text'],
  ['text/x-include-url', 'text'],
  ['text/x-include-once-url', 'text'],
]);

/** Media types whose content cloud-init looks at to learn the real type. */
export const SNIFFED_TYPES: ReadonlySet<string> = new Set(['text/plain', 'text/x-not-multipart', 'text/x-shellscript']);

const GZIP_TYPES: ReadonlySet<string> = new Set([
  'application/gzip',
  'application/gzip-compressed',
  'application/gzipped',
  'application/x-compress',
  'application/x-compressed',
  'application/x-gunzip',
  'application/x-gzip',
  'application/x-gzip-compressed',
]);

/**
 * Whether Karpenter takes user data for MIME, right or wrong. All else that isn't YAML on AL2023 becomes one shell script.
 * Source: aws/karpenter-provider-aws, pkg/providers/amifamily/bootstrap, `mimeify` of eksbootstrap.go and `parseUserData` of nodeadm.go.
 */
export function isMimeForKarpenter(text: string): boolean {
  // Unlike `\s`, Go doesn't take a byte order mark for white space.
  return /^[^\S\uFEFF]*(?:MIME-Version|Content-Type):/.test(text);
}

/** The media type by which cloud-init handles a part. */
export function effectiveType(mediaType: string, body: string): string {
  const declared = GZIP_TYPES.has(mediaType) ? 'text/plain' : mediaType;
  return (SNIFFED_TYPES.has(declared) ? sniffedType(body) : undefined) ?? declared;
}

/** What cloud-init does with a media type; undefined if it passes over it. */
export function handledKind(mediaType: string, body: string): PartKind | undefined {
  if (mediaType !== 'text/jinja2') return HANDLED.get(mediaType);
  const rest = body.trimStart();
  const end = rest.indexOf('\n');
  const inner = end < 0 ? undefined : sniffedType(rest.slice(end + 1));
  return inner === undefined ? 'text' : (HANDLED.get(inner) ?? 'text');
}

const API_VERSION =
  /^[ \t]*["']?apiVersion["']?[ \t]*:[ \t]*["']?node\.eks\.aws\b|[{,]\s*["']?apiVersion["']?\s*:\s*["']?node\.eks\.aws\b/m;
const KIND = /^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?NodeConfig\b|[{,]\s*["']?kind["']?\s*:\s*["']?NodeConfig\b/m;
const KEY = /^(?:---|\{|%(?:YAML|TAG)\b|["']?(?:apiVersion|kind|spec|metadata)["']?[ \t]*:)/;

/** Any other key of YAML, not of a header; then the two that tell a NodeConfig have to stand at the top level. */
const OTHER_KEY = /^(?!Content-|MIME-)["']?[a-z_][\w./-]*["']?[ \t]*:(?:[ \t]|$)/i;
const TOP_API_VERSION = /^["']?apiVersion["']?[ \t]*:[ \t]*["']?node\.eks\.aws\b/m;
const TOP_KIND = /^["']?kind["']?[ \t]*:[ \t]*["']?NodeConfig\b/m;

/**
 * Whether a text is a NodeConfig, in YAML or JSON, right or wrong. nodeadm doesn't look at how it begins: it decodes whatever isn't
 * multipart and asks for the kind. Source: awslabs/amazon-eks-ami: nodeadm/internal/configprovider/mime.go and api/bridge/decode.go.
 */
export function isNodeConfig(text: string): boolean {
  if (sniffedType(text) !== undefined) return false;
  const first = firstMeaningful(text);
  if (KEY.test(first)) return API_VERSION.test(text) || KIND.test(text);
  return OTHER_KEY.test(first) && TOP_API_VERSION.test(text) && TOP_KIND.test(text);
}

const SETTINGS = /^[ \t]*\[[ \t]*"?settings"?[ \t]*[.\]]|^[ \t]*settings[ \t]*\.[ \t]*["']?[\w-]+/m;

/** Whether a text is TOML with Bottlerocket settings. */
export function isBottlerocket(text: string): boolean {
  return /^(?:\[|[\w."'-]+[ \t]*=)/.test(firstMeaningful(text)) && SETTINGS.test(text);
}

export function isWindows(text: string): boolean {
  return /^<(?:powershell|script|persist|version|runAsLocalSystem)\b/i.test(text.slice(0, 4096).trimStart());
}

/** The first characters of the first line that is neither blank nor a comment. */
export function firstMeaningful(text: string): string {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const next = end < 0 ? text.length : end + 1;
    const line = text.slice(start, Math.min(next, start + 400)).trim();
    if (line !== '' && !line.startsWith('#')) return line;
    start = next;
  }
  return '';
}
