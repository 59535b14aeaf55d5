import { removedApis } from '../../../lib/knowledge/removed-apis';
import { looksLikeManifest, mayMatter } from '../../../lib/front-ends/kubernetes/manifest-text';

describe('the text of a manifest', () => {
  it('matters with every API version that Kubernetes has removed', () => {
    const left = removedApis()
      .filter(({ apiVersion, kind }) => !mayMatter(`apiVersion: ${apiVersion}\nkind: ${kind}\n`))
      .map(({ apiVersion, kind }) => `${apiVersion} ${kind}`);
    expect(left).toEqual([]);
  });

  it.each([
    [
      'apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nspec: {nodeSelector: {karpenter.sh/capacity-type: spot}}',
      false,
    ],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kube-proxy-config}', true],
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: aws-auth}', false],
    ['{"apiVersion": "karpenter.sh/v1", "kind": "NodePol"}', true],
    ['apiVersion: vpcresources.k8s.aws/v1beta1\nkind: SecurityGroupPolicies', true],
    ['apiVersion: v1\nkind: Service', false],
  ])('matters or not: %j', (text, matters) => {
    expect([looksLikeManifest(text), mayMatter(text)]).toEqual([true, matters]);
  });

  it.each([
    'apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig',
    'apiVersion: v2\nname: chart',
    'a:\n  apiVersion: v1\n  kind: Pod',
    '{"kind": "Pod"}',
  ])('is none: %j', (text) => {
    expect(looksLikeManifest(text)).toBe(false);
  });
});
