import { defineRule, resourceName, type Judgement } from '../../engine';
import {
  casesOf,
  flatMapValue,
  type LaunchTemplate,
  type LaunchTemplateUse,
  type LaunchTemplateVersion,
  type NodeGroup,
  type Plain,
  type Value,
} from '../../eks';

/*
 * A managed node group rolls its nodes when the launch template version in its own definition changes. `$Latest` and
 * `$Default` never change as text, and a version that is left out means the template's default one, which
 * CloudFormation does not move: edits of the template then never reach a node, or reach new nodes unannounced.
 * Source: EKS API, LaunchTemplateSpecification; Terraform AWS provider, aws_eks_node_group.
 */

const FIX = {
  summary:
    "Let the group follow the template's latest version number, so that an edit of the template rolls the nodes in the same deployment.{{further}}",
  code: {
    cloudformation: [
      'LaunchTemplate:',
      '  Id: !Ref {{template}}',
      '  Version: !GetAtt {{template}}.LatestVersionNumber',
    ].join('\n'),
    'aws-cdk': [
      '// in the options of the node group, where `template` is its LaunchTemplate:',
      'launchTemplateSpec: { id: template.launchTemplateId!, version: template.latestVersionNumber },',
    ].join('\n'),
    terraform: ['launch_template {', '  id      = {{address}}.id', '  version = {{address}}.latest_version', '}'].join(
      '\n',
    ),
  },
  safety: 'needs-decision',
  repairs: [
    {
      kind: 'refer',
      field: 'launchTemplate.version',
      cloudFormation: '{{latestInTemplate}}',
      terraform: '{{latestInTerraform}}',
    },
  ],
  effect:
    'rolls the nodes of the group if they run an older version of the launch template, now and with every later edit of it',
} as const;

export const launchTemplateVersion = defineRule<Message>({
  id: 'launch-template-version',
  subject: 'launch-template',
  title: 'Node groups name the launch template version, so that edits of the template roll out',
  severity: 'warning',
  since: '0.1.0',
  isAboutCode: true,
  messages: {
    leftOut: {
      text: 'Node group "{{group}}" names no version of launch template "{{template}}" and gets its default one. {{effect}}',
      fix: FIX,
    },
    floating: {
      text: 'Node group "{{group}}" uses version `{{version}}` of launch template "{{template}}". {{effect}}',
      fix: FIX,
    },
  },
  *check(model) {
    for (const nodeGroup of model.nodeGroups) yield* judge(nodeGroup);
  },
});

type Message = 'leftOut' | 'floating';

function* judge(nodeGroup: NodeGroup): Generator<Judgement<Message>> {
  const use = nodeGroup.launchTemplate;
  const version = flatMapValue(
    use,
    (plain): Value<LaunchTemplateVersion> => (plain.kind === 'known' ? plain.value.version : plain),
  );
  for (const { when, values } of casesOf(nodeGroup, { use, version })) {
    if (values.use.kind === 'absent') continue;
    if (
      values.use.kind === 'known' &&
      values.version.kind === 'known' &&
      !isFloating(nodeGroup, values.version.value)
    ) {
      yield { resource: nodeGroup, verdict: 'pass', when };
      continue;
    }
    const common = { resource: nodeGroup, when };
    if (values.use.kind === 'unknown') {
      yield {
        ...common,
        verdict: 'unverifiable',
        reason: `its launch template isn't known: ${values.use.reason}`,
        source: values.use.source,
      };
      continue;
    }
    yield { ...common, ...judgeVersion(nodeGroup, values.use.value, values.version), source: values.version.source };
  }
}

