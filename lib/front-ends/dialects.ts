import type { Dialect } from '../value';
import { AWS_CDK, CLOUDFORMATION } from './cloudformation/dialects';
import { CDKTF, TERRAFORM } from './terraform/dialects';

/** All that people write in, in the order in which pages show it. */
export const DIALECTS: readonly Dialect[] = [CLOUDFORMATION, AWS_CDK, TERRAFORM, CDKTF];
