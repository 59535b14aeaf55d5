import { App, CfnParameter, Fn, Lazy, Stack, Token } from 'aws-cdk-lib';
import {
  BottlerocketSettings,
  ConstructionError,
  WindowsBootstrap,
  type BottlerocketSettingsProps,
  type WindowsBootstrapProps,
} from '../../../constructs/aws-cdk';
import { readBottlerocket } from '../../../lib/eks/user-data/bottlerocket';
import { SourceText } from '../../../lib/eks/user-data/source-text';
import { textOf } from './clusters';

describe('BottlerocketSettings', () => {
  const read = (toml: string): unknown => {
    const { data, problems } = readBottlerocket(SourceText.of(toml));
    expect(problems).toEqual([]);
    return data;
  };

  it('render typed and free settings as one document that reads back', () => {
    const settings = new BottlerocketSettings({
      maxPods: 58,
      clusterDns: '10.100.0.10',
      hostContainers: {
        admin: { enabled: true, userData: 'e30=' },
        backup: { enabled: true, source: 'registry.example.org/backup:1', superpowered: false },
      },
      sysctl: { 'vm.max_map_count': '262144' },
      settings: {
        kubernetes: { 'eviction-hard': { 'memory.available': '15%' } },
        ntp: { 'time-servers': ['169.254.169.123'] },
        kernel: { lockdown: 'integrity' },
      },
    });
    expect(read(settings.toToml())).toEqual({
      settings: {
        kubernetes: { 'max-pods': 58, 'cluster-dns-ip': '10.100.0.10', 'eviction-hard': { 'memory.available': '15%' } },
        'host-containers': {
          admin: { enabled: true, 'user-data': 'e30=' },
          backup: { enabled: true, source: 'registry.example.org/backup:1', superpowered: false },
        },
        kernel: { sysctl: { 'vm.max_map_count': '262144' }, lockdown: 'integrity' },
        ntp: { 'time-servers': ['169.254.169.123'] },
      },
    });
    expect(settings.toUserData().render()).toBe(settings.toToml());
  });

  it('take tokens', () => {
    const stack = new Stack(new App(), 'Test');
    const number = new CfnParameter(stack, 'Number', { type: 'Number' }).valueAsNumber;
    const text = new CfnParameter(stack, 'Text').valueAsString;
    const settings = new BottlerocketSettings({
      maxPods: number,
      clusterDns: text,
      hostContainers: { admin: { source: `${text}/admin:1`, userData: Lazy.string({ produce: () => 'e30=' }) } },
      settings: { network: { 'no-proxy': [Fn.join('', ['a', text])] }, free: Token.asAny({ Ref: 'Text' }) },
    });
    const toml = textOf(stack.resolve(settings.toToml()));
    expect(toml).toContain('max-pods = ${Number}\n');
    expect(read(toml.replace('${Number}', '7').replaceAll('${Text}', '10.0.0.10'))).toEqual({
      settings: {
        kubernetes: { 'max-pods': 7, 'cluster-dns-ip': '10.0.0.10' },
        'host-containers': { admin: { source: '10.0.0.10/admin:1', 'user-data': 'e30=' } },
        network: { 'no-proxy': ['a10.0.0.10'] },
        free: '10.0.0.10',
      },
    });
  });

  it('leave settings alone that a newer Bottlerocket may have', () => {
    expect(() => new BottlerocketSettings({ settings: { kubernetes: { 'brand-new': true } } })).not.toThrow();
  });

  it('take host containers that are off, and those that Bottlerocket has, with a part of their settings', () => {
    expect(
      () =>
        new BottlerocketSettings({
          hostContainers: { backup: { enabled: false }, control: { enabled: false }, admin: { superpowered: false } },
        }),
    ).not.toThrow();
  });

  const circle: Record<string, unknown> = {};
  circle.again = circle;

  it.each<[BottlerocketSettingsProps, string]>([
    [{ maxPods: -1 }, '`settings.kubernetes.max-pods` is the number -1'],
    [{ maxPods: 1.5 }, '`settings.kubernetes.max-pods` is the number 1.5'],
    [{ clusterDns: 'coredns' }, '`settings.kubernetes.cluster-dns-ip` is "coredns", which is no IP address'],
    [
      { maxPods: 1, settings: { kubernetes: { 'max-pods': 2 } } },
      '`settings.kubernetes.max-pods` is set by an option of its own and in settings',
    ],
    [
      { sysctl: { a: 'b' }, settings: { kernel: { sysctl: { a: 'c' } } } },
      '`settings.kernel.sysctl.a` is set by an option of its own',
    ],
    [{ sysctl: { a: 1 } as unknown as Record<string, string> }, '`settings.kernel.sysctl.a` is the number 1'],
    [{ settings: { kubernetes: { 'node-taints': { a: ['b'] } } } }, 'without an effect'],
    [{ settings: { metadata: { 'hop-limit': 2 } } }, '`settings.metadata` is no section'],
    [{ settings: { kubernetes: { 'node-labels': { a: true } } } }, 'values of labels must be strings'],
    [{ settings: { list: [1, 'a'] } }, 'mixed types'],
    [{ settings: { 'a"b': { c: 1 } } }, 'quotation mark'],
    [{ settings: { a: null } }, '`settings.a` is null'],
    [
      { hostContainers: { backup: { enabled: true } } },
      '`settings.host-containers.backup` lacks source and superpowered',
    ],
    [
      { settings: { 'host-containers': { backup: { source: 'registry.example.org/backup:1' } } } },
      '`settings.host-containers.backup` lacks enabled and superpowered',
    ],
    [
      { hostContainers: { 'my.backup': { enabled: false } } },
      '`settings.host-containers.my.backup` has a name of other characters',
    ],
    [
      { hostContainers: { admin: { userData: '{ "ssh": {} }' } } },
      '`settings.host-containers.admin.user-data` is no valid base64',
    ],
    [{ settings: circle }, 'nested too deeply'],
    [{ settings: { list: Token.asList({ Ref: 'List' }) } }, '`settings.list` is a list token'],
  ])('refuse %j', (props, message) => {
    expect(() => new BottlerocketSettings(props)).toThrow(ConstructionError);
    expect(() => new BottlerocketSettings(props)).toThrow('BottlerocketSettings: ');
    expect(() => new BottlerocketSettings(props)).toThrow(message);
  });
});

