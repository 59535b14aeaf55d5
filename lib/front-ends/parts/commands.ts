import type { Deed } from '../../eks';

/*
 * What lines of a script may do to a role or a cluster that they name, as far as their first words tell. A program of somebody's own may do anything.
 */

const ALL: readonly Deed[] = ['attach', 'associate', 'trust', 'install'];

/** @param texts scripts, or the commands of one, with `${…}` for what isn't known */
export function deedsOf(texts: readonly string[]): ReadonlySet<Deed> {
  const deeds = new Set<Deed>();
  for (const text of texts)
    for (const command of text.replaceAll(/\\\r?\n/g, ' ').split(/&&|\|\||[;\n|]/))
      for (const deed of deedsOfCommand(command)) deeds.add(deed);
  return deeds;
}

function deedsOfCommand(text: string): readonly Deed[] {
  const command = text.trim().replace(BEFORE, '');
  if (command === '' || command.startsWith('#') || HARMLESS.test(command)) return [];
  const [, service = '', operation = ''] = AWS.exec(command) ?? [];
  if (service === 'iam') return operation.includes('open-id') ? ['trust'] : /policy/.test(operation) ? ['attach'] : [];
  if (service === 'eks')
    return operation.includes('pod-identity')
      ? ['associate']
      : operation.includes('addon')
        ? ['install', 'associate']
        : [];
  if (service === 'cloudformation') return ALL;
  if (service !== '') return [];
  if (IN_CLUSTER.test(command)) return ['install'];
  if (/^eksctl\b/.test(command)) return deedsOfEksctl(command);
  return ALL;
}

function deedsOfEksctl(command: string): readonly Deed[] {
  if (/\boidc\b|associate-iam-oidc-provider/.test(command)) return ['trust'];
  if (/podidentityassociation/.test(command)) return ['associate'];
  if (/\baddons?\b/.test(command)) return ['install', 'associate'];
  return /\b(?:get|delete|drain|scale|set|unset|info|version|write-kubeconfig)\b/.test(command) ? [] : ALL;
}

/** What may stand before a command: words of the shell, and settings. */
const BEFORE =
  /^(?:(?:then|do|else|if|while|until|!|sudo|time|exec|\{|\(|[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|[^\s"']*))\s+)+/;

/** What changes nothing that rules ask for. */
const HARMLESS =
  /^(?:(?:echo|printf|sleep|export|set|unset|fi|done|esac|exit|return|true|false|test|cd|mkdir|rm|chmod|cat|jq|grep|sed|awk|tr|cut|curl|wget|date|wait|touch|for|case|trap|rollout|head|tail|sort|base64|tee|cp|mv)\b|[[\]})]|[A-Za-z_]\w*=|kubectl\s+(?:\S+\s+)??(?:wait|get|describe|rollout|annotate|label|taint|config|delete|set|scale|version|logs|cordon|drain)\b)/;

/** The service and the operation of a command of the AWS CLI. */
const AWS =
  /^aws\s+(?:--?[\w-]+(?:[= ](?!-)\S+)?\s+)*?([a-z][\w-]*)\s+(?:--?[\w-]+(?:[= ](?!-)\S+)?\s+)*?([a-z][\w-]*)/;

/** Programs that talk to the API server of a cluster alone. */
const IN_CLUSTER = /^(?:kubectl|oc|helm|helmfile|kustomize|flux|argocd|istioctl|linkerd|cilium|k9s)\b/;
