import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Testing, TerraformVariable, Token } from 'cdktf';
import {
  AmiFamily,
  BottlerocketSettings,
  ManagedNodeGroup,
  NodeConfig,
  WindowsBootstrap,
  WindowsIpam,
  WindowsNodeAccess,
  WindowsNodeGroup,
  type ClusterAttributes,
} from '../../../constructs/cdktf';
import { runRules } from '../../../lib/engine';
import { EksModel } from '../../../lib/eks';
import { readPlan } from '../../../lib/terraform/plan/plan';
import { readInstances } from '../../../lib/front-ends/terraform/resources';
import { allRules } from '../../../lib/rules';
import { skippedNote } from '../../needs';
import { AMI, elsewhere, subnets } from './node-groups';
import { newCluster, newStack } from './stacks';

/** Folder of provider plugins for `terraform init -plugin-dir`, with version 5.100 of the AWS provider. */
const PLUGINS = process.env['EKS_GUARDRAILS_TERRAFORM_PLUGINS'];
const lack =
  PLUGINS === undefined
    ? 'set EKS_GUARDRAILS_TERRAFORM_PLUGINS to a folder of provider plugins, with terraform on the PATH'
    : undefined;
const whenInstalled = lack === undefined ? it : it.skip;

interface Planned {
  readonly planned_values: {
    readonly root_module: {
      readonly resources: readonly { readonly address: string; readonly values: Readonly<Record<string, unknown>> }[];
    };
  };
}

describe('Terraform', () => {
  const folder = mkdtempSync(join(tmpdir(), 'eks-guardrails-'));

  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  function terraform(...args: string[]): string {
    const { status, stdout, stderr } = spawnSync('terraform', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TF_IN_AUTOMATION: '1', CHECKPOINT_DISABLE: '1' },
      maxBuffer: 1e8,
    });
    if (status !== 0) throw new Error(`terraform ${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  }

  whenInstalled(
    `accepts the node groups, and makes the user data that was meant${skippedNote(lack)}`,
    () => {
      const stack = newStack();
      const known = (name: keyof ClusterAttributes): string =>
        new TerraformVariable(stack, name, { type: 'string', default: elsewhere[name] }).stringValue;
      const cluster = {
        clusterName: known('clusterName'),
        endpoint: known('endpoint'),
        certificateAuthority: known('certificateAuthority'),
        serviceCidr: known('serviceCidr'),
      };
      const pods = new TerraformVariable(stack, 'pods', { type: 'number', default: 17 }).numberValue;
      const kubelet = {
        labels: { tier: 'web' },
        taints: [{ key: 'dedicated', value: 'web', effect: 'NO_SCHEDULE' as const }],
        maxPods: pods,
      };
      const shellScripts = ['#!/bin/bash\necho "${HOME}" %{x} $${y} \\n \\"\n\tprintf "\\$5"\n'];
      const families = [
        {
          amiFamily: AmiFamily.AL2023,
          shellScripts,
          nodeConfig: new NodeConfig({ kubelet: { config: { shutdownGracePeriod: '60s' } } }),
        },
        { amiFamily: AmiFamily.AL2, shellScripts },
        {
          amiFamily: AmiFamily.BOTTLEROCKET,
          bottlerocketSettings: new BottlerocketSettings({ sysctl: { 'vm.max_map_count': '262144' } }),
        },
        {
          amiFamily: AmiFamily.WINDOWS_CORE_2022,
          windowsBootstrap: new WindowsBootstrap({ scripts: ['Write-Host "${env:USERNAME} `"x`""'] }),
        },
      ];
      const expected = new Map<string, string>();
      families.forEach((options, index) => {
        const id = `Workers${index}`;
        const group = new ManagedNodeGroup(stack, id, { cluster, subnets, customAmi: AMI, ...kubelet, ...options });
        // The same group with the values themselves.
        const twin = new ManagedNodeGroup(newStack(), id, {
          cluster: elsewhere,
          subnets,
          customAmi: AMI,
          ...kubelet,
          maxPods: 17,
          ...options,
        });
        expected.set(`aws_launch_template.${group.launchTemplate.friendlyUniqueId}`, twin.userData ?? '');
      });
      new ManagedNodeGroup(stack, 'Default', {
        cluster: newCluster(stack, { accessConfig: { authenticationMode: 'API' } }),
        subnets,
        tags: { team: 'web' },
        diskSize: 50,
        maxUnavailablePercentage: 20,
      });
      new ManagedNodeGroup(stack, 'Ipv6', {
        cluster: newCluster(stack, { kubernetesNetworkConfig: { ipFamily: 'ipv6' } }, 'Other'),
        subnets,
        customAmi: AMI,
        desiredSize: 3,
        nodegroupName: 'web',
      });
      new WindowsNodeGroup(stack, 'Windows', {
        cluster,
        subnets,
        customAmi: AMI,
        windowsIpam: WindowsIpam.MANAGED_ELSEWHERE,
        nodeAccess: WindowsNodeAccess.ACCESS_ENTRY,
      });

      const list = new TerraformVariable(stack, 'list', { type: 'list(string)', default: subnets });
      const map = new TerraformVariable(stack, 'map', { type: 'map(string)', default: { team: 'web' } });
      const of = {
        cluster: elsewhere,
        subnets: list.listValue,
        labels: Token.asStringMap(map.value),
        tags: Token.asStringMap(map.value),
      };
      const tokens = new ManagedNodeGroup(stack, 'Tokens', {
        ...of,
        amiType: 'AL2023_ARM_64_STANDARD',
        minSize: pods,
        diskSize: pods,
        maxUnavailable: pods,
        maxSize: 40,
      });

      const configuration = JSON.parse(Testing.synth(stack, true)) as { terraform: Record<string, unknown> };
      configuration.terraform = { required_providers: { aws: { source: 'hashicorp/aws', version: '5.100.0' } } };
      writeFileSync(join(folder, 'cdk.tf.json'), JSON.stringify(configuration));
      terraform('init', `-plugin-dir=${PLUGINS ?? ''}`);
      terraform('validate');
      terraform('plan', '-out=plan');
      const text = terraform('show', '-json', 'plan');

      const planned = new Map(
        (JSON.parse(text) as Planned).planned_values.root_module.resources.map((resource) => [
          resource.address,
          resource.values,
        ]),
      );
      for (const [address, userData] of expected) {
        expect(Buffer.from(String(planned.get(address)?.['user_data']), 'base64').toString()).toBe(userData);
      }
      expect(planned.get(`aws_eks_node_group.${tokens.nodegroup.friendlyUniqueId}`)).toMatchObject({
        subnet_ids: subnets,
        labels: { team: 'web' },
        tags: { team: 'web' },
        scaling_config: [{ min_size: 17, max_size: 40, desired_size: 17 }],
      });
      const { instances, diagnostics } = readPlan(text, 'plan.json');
      expect(diagnostics).toEqual([]);
      const failed = runRules(new EksModel(readInstances(instances)), allRules)
        .filter((finding) => finding.verdict === 'fail' && finding.severity !== 'info')
        // The clusters are scenery.
        .filter(({ resource }) => resource.type !== 'aws_eks_cluster');
      expect(failed.map((finding) => `${finding.rule}: ${finding.message}`)).toEqual([]);
    },
    120_000,
  );
});
