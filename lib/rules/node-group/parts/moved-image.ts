import { bootCasesOf, type Image, type Known, type LaunchTemplate, type NodeBoot, type When } from '../../../eks';
import type { CorrectedLines } from '../../../eks/user-data/correction';
import { runningScriptOf } from '../../../eks/user-data/scripts';
import { inNodeConfig } from '../../parts/corrected-bootstrap';
import { inOwnModule } from '../../parts/metadata-options-code';

/* Code that gives a launch template another AMI of AWS, such as one of Amazon Linux 2023 in place of Amazon Linux 2, with the user data that its nodes read. */

/** What the codes of the fix are filled with, all of it empty where words alone can say it, and the lines of the user data. */
export interface MovedImage {
  readonly data: Readonly<Record<'imageInTemplate' | 'imageInTerraform', string>>;
  readonly linesToo?: CorrectedLines;
}

export const IN_WORDS: MovedImage = { data: { imageInTemplate: '', imageInTerraform: '' } };

/** What somebody has to find out first. */
const OPEN = /<|\$\{/;

/**
 * @param path of the SSM parameter that has the AMI, with `<version>` where that isn't known
 * @param isPlaced whether the code says by itself where it goes
 */
export function movedImage(
  boot: NodeBoot,
  { value, source }: Pick<Known<Image>, 'value' | 'source'>,
  path: string,
  when: When,
  isPlaced = false,
): MovedImage {
  const lines = value.family === 'AL2' ? linesOf(boot, when) : 'none';
  if (lines === undefined) return IN_WORDS;
  const { versionFrom, kubernetesVersion = '', resolvedAtLaunch } = value;
  const version = versionFrom?.source.expression;
  const named = (expression: string): string => path.replace(`/${kubernetesVersion}/`, `/${expression}/`);
  const parameter = /^(?:!Ref |\$\{)(\w+)\}?$/.exec(version ?? '')?.[1];
  const inTemplate = parameter === undefined ? path : named(`\${${parameter}}`);
  const looked = resolvedAtLaunch === true ? `resolve:ssm:${inTemplate}` : `{{resolve:ssm:${inTemplate}}}`;
  const inTerraform = version === undefined || /^[!$]/.test(version) ? path : named(`\${${version}}`);
  // Where an expression chooses among several AMIs, the others are wanted, too.
  const isPlain = /^(?:nonsensitive\()?data\.[\w.[\]-]+\)?$/.test(source.expression ?? 'data.one');
  const name = path.includes('/arm64/') ? 'nodes_arm64' : 'nodes';
  const place =
    boot.template.kind === 'known' && (isPlaced || lines !== 'none') ? [placeIn(boot.template.value, isPlaced)] : [];
  const ofParameter = /^default of parameter (\w+)$/.exec(source.decided?.by ?? '')?.[1];
  const { file, line } = (source.decided?.at ?? source).locate();
  return {
    data: {
      imageInTemplate: OPEN.test(path)
        ? ''
        : // Beside the parameter there may be another for AMIs of the user's own.
          ofParameter !== undefined
          ? `# in parameter ${ofParameter}, ${file}:${line}:\nDefault: ${path} # a stack that exists is given it`
          : `ImageId: ${parameter === undefined ? '' : '!Sub '}"${looked}"`,
      imageInTerraform:
        OPEN.test(path) || !isPlain
          ? ''
          : [
              ...place,
              `image_id = data.aws_ssm_parameter.${name}.value`,
              '',
              `data "aws_ssm_parameter" "${name}" {`,
              `  name = "${inTerraform}"`,
              '}',
            ].join('\n'),
    },
    ...(lines === 'none' ? {} : { linesToo: lines }),
  };
}

/** Of a template in a module of its own, another finding's code has to name the file. */
function placeIn({ id, source }: LaunchTemplate, isOfAnother: boolean): string {
  const name = inOwnModule(id);
  return isOfAnother && name !== id.replace(/\[[^[\]]*\]$/, '')
    ? `# in ${source.locate().file}, ${name}:`
    : `# in ${name}:`;
}

/** The user data without its call of `bootstrap.sh`; undefined where that can't be told, or where it isn't the same in all cases. */
function linesOf(boot: NodeBoot, when: When): CorrectedLines | 'none' | undefined {
  const all = new Map<string, CorrectedLines | 'none' | undefined>();
  for (const one of bootCasesOf(boot)) {
    if (one.when.and(when) === undefined) continue;
    const calls = one.document?.parts.some((part) => (runningScriptOf(part)?.bootstrapCalls.length ?? 0) > 0);
    const lines = one.userData.kind === 'unknown' ? undefined : calls === true ? inNodeConfig(one) : 'none';
    all.set(lines === undefined ? '' : JSON.stringify(lines), lines);
  }
  const [first] = all.values();
  return all.size > 1 ? undefined : first;
}
