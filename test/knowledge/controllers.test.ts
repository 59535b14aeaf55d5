import {
  chartOfVersion,
  clusterAutoscalerChart,
  externalDnsActions,
  leastLoadBalancerController,
  loadBalancerControllerActions,
  loadBalancerFeatures,
  newestLoadBalancerControllerChart,
  versionOfChart,
  type ControllerChart,
} from '../../lib/knowledge/controller-permissions';
import {
  karpenterEvents,
  karpenterStatements,
  loadBalancerControllerGrants,
  loadBalancerControllerStatements,
} from '../../lib/knowledge/controller-policies';

describe('charts of controllers', () => {
  it.each<[ControllerChart, string, string | undefined]>([
    ['aws-load-balancer-controller', '1.8.1', '2.8.1'],
    ['external-dns', '1.15.0', '0.15.0'],
    ['cluster-autoscaler', '9.46.6', '1.32.0'],
    ['external-dns', '0.0.1', undefined],
    ['external-dns', 'toString', undefined],
  ])('%s %s installs %s', (chart, version, installed) => {
    expect(versionOfChart(chart, version)).toBe(installed);
  });

  it.each<[ControllerChart, string, string | undefined]>([
    // 1.8.4 was the second to install it.
    ['aws-load-balancer-controller', '2.8.3', '1.8.4'],
    // By numbers, not by letters.
    ['external-dns', '0.10.0', '1.3.2'],
    ['external-dns', '9.9.9', undefined],
  ])('the newest %s that installs %s is %s', (chart, version, newest) => {
    expect(chartOfVersion(chart, version)).toBe(newest);
  });

  it('the Cluster Autoscaler has one for each version of Kubernetes', () => {
    expect(clusterAutoscalerChart('1.32')).toBe('9.46.6');
    // A version that begins so is another one.
    expect(clusterAutoscalerChart('1.3')).toBeUndefined();
  });

  it('the newest of the AWS Load Balancer Controller is that of a major version', () => {
    for (const major of [2, 3]) {
      const newest = newestLoadBalancerControllerChart(major);
      expect(newest?.version.split('.')[0]).toBe(String(major));
      expect(chartOfVersion('aws-load-balancer-controller', newest?.version ?? '')).toBe(newest?.chart);
    }
    // The last before 3.0, of which both numbers have two digits.
    expect(newestLoadBalancerControllerChart(2)).toEqual({ chart: '1.17.1', version: '2.17.1' });
    expect(newestLoadBalancerControllerChart(9)).toBeUndefined();
  });
});

describe('actions of controllers', () => {
  it.each([
    // From when on what it is about is there, by the release notes.
    ['2.0.0', 'elasticloadbalancing:DescribeTrustStores', false],
    ['2.7.0', 'elasticloadbalancing:DescribeTrustStores', true],
    ['2.8.3', 'elasticloadbalancing:DescribeListenerAttributes', false],
    ['2.9.0', 'elasticloadbalancing:DescribeListenerAttributes', true],
  ])('controller %s calls %s: %s', (version, action, isCalled) => {
    expect(loadBalancerControllerActions(version)?.all.includes(action)).toBe(isCalled);
  });

  it('controllers need the attributes of listeners later than they can read them', () => {
    const needs = (version: string) =>
      loadBalancerControllerActions(version)?.needed.loadBalancer.includes(
        'elasticloadbalancing:DescribeListenerAttributes',
      );
    expect(['2.9.0', '2.10.0', '2.10.1', '3.0.0'].map(needs)).toEqual([false, false, true, true]);
  });

  it('controllers that the table does not reach are unknown', () => {
    expect(loadBalancerControllerActions('1.1.9')).toBeUndefined();
    expect(loadBalancerControllerActions('99.0.0')).toBeUndefined();
  });

  it('features begin with a version', () => {
    const names = (version: string) => loadBalancerFeatures(version).length;
    expect(names('2.0.0')).toBeLessThan(names('3.0.0'));
  });

  it.each([
    ['1.21', undefined],
    ['1.22', '2.4.1'],
    ['1.24', '2.4.1'],
    ['1.25', '2.4.7'],
    ['1.33', '2.4.7'],
  ])('Kubernetes %s needs at least controller %s', (kubernetes, least) => {
    expect(leastLoadBalancerController(kubernetes)).toBe(least);
  });

  it.each([
    ['0.13.0', 'route53:ListTagsForResource'],
    ['0.15.1', 'route53:ListTagsForResource'],
    ['0.16.0', 'route53:ListTagsForResources'],
    ['0.20.0', 'route53:ListTagsForResources'],
    [undefined, undefined],
  ])('ExternalDNS %s reads tags with %s', (version, action) => {
    expect(externalDnsActions(version).withTagFilter).toBe(action);
  });
});

