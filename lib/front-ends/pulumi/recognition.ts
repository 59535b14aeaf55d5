import { topLevelKeys } from '../../text/json-keys';
import { withoutEscapes } from '../../text/escapes';

/** How what is checked is made. `--show-sames`, because a preview leaves out what stays as it is. */
export const PREVIEW = 'pulumi preview --json --show-sames > preview.json';

/**
 * Whether a text seems to be what `pulumi preview --json` or `pulumi stack export` prints, a deployment or its resources cut out of that, or a checkpoint,
 * in which Pulumi keeps a stack in a folder.
 */
export function looksLikePulumi(text: string): boolean {
  if (/^\s*\[\s*\{/.test(text)) return /"urn"\s*:\s*"urn:pulumi:/.test(text);
  if (!/^\s*\{/.test(text)) return false;
  if (!mentionsPulumi(text) && !(text.includes('\\u') && mentionsPulumi(withoutEscapes(text)))) return false;
  const keys = new Set<string>();
  for (const key of topLevelKeys(text)) {
    keys.add(withoutEscapes(key));
    if (keys.has('version') && (keys.has('deployment') || keys.has('checkpoint'))) return true;
    if (keys.has('changeSummary') && (keys.has('steps') || keys.has('duration'))) return true;
    // Tools that cut a preview down leave out what they don't need.
    if ((keys.has('steps') || keys.has('resources')) && text.includes(URN)) return true;
  }
  return false;
}

/** How the name of every resource begins. */
const URN = '"urn:pulumi:';

function mentionsPulumi(text: string): boolean {
  return /"(?:deployment|checkpoint|steps|changeSummary)"/.test(text) || text.includes(URN);
}

/** Why a file that somebody names isn't read, although Pulumi wrote it; undefined for anything else. */
export function whyNoPulumi(text: string): string | undefined {
  const start = text.slice(0, 4096).trimStart();
  if (!start.startsWith('{')) return undefined;
  if (/^\{\s*"(?:sequence|timestamp)"\s*:\s*\d/.test(start) && /"[a-z]\w*Event"/.test(start))
    return `this is a stream of Pulumi's events, not a preview: without PULUMI_ENABLE_STREAMING_JSON_PREVIEW, run \`${PREVIEW}\``;
  // To go through the keys of a large template takes longer than to find that it has none of these.
  if (!text.includes('"resourcePlans"') && !text.includes('"diagnostics"')) return undefined;
  const keys = new Set<string>();
  for (const key of topLevelKeys(text)) {
    keys.add(key);
    if (keys.has('resourcePlans') && keys.has('manifest'))
      return `this is an update plan of Pulumi, which holds goals and no states: run \`${PREVIEW}\``;
    if (keys.size > 8) return undefined;
  }
  // What is left of the keys that a preview may have when the program stops before its first resource.
  if (
    keys.size > 1 &&
    keys.has('diagnostics') &&
    [...keys].every((key) => OF_FAILED_PREVIEW.has(key)) &&
    !text.includes(URN)
  )
    return 'this is a preview of Pulumi that failed before its first resource: its `diagnostics` say why';
  return undefined;
}

/** Source: pulumi/pulumi, pkg/backend/display/json.go, PreviewDigest. */
const OF_FAILED_PREVIEW: ReadonlySet<string> = new Set(['config', 'steps', 'diagnostics', 'duration', 'maybeCorrupt']);
