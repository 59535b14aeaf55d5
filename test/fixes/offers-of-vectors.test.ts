import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPaths } from '../../lib/check';
import { Offers } from '../../lib/fixes/offers';
import { fixFiles } from '../../lib/fixes/run';
import { workspace } from '../cli/workspace';
import { templateVectors } from '../metamorphic/vectors';

/** So many vectors are drawn. */
const DRAWN = 80;

const STILL_THERE = 'the finding would still be there';
const UNTOLD = 'it could no longer be told whether the rule is followed';

/**
 * What only a second check tells, which a report doesn't make: by the rule whose repair is given up, the rules that find something then. Mostly what
 * could not be read before is wrong, too, or another system or release asks for more.
 */
const SEEN_AFTERWARDS: Readonly<Record<string, readonly string[]>> = {
  'addon-version': [
    'custom-networking-conflicts',
    'vpc-cni-env-values',
    'vpc-cni-role-subnet-discovery',
    'vpc-cni-windows-ipam',
  ],
  'ami-type-architecture': [UNTOLD],
  'ami-type-kubernetes-version': [
    'ami-type-accelerator',
    'imds-hop-limit',
    'node-config-decoding',
    'node-user-data-duplicate-bootstrap',
    'node-user-data-format',
    'user-data-ami-family',
  ],
  'imds-endpoint-disabled': ['imds-hop-limit', 'imds-v1'],
  'kube-proxy-version-skew': [STILL_THERE],
  'launch-template-node-group-conflict': [STILL_THERE, UNTOLD, 'user-data-ami-family'],
  'launch-template-user-data-encoding': [
    'bottlerocket-settings',
    'node-user-data-format',
    'node-user-data-missing-bootstrap',
    'user-data-mime-structure',
    'user-data-shebang',
  ],
  'node-config-value': ['prefix-delegation-max-pods'],
  'node-group-force-update': ['drain-blocked'],
  'node-group-kubernetes-version': ['kubelet-feature-gate'],
  'user-data-mime-structure': [
    STILL_THERE,
    'bootstrap-script-arguments',
    'kubelet-feature-gate',
    'node-config-cluster',
    'node-config-decoding',
    'user-data-shebang',
  ],
  'user-data-shebang': ['nodeadm-init-in-user-data', 'user-data-ami-family'],
  'vpc-cni-configuration-schema': [STILL_THERE, 'vpc-cni-tcp-early-demux'],
  'vpc-cni-resolve-conflicts': ['security-group-policy'],
  'vpc-cni-warm-targets': ['vpc-cni-configuration-schema'],
};

function isSeenAfterwards(rule: string, reason: string): boolean {
  const caused = /^it would cause (\S+) on /.exec(reason)?.[1];
  return SEEN_AFTERWARDS[rule]?.includes(caused ?? reason) === true;
}

const file = join(workspace({ 'template.yaml': '' }), 'template.yaml');

it('what a report offers is refused for nothing that could be seen before', async () => {
  const wrong: string[] = [];
  let offered = 0;
  const drawn = fc.sample(fc.constantFrom(...templateVectors()), {
    numRuns: DRAWN,
    seed: fc.readConfigureGlobal().seed ?? 0,
  });
  for (const { rule, name, template } of drawn) {
    writeFileSync(file, template);
    const result = checkPaths([file]);
    const offers = new Offers(result);
    const told = new Set(result.findings.filter((finding) => offers.of(finding) !== undefined));
    if (told.size === 0) continue;
    offered += told.size;
    const { refused } = await fixFiles(result, {
      check: (texts) => Promise.resolve(checkPaths([file], {}, { texts })),
      isUnsafe: true,
      isDryRun: true,
      write: () => Promise.reject(new Error('nothing is written')),
      whyNotWritten: () => undefined,
    });
    for (const { finding, reason } of refused)
      if (told.has(finding) && !isSeenAfterwards(finding.rule, reason))
        wrong.push(`${rule}: ${name}: ${finding.rule}: ${reason}`);
  }
  expect(offered).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});
