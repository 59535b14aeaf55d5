import type { Dialect, InputKind } from '../value';
import { cdkOutput } from './cdk-output/front-end';
import { cdktfOutput } from './cdktf-output/front-end';
import { cloudFormation } from './cloudformation/front-end';
import type { AppOutput, FrontEnd } from './front-end';
import { eksctl } from './eksctl/front-end';
import { kubernetes } from './kubernetes/front-end';
import { live } from './live/front-end';
import { plan } from './plan/front-end';
import { pulumi } from './pulumi/front-end';
import { terraform } from './terraform/front-end';
import { userData } from './user-data/front-end';

/** All front ends. Of two that recognize an input equally well, the first has it; what is read comes in this order. */
export const FRONT_ENDS: readonly FrontEnd[] = [
  cloudFormation,
  cdkOutput,
  plan,
  terraform,
  cdktfOutput,
  pulumi,
  eksctl,
  live,
  kubernetes,
  userData,
];

/** All that people write in, in the order in which pages show it. */
export const DIALECTS: readonly Dialect[] = FRONT_ENDS.flatMap(({ dialects = [] }) => dialects);

/** What apps write. */
export function appOutputs(): readonly AppOutput[] {
  return FRONT_ENDS.flatMap(({ detection }) => detection?.output ?? []);
}

/** Whether a kind of input is a folder that an app writes. */
export function isAppOutput(kind: InputKind): boolean {
  return FRONT_ENDS.some(({ kinds, detection }) => kinds[kind] !== undefined && detection?.output !== undefined);
}

/** What reports call a kind of input. */
export function kindText(kind: InputKind): string {
  return FRONT_ENDS.map(({ kinds }) => kinds[kind]).find((text) => text !== undefined) ?? kind;
}

/** All that was sought in vain: `no CloudFormation template, no CDK assembly and no Terraform plan`. */
export function nothingSought(): string {
  const names = FRONT_ENDS.flatMap(({ sought }) => (sought === undefined ? [] : [`no ${sought}`]));
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? 'nothing'}`;
}