describe('policies of the AWS Load Balancer Controller', () => {
  it('have what a version calls, and what a partition has', () => {
    const actionsOf = (version: string, partition?: string) =>
      new Set(loadBalancerControllerStatements(version, partition).flatMap(({ actions }) => actions));
    expect(actionsOf('2.8.3', 'aws').has('elasticloadbalancing:DescribeListenerAttributes')).toBe(false);
    expect(actionsOf('3.0.0', 'aws').has('elasticloadbalancing:DescribeListenerAttributes')).toBe(true);
    expect(actionsOf('3.0.0').has('elasticloadbalancing:DescribeListenerAttributes')).toBe(true);
    expect(actionsOf('3.0.0', 'aws-iso-b').has('elasticloadbalancing:DescribeListenerAttributes')).toBe(false);
    expect(actionsOf('3.0.0', 'aws-iso-b').has('elasticloadbalancing:DescribeListeners')).toBe(true);
  });

  it('grant some of the actions in one statement for each place, and nothing besides', () => {
    // The published policy has them in two statements.
    expect(
      loadBalancerControllerGrants(['ec2:DescribeVpcs', 'cognito-idp:DescribeUserPoolClient', 'ec2:DescribeAddresses']),
    ).toEqual([
      {
        actions: ['cognito-idp:DescribeUserPoolClient', 'ec2:DescribeAddresses', 'ec2:DescribeVpcs'],
        resources: ['*'],
      },
    ]);
    expect(loadBalancerControllerGrants(['s3:GetObject'])).toEqual([]);
  });

  it('grant on conditions what nothing grants without', () => {
    const tags = loadBalancerControllerGrants(['ec2:CreateTags']);
    expect(tags.map(({ actions }) => actions)).toEqual([['ec2:CreateTags'], ['ec2:CreateTags']]);
    expect(tags.every(({ condition }) => condition !== undefined)).toBe(true);
    // Allowed without a condition, so that the statement with one adds nothing.
    expect(loadBalancerControllerGrants(['ec2:AuthorizeSecurityGroupIngress'])).toEqual([
      { actions: ['ec2:AuthorizeSecurityGroupIngress'], resources: ['*'] },
    ]);
  });
});

describe('permissions of Karpenter', () => {
  it.each([
    ['1.7.0', false],
    ['1.8.0', true],
  ])('%s lists instance profiles: %s', (version, lists) => {
    const statements = (['nodes', 'instanceProfiles', 'discovery'] as const).flatMap((policy) =>
      karpenterStatements(version, policy),
    );
    expect(statements.some(({ actions }) => actions.includes('iam:ListInstanceProfiles'))).toBe(lists);
    // A statement of which nothing is there yet would be refused.
    expect(statements.every(({ actions }) => actions.length > 0)).toBe(true);
  });

  it('are of one part at a time', () => {
    const actions = (policy: 'nodes' | 'discovery') =>
      karpenterStatements('1.14.0', policy).flatMap((statement) => statement.actions);
    expect(actions('nodes')).toContain('ec2:RunInstances');
    expect(actions('discovery')).not.toContain('ec2:RunInstances');
    expect(actions('discovery')).toContain('ec2:DescribeInstanceTypes');
  });

  it('come with the events of a version', () => {
    expect(karpenterEvents('1.4.0')).toContainEqual(
      expect.objectContaining({ source: 'aws.ec2', type: 'EC2 Spot Instance Interruption Warning' }),
    );
    expect(karpenterEvents('1.4.0').length).toBeLessThanOrEqual(karpenterEvents('1.14.0').length);
  });
});
