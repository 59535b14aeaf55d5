import type { ConfigProblem } from '../../../eks';
import { parseEmbedded } from '../../../value/embedded-text';
import type { ConfigFile } from '../config-file';
import type { ConfigNode } from '../config-node';
import { identityInstead } from './addon-identity';
import { grantProblems } from './identities';
import { hasContent, idle, refused, textOf } from './problem';

/* What eksctl refuses of add-ons. Source: apis/eksctl.io/v1alpha5/addon.go, validation.go. */

const PROVIDERS = ['serviceAccountRoleARN', 'attachPolicyARNs', 'attachPolicy', 'wellKnownPolicies'];

export function addonProblems(file: ConfigFile): readonly ConfigProblem[] {
  const { root, withOidc } = file;
  const hasNoProvider = withOidc.kind === 'known' && !withOidc.value;
  return root
    .child('addons')
    .items.filter((item) => item.isWritten)
    .flatMap((addon): readonly ConfigProblem[] => {
      const name = addon.child('name').label;
      if (name === '') return [refused(addon, 'an add-on has no name', 'Set its `name`.')];
      const problems: ConfigProblem[] = [];
      const providers = PROVIDERS.filter((key) => hasContent(addon.child(key)));
      const [first, second] = providers;
      const associations = addon.child('podIdentityAssociations');
      if (first !== undefined && second === undefined && associations.items.length === 0 && hasNoProvider)
        problems.push(withoutProvider(addon, first, file));
      if (first !== undefined && second !== undefined)
        problems.push(
          refused(
            addon.child(second),
            `add-on ${name} has both \`${first}\` and \`${second}\``,
            `Take \`${second}\` out, or \`${first}\`.`,
          ),
        );
      if (first !== undefined && associations.items.length > 0)
        problems.push(
          refused(
            addon.child(first),
            `add-on ${name} has a role by IRSA (\`${first}\`) and Pod Identity associations`,
            `Take \`${first}\` out, or \`podIdentityAssociations\`.`,
          ),
        );
      if (
        addon.child('useDefaultPodIdentityAssociations').raw === true &&
        (first !== undefined || associations.items.length > 0)
      )
        problems.push(
          refused(
            addon.child('useDefaultPodIdentityAssociations'),
            `add-on ${name} asks for the default associations and brings permissions of its own`,
            'Take `useDefaultPodIdentityAssociations` out, or the permissions.',
          ),
        );
      if (name === 'eks-pod-identity-agent' && associations.items.length > 0)
        problems.push(refused(associations, 'the Pod Identity agent has no associations of its own', 'Take them out.'));
      for (const item of associations.items) {
        for (const key of ['namespace', 'serviceAccountName'])
          if (!item.child(key).isWritten)
            problems.push(refused(item, `an association of add-on ${name} has no \`${key}\``, `Set \`${key}\`.`));
        problems.push(...grantProblems(item, `an association of add-on ${name}`));
        for (const key of ['wellKnownPolicies', 'tags'])
          if (hasContent(item.child(key)))
            problems.push(
              refused(
                item.child(key),
                `an association of add-on ${name} has \`${key}\`, which is for associations of \`iam\``,
                key === 'tags'
                  ? 'Take them out.'
                  : 'Set `useDefaultPodIdentityAssociations: true` on the add-on in place of the association.',
              ),
            );
      }
      const namespace = addon.at('namespaceConfig', 'namespace');
      const ofAddon = textOf(namespace);
      if (ofAddon !== undefined && (ofAddon.length > 63 || !/^[a-z](?:[a-z\d-]*[a-z\d])?$/.test(ofAddon)))
        problems.push(
          refused(
            namespace,
            `"${ofAddon}" is no name of a namespace`,
            'Write at most 63 small letters, digits and hyphens, a letter first.',
          ),
        );
      const values = addon.child('configurationValues');
      const { text } = values;
      if (text.kind === 'known') {
        const parsed = parseEmbedded(text);
        if (parsed.kind === 'malformed')
          problems.push(
            refused(
              values,
              `\`configurationValues\` of add-on ${name} are neither JSON nor YAML`,
              `Correct them: ${parsed.reason}.`,
            ),
          );
      }
      return problems;
    });
}

/** A role that the pods of an add-on can't get. */
function withoutProvider(addon: ConfigNode, key: string, file: ConfigFile): ConfigProblem {
  const { advice, code } = identityInstead(addon, key, file);
  const problem = `\`${key}\` of add-on ${addon.child('name').label} goes nowhere, because the cluster gets no OIDC provider: eksctl warns, and the add-on is left with the permissions of the nodes`;
  return { ...idle(addon.child(key), problem, advice), ...(code === undefined ? {} : { code }) };
}
