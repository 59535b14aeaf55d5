import { KINDS_ASKED, KINDS_OF_KARPENTER } from '../../front-ends/live/gaps';
import { packageVersion } from '../../version';

export interface CollectRequest {
  readonly cluster: string;
  /** @default - what the AWS command line takes */
  readonly region?: string;
  /** @default - what the AWS command line takes */
  readonly profile?: string;
  /** A context of kubectl. @default - the current one, if it is that of the cluster */
  readonly context?: string;
  /** The folder that the script makes. */
  readonly output: string;
}

/** Kinds of which only those of one namespace are asked: others hold what is nobody's business. */
const IN_KUBE_SYSTEM: ReadonlySet<string> = new Set(['configmaps']);

/**
 * A script for any POSIX shell that asks AWS and Kubernetes about a cluster, and writes each answer into a file. It changes nothing there, and a
 * call that fails is written down and doesn't stop it.
 */
export function collectScript({ cluster, region, profile, context, output }: CollectRequest): string {
  const options = [
    ...(region === undefined ? [] : [`--region ${word(region)}`]),
    ...(profile === undefined ? [] : [`--profile ${word(profile)}`]),
  ];
  const aws = ['aws "$@"', ...options].join(' ');
  const kubectl = ['kubectl', ...(context === undefined ? [] : [`--context ${word(context)}`]), '"$@"'].join(' ');
  const objects = KINDS_ASKED.map((kind) => {
    const where = IN_KUBE_SYSTEM.has(kind) ? '--namespace kube-system' : '--all-namespaces';
    return `  ask kubectl-${kind}.json ask_kubectl get ${kind} ${where} --output json`;
  });
  const nodes = KINDS_OF_KARPENTER.map(
    (kind) =>
      `    case $kinds in *" ${kind} "*) ask kubectl-${kind}.json ask_kubectl get ${kind} --output json ;; esac`,
  );
  return `#!/bin/sh
# Printed by eks-guardrails collect ${packageVersion()}.
# Asks AWS and Kubernetes about one cluster, and writes each answer into a file of a new folder. All calls describe, list or get;
# credentials are those of the AWS command line and of kubectl. A call that fails is written down, and the others go on.
set -eu
set -f
umask 077

cluster=${word(cluster)}
folder=${word(output)}
AWS_PAGER=
AWS_CLI_AUTO_PROMPT=off
export AWS_PAGER AWS_CLI_AUTO_PROMPT

if ! command -v aws >/dev/null 2>&1; then
  echo "the AWS command line (aws) is not installed" >&2
  exit 1
fi
if [ -e "$folder" ]; then
  echo "$folder is there already: remove it, or name another folder" >&2
  exit 1
fi
mkdir -p -- "$folder"
calls=$folder/.calls
error=$folder/.error
failures=0
: >"$calls"

ask_aws() { ${aws} --output json; }
ask_text() { ${aws} --output text 2>/dev/null || :; }
ask_kubectl() { ${kubectl}; }

# What a text is in JSON, without its quotes.
json() {
  printf '%s' "$1" | tr '\\n\\r\\t' '   ' | tr -d '\\000-\\037' | sed 's/\\\\/\\\\\\\\/g; s/"/\\\\"/g'
}

# note FILE CALL [FAILURE]
note() {
  [ ! -s "$calls" ] || printf ',\\n' >>"$calls"
  printf '    {"file": "%s", "call": "%s"' "$(json "$1")" "$(json "$2")" >>"$calls"
  [ "$#" -lt 3 ] || printf ', "failed": "%s"' "$(json "$3")" >>"$calls"
  printf '}' >>"$calls"
}

# ask FILE ask_aws|ask_kubectl ARGUMENT...
ask() {
  file=$1
  shift
  call="\${1#ask_} $(shift && printf '%s' "$*")"
  if "$@" >"$folder/$file" 2>"$error"; then
    note "$file" "$call"
  else
    rm -f -- "$folder/$file"
    failures=$((failures + 1))
    echo "failed: $call" >&2
    note "$file" "$call" "$(cat "$error")"
  fi
}

# Adds a word to a list, once.
roles=
subnets=
add_role() {
  case $1 in arn:*:role/*) ;; *) return 0 ;; esac
  case " $roles " in *" $1 "*) ;; *) roles="$roles $1" ;; esac
}
add_subnet() {
  case $1 in subnet-*) ;; *) return 0 ;; esac
  case " $subnets " in *" $1 "*) ;; *) subnets="$subnets $1" ;; esac
}

ask cluster.json ask_aws eks describe-cluster --name "$cluster"
add_role "$(ask_text eks describe-cluster --name "$cluster" --query cluster.roleArn)"
for id in $(ask_text eks describe-cluster --name "$cluster" --query 'cluster.resourcesVpcConfig.subnetIds[]'); do
  add_subnet "$id"
done
endpoint=$(ask_text eks describe-cluster --name "$cluster" --query cluster.endpoint)
issuer=$(ask_text eks describe-cluster --name "$cluster" --query cluster.identity.oidc.issuer)
region=$(ask_text eks describe-cluster --name "$cluster" --query cluster.arn)
region=\${region#arn:*:eks:}
region=\${region%%:*}

ask nodegroups.json ask_aws eks list-nodegroups --cluster-name "$cluster"
for name in $(ask_text eks list-nodegroups --cluster-name "$cluster" --query 'nodegroups[]'); do
  [ "$name" != None ] || continue
  ask "nodegroup-$name.json" ask_aws eks describe-nodegroup --cluster-name "$cluster" --nodegroup-name "$name"
  add_role "$(ask_text eks describe-nodegroup --cluster-name "$cluster" --nodegroup-name "$name" --query nodegroup.nodeRole)"
  for id in $(ask_text eks describe-nodegroup --cluster-name "$cluster" --nodegroup-name "$name" --query 'nodegroup.subnets[]'); do
    add_subnet "$id"
  done
  template=$(ask_text eks describe-nodegroup --cluster-name "$cluster" --nodegroup-name "$name" --query nodegroup.launchTemplate.id)
  version=$(ask_text eks describe-nodegroup --cluster-name "$cluster" --nodegroup-name "$name" --query nodegroup.launchTemplate.version)
  case $template in
  lt-*)
    [ -e "$folder/launch-template-$template-$version.json" ] ||
      ask "launch-template-$template-$version.json" ask_aws ec2 describe-launch-template-versions \\
        --launch-template-id "$template" --versions "$version"
    ;;
  esac
done

ask addons.json ask_aws eks list-addons --cluster-name "$cluster"
for name in $(ask_text eks list-addons --cluster-name "$cluster" --query 'addons[]'); do
  [ "$name" != None ] || continue
  ask "addon-$name.json" ask_aws eks describe-addon --cluster-name "$cluster" --addon-name "$name"
  add_role "$(ask_text eks describe-addon --cluster-name "$cluster" --addon-name "$name" --query addon.serviceAccountRoleArn)"
done

ask pod-identity-associations.json ask_aws eks list-pod-identity-associations --cluster-name "$cluster"
for id in $(ask_text eks list-pod-identity-associations --cluster-name "$cluster" --query 'associations[].associationId'); do
  [ "$id" != None ] || continue
  ask "pod-identity-association-$id.json" ask_aws eks describe-pod-identity-association \\
    --cluster-name "$cluster" --association-id "$id"
  add_role "$(ask_text eks describe-pod-identity-association --cluster-name "$cluster" --association-id "$id" --query association.roleArn)"
done

ask access-entries.json ask_aws eks list-access-entries --cluster-name "$cluster"
number=0
for arn in $(ask_text eks list-access-entries --cluster-name "$cluster" --query 'accessEntries[]'); do
  [ "$arn" != None ] || continue
  number=$((number + 1))
  ask "access-entry-$number.json" ask_aws eks describe-access-entry --cluster-name "$cluster" --principal-arn "$arn"
done

ask fargate-profiles.json ask_aws eks list-fargate-profiles --cluster-name "$cluster"
for name in $(ask_text eks list-fargate-profiles --cluster-name "$cluster" --query 'fargateProfileNames[]'); do
  [ "$name" != None ] || continue
  ask "fargate-profile-$name.json" ask_aws eks describe-fargate-profile --cluster-name "$cluster" --fargate-profile-name "$name"
done

# One word for each subnet.
if [ -n "$subnets" ]; then
  # shellcheck disable=SC2086
  ask subnets.json ask_aws ec2 describe-subnets --subnet-ids $subnets
fi
ask instances.json ask_aws ec2 describe-instances \\
  --filters "Name=tag:eks:cluster-name,Values=$cluster" "Name=instance-state-name,Values=pending,running"

ask oidc-providers.json ask_aws iam list-open-id-connect-providers
for arn in $(ask_text iam list-open-id-connect-providers --query 'OpenIDConnectProviderList[].Arn'); do
  case $arn in
  *"/\${issuer#https://}") ask oidc-provider.json ask_aws iam get-open-id-connect-provider --open-id-connect-provider-arn "$arn" ;;
  esac
done

# kubectl may be set up for another cluster, whose objects would be taken for those of this one.
if ! command -v kubectl >/dev/null 2>&1; then
  note kubectl 'kubectl get' 'kubectl is not installed'
  failures=$((failures + 1))
elif server=$(ask_kubectl config view --minify --output 'jsonpath={.clusters[0].cluster.server}' 2>/dev/null) &&
  [ -n "$endpoint" ] && [ "$server" = "$endpoint" ]; then
${objects.join('\n')}
  # Node classes and pools, where there is Karpenter or Auto Mode.
  if kinds=$(ask_kubectl api-resources --output name 2>/dev/null) || [ -n "$kinds" ]; then
    kinds=" $(printf '%s' "$kinds" | tr '\\n' ' ') "
${nodes.join('\n')}
  else
    note kubectl 'kubectl api-resources' 'the call failed'
    failures=$((failures + 1))
  fi
  for arn in $(ask_kubectl get serviceaccounts --all-namespaces \\
    --output 'jsonpath={range .items[*]}{.metadata.annotations.eks\\.amazonaws\\.com/role-arn}{"\\n"}{end}' 2>/dev/null || :); do
    add_role "$arn"
  done
else
  echo "kubectl is not set up for cluster $cluster: aws eks update-kubeconfig --name $cluster" >&2
  note kubectl 'kubectl get' "kubectl is set up for \${server:-nothing}, and not for $cluster"
  failures=$((failures + 1))
fi

for arn in $roles; do
  role=\${arn##*/}
  ask "role-$role.json" ask_aws iam get-role --role-name "$role"
  ask "role-$role.inline-policies.json" ask_aws iam list-role-policies --role-name "$role"
  for name in $(ask_text iam list-role-policies --role-name "$role" --query 'PolicyNames[]'); do
    [ "$name" != None ] || continue
    ask "role-$role.policy-$name.json" ask_aws iam get-role-policy --role-name "$role" --policy-name "$name"
  done
  ask "role-$role.attached-policies.json" ask_aws iam list-attached-role-policies --role-name "$role"
  for policy in $(ask_text iam list-attached-role-policies --role-name "$role" --query 'AttachedPolicies[].PolicyArn'); do
    # Policies of AWS are known.
    case $policy in None | arn:*:iam::aws:*) continue ;; esac
    [ ! -e "$folder/policy-\${policy##*/}.json" ] || continue
    version=$(ask_text iam get-policy --policy-arn "$policy" --query Policy.DefaultVersionId)
    if [ -n "$version" ]; then
      ask "policy-\${policy##*/}.json" ask_aws iam get-policy-version --policy-arn "$policy" --version-id "$version"
    else
      note "policy-\${policy##*/}.json" "aws iam get-policy --policy-arn $policy" 'the call failed'
      failures=$((failures + 1))
    fi
  done
done

{
  printf '{\\n  "eksGuardrailsDump": 1,\\n  "cluster": "%s",\\n  "region": "%s",\\n  "at": "%s",\\n  "calls": [\\n' \\
    "$(json "$cluster")" "$(json "$region")" "$(date -u +%Y-%m-%dT%H:%M:%SZ)"
  cat "$calls"
  printf '\\n  ]\\n}\\n'
} >"$folder/eks-guardrails-dump.json"
rm -f -- "$calls" "$error"
echo "$folder: the answers about cluster $cluster; calls that failed: $failures" >&2
`;
}

/** A word of the shell, whatever is in it. */
function word(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
