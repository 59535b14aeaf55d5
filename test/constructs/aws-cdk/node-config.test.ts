import { App, CfnParameter, Fn, Lazy, Stack, Token } from 'aws-cdk-lib';
import { parse } from 'yaml';
import { ConstructionError, MIME_TYPES, NodeConfig } from '../../../constructs/aws-cdk';
import { readStrictMime } from '../../eks/user-data/strict-mime';
import { textOf } from './clusters';

describe('NodeConfig', () => {
  it('renders a NodeConfig that parses back to what was given', () => {
    const spec = {
      kubelet: { config: { shutdownGracePeriod: '60s' }, flags: ['--node-labels=a=b'] },
      featureGates: { FastImagePull: true },
    };
    expect(parse(new NodeConfig(spec).toYaml())).toEqual({
      apiVersion: 'node.eks.aws/v1alpha1',
      kind: 'NodeConfig',
      spec,
    });
  });

  it("renders MIME user data with the user's own parts behind it", () => {
    const userData = new NodeConfig({ featureGates: { FastImagePull: true } }).toUserData({
      type: MIME_TYPES.shellScript,
      body: '#!/bin/bash\necho hello',
    });
    expect(readStrictMime(userData.render()).map((part) => part.headers.get('content-type'))).toEqual([
      'application/node.eks.aws',
      'text/x-shellscript',
    ]);
  });

  it('lists every problem at once', () => {
    const spec = { cluster: { cidr: '172.20.0.0' }, featureGates: { Unknown: true } };
    expect(() => new NodeConfig(spec)).toThrow(ConstructionError);
    expect(() => new NodeConfig(spec)).toThrow(
      'NodeConfig: `spec.cluster.cidr` is "172.20.0.0"; it is no CIDR of the form 172.20.0.0/16 or fd00:1234::/108; `spec.featureGates.Unknown` is',
    );
  });

  it('takes tokens anywhere but for whole lists', () => {
    const stack = new Stack(new App(), 'Test');
    const number = new CfnParameter(stack, 'Number', { type: 'Number' }).valueAsNumber;
    const text = new CfnParameter(stack, 'Text').valueAsString;
    const config = new NodeConfig({
      cluster: { cidr: text, certificateAuthority: Lazy.string({ produce: () => 'from-a-lazy-value' }) },
      kubelet: {
        config: { maxPods: number, nested: { list: [Fn.select(0, ['a']), Token.asAny({ Ref: 'Text' })] } },
        flags: [`--node-labels=a=${text}`],
      },
    });
    const rendered = textOf(stack.resolve(config.toYaml()));
    expect(parse(rendered.replace('${Number}', '7'))).toEqual({
      apiVersion: 'node.eks.aws/v1alpha1',
      kind: 'NodeConfig',
      spec: {
        cluster: { cidr: '${Text}', certificateAuthority: 'from-a-lazy-value' },
        kubelet: { config: { maxPods: 7, nested: { list: ['a', '${Text}'] } }, flags: ['--node-labels=a=${Text}'] },
      },
    });
    const list = new NodeConfig({ instance: { network: { nameservers: Token.asList({ Ref: 'List' }) } } });
    expect(() => list.toYaml()).toThrow('`spec.instance.network.nameservers` is a list token');
  });
});