describe('WindowsBootstrap', () => {
  it('takes scripts with and without tags, flags, ranges, and tokens in them', () => {
    const stack = new Stack(new App(), 'Test');
    const text = new CfnParameter(stack, 'Text').valueAsString;
    const props = {
      scripts: ['<powershell>\nGet-Date\n</powershell>', `Write-Host ${text}`],
      kubeletExtraArgs: ['--v=4', `--kube-reserved=${text}`],
      excludedSnatCidrs: ['10.20.0.0/16', text],
    };
    expect(new WindowsBootstrap(props)).toEqual(props);
  });

  it('takes scripts that may end early', () => {
    expect(() => new WindowsBootstrap({ scripts: ['if (Test-Path C:\\stop) { exit 1 }'] })).not.toThrow();
  });

  it.each<[WindowsBootstrapProps, string]>([
    [{ scripts: ['  '] }, 'scripts[0] is empty'],
    [
      { scripts: ['Get-Date', '& "$env:ProgramFiles\\Amazon\\EKS\\Start-EKSBootstrap.ps1" -EKSClusterName main'] },
      'scripts[1] calls Start-EKSBootstrap.ps1',
    ],
    [{ scripts: ['<persist>true</persist>'] }, 'scripts: a script holds <persist>'],
    [{ scripts: ['a </powershell> b'] }, 'scripts: a script holds </powershell>'],
    [
      { scripts: ['Get-Date\nexit 0'] },
      'scripts: a script ends PowerShell with "exit", so that the bootstrap behind it would never run',
    ],
    [{ scripts: ['Write-Host "hello'] }, "scripts: the bootstrap can't be put behind these scripts"],
    [{ kubeletExtraArgs: ['--max-pods=5'] }, 'kubeletExtraArgs has "--max-pods=5"; use maxPods of the node group'],
    [{ kubeletExtraArgs: ['--node-labels=a=b'] }, 'use labels of the node group'],
    [{ kubeletExtraArgs: ['--register-with-taints=a=b:NoSchedule'] }, 'use taints of the node group'],
    [{ kubeletExtraArgs: ['v=4'] }, 'kubeletExtraArgs: "v=4" is no flag'],
    [{ kubeletExtraArgs: ['--a="b"'] }, 'kubeletExtraArgs: '],
    [{ excludedSnatCidrs: ['10.20.0.0'] }, 'excludedSnatCidrs has "10.20.0.0"; a range looks like 10.20.0.0/16'],
    [{ excludedSnatCidrs: ['10.20.0.0/33'] }, 'excludedSnatCidrs has'],
    [{ excludedSnatCidrs: ['fd00::/108'] }, 'excludedSnatCidrs has'],
  ])('refuses %j', (props, message) => {
    expect(() => new WindowsBootstrap(props)).toThrow(ConstructionError);
    expect(() => new WindowsBootstrap(props)).toThrow(`WindowsBootstrap: ${message.startsWith('use') ? '' : message}`);
    expect(() => new WindowsBootstrap(props)).toThrow(message);
  });
});
