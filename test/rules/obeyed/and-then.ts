/**
 * What following a fix literally leads to, where that is no defect of the fix: by rule, message and vector, and what comes of it. Each of them is seen
 * still to be so, in one language at least.
 */
export const AND_THEN: Readonly<Record<string, RegExp>> = {
  'vpc-cni-tcp-early-demux probes: the switch in extraEnv of the chart': /^(?:new:|fails: now) vpc-cni-extra-env/,
  'vpc-cni-configuration-schema unknown-key: without a version, a key that no version has fails':
    /^(?:new:|fails: now) vpc-cni-tcp-early-demux/,
  'user-data-mime-structure broken: of very many mistakes the last are only counted': /^the finding stays/,
  'user-data-mime-structure broken: nothing that bootstraps, in a document that stops nodeadm':
    /^(?:new:|fails: now) node-user-data-missing-bootstrap/,
  'user-data-mime-structure broken: cloud-init: no blank line after the headers, before a colon':
    /^(?:new:|fails: now) user-data-shebang/,
  'custom-networking-eni-config nothing-selects: free names, and a group without the label':
    /^(?:the finding stays|fails: (?:now|still))/,
  'cluster-version-support ended: the groups of Amazon Linux 2 are named beside it':
    /^(?:new:|fails: now) ami-type-kubernetes-version/,
  'cluster-version-support ended: a group that names no AMI type, and gets another system on the way, is named beside it':
    /^(?:new:|fails: now) imds-hop-limit/,
  'ami-type-kubernetes-version misspelled: an AMI type in lower case fails, and the fix spells it':
    /^(?:new:|fails: now) imds-hop-limit/,
  'ami-type-kubernetes-version noType: a path as AMI type fails, because no type is called like that':
    /^(?:new:|fails: now) imds-hop-limit/,
  'windows-node-prerequisites accessEntry: a role of both systems, with an access entry for Linux, is one finding':
    /^(?:the finding stays|fails: (?:now|still))/,
  'vpc-cni-resolve-conflicts no-configuration: a SecurityGroupPolicy under a condition is evidence where it exists':
    /^(?:new:|fails: now) security-group-policy/,
  'vpc-cni-resolve-conflicts settings-elsewhere: OVERWRITE with an ENIConfig and no custom networking in the values fails':
    /^(?:new:|fails: now) custom-networking-eni-config/,
  'ami-type-architecture mismatch: Graviton with AL2 on 1.35 fails, and the fix is no AL2 type, which 1.35 has none of':
    /^(?:new:|fails: now) imds-hop-limit/,
  'ami-type-accelerator noDevice: ordinary instances among GPU instances are a warning of their own':
    /^(?:the finding stays|fails: (?:now|still))/,
  'ami-type-accelerator noDriver: one bad branch of the instance type is named':
    /^(?:the finding stays|fails: (?:now|still))/,
  'vpc-cni-role-ip-family interfaces: a Deny takes a permission away': /^(?:the finding stays|fails: (?:now|still))/,
  'node-role-policies instances: a Deny takes the permission away': /^(?:the finding stays|fails: (?:now|still))/,
  'load-balancer-controller-policy stops: a statement that denies': /^(?:the finding stays|fails: (?:now|still))/,
  'vpc-cni-tcp-early-demux probes: the switch in extraEnv, which does not reach the init container':
    /^(?:new:|fails: now) vpc-cni-extra-env/,
  'vpc-cni-tcp-early-demux pods-not-visible: the switch in extraEnv, and pods that are not visible':
    /^(?:new:|fails: now) vpc-cni-extra-env/,
  'vpc-cni-tcp-early-demux probes: a version that does not accept the setting yet':
    /^(?:new:|fails: now) vpc-cni-configuration-schema/,
  'vpc-cni-windows-ipam off: an old add-on, for which the ConfigMap is the way':
    /^(?:new:|fails: now) vpc-cni-configuration-schema/,
  'vpc-cni-windows-ipam off: the ConfigMap in another namespace': /^(?:new:|fails: now) vpc-cni-configuration-schema/,
  'cluster-network-addons no-cni: nodes of both systems: those of Windows are not named':
    /^(?:new:|fails: now) vpc-cni-windows-ipam/,
  'kube-proxy-version-skew behind: the cluster is upgraded in one branch':
    /^(?:the finding stays|fails: (?:now|still))/,
  'node-user-data-missing-bootstrap al2023: an AMI under a condition, and user data without one':
    /^fails: now node-user-data-format/,
};