function judgeVersion(
  nodeGroup: NodeGroup,
  use: LaunchTemplateUse,
  version: Plain<LaunchTemplateVersion>,
): Omit<Judgement<Message>, 'resource'> {
  if (version.kind === 'unknown')
    return { verdict: 'unverifiable', reason: `the launch template version isn't known: ${version.reason}` };
  const { target, text, ambiguous } = use.template;
  if (target === undefined) {
    return {
      verdict: 'unverifiable',
      reason: `${ambiguous ?? `launch template ${text} is not part of the input`}, so neither is what its ${nameOf(version)} version stands for`,
    };
  }
  const data = {
    group: resourceName(nodeGroup),
    template: target.id,
    address: addressFrom(nodeGroup, target),
    ...latestOf(nodeGroup, target),
    effect: effectOf(nodeGroup, version),
    further: isIgnored(nodeGroup)
      ? ` Take \`${nameIn(nodeGroup, 'launch_template')}\` out of \`${nameIn(nodeGroup, 'ignore_changes')}\` for that; leave it if something else moves the group.`
      : '',
  };
  const related = [{ message: `launch template "${resourceName(target)}"`, source: target.source }];
  const common = { verdict: 'fail', related, ...(isIgnored(nodeGroup) ? { severity: 'info' as const } : {}) } as const;
  if (version.kind === 'absent') return { ...common, message: 'leftOut', data };
  return { ...common, message: 'floating', data: { ...data, version: version.value.text } };
}

/** How the code of the group names the template: without the module in which both stand. */
function addressFrom({ id }: NodeGroup, template: LaunchTemplate): string {
  const module = /^(?:module\.[\w-]+(?:\[[^\]]*\])?\.)*/.exec(id)?.[0] ?? '';
  return template.id.startsWith(module) ? template.id.slice(module.length) : template.id;
}

/** Its latest version, as the group may refer to it; nothing where it stands in another template or module. */
function latestOf(nodeGroup: NodeGroup, target: LaunchTemplate): Readonly<Record<string, string>> {
  const address = addressFrom(nodeGroup, target);
  const isBeside = nodeGroup.moduleInputs === undefined && target.stack === nodeGroup.stack && !isIgnored(nodeGroup);
  return {
    latestInTemplate: isBeside && /^\w+$/.test(target.id) ? `${target.id}.LatestVersionNumber` : '',
    latestInTerraform: isBeside && /^aws_launch_template\.[\w-]+$/.test(address) ? `${address}.latest_version` : '',
  };
}

function nameIn({ dialect }: NodeGroup, argument: string): string {
  return dialect.ofProviders?.nameOf(argument) ?? argument;
}

/** Text that stays the same, or the default version where nothing moves it. Terraform's provider can move it (`update_default_version`). */
function isFloating(nodeGroup: NodeGroup, version: LaunchTemplateVersion): boolean {
  return (
    /^\$(?:latest|default)$/i.test(version.text) ||
    (version.tracks === 'default' && nodeGroup.dialect.ofProviders === undefined)
  );
}

function nameOf(version: Plain<LaunchTemplateVersion>): string {
  return version.kind === 'known' ? version.value.text : 'default';
}

/** To leave the version to something else is a decision. */
function isIgnored(nodeGroup: NodeGroup): boolean {
  return nodeGroup.isLaunchTemplateIgnored === true;
}

function effectOf(nodeGroup: NodeGroup, version: Plain<LaunchTemplateVersion>): string {
  const { deployedBy, ofProviders } = nodeGroup.dialect;
  if (isIgnored(nodeGroup))
    return `${deployedBy} ignores later changes of it, so an edit of the template reaches no node unless something else moves the group.`;
  if (ofProviders !== undefined) {
    return version.kind === 'known'
      ? `EKS answers with a number, so every ${ofProviders.plan} shows a difference, and no ${ofProviders.plan} says which edit of the template it rolls out.`
      : "An edit of the template adds a version that the group doesn't use, so the nodes keep the old settings.";
  }
  return version.kind === 'known' && /^\$latest$/i.test(version.value.text)
    ? "That text never changes, so CloudFormation doesn't update the group when the template is edited: the nodes keep the old settings until some other update brings the new ones along."
    : "CloudFormation adds a version with every edit but doesn't move the default, so the nodes keep the settings of the first one.";
}
