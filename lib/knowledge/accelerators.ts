import type { AmiType } from './ami-types';

/** The accelerators that EKS has AMIs with drivers for: GPUs of NVIDIA, and AWS's Inferentia and Trainium (Neuron). */
export type Accelerator = 'nvidia' | 'neuron';

/**
 * Which accelerator an instance type has, by the name of its family: `inf` and `trn` are Neuron, `p`, `g` and `gr` NVIDIA. Undefined
 * for all others, among them those with accelerators that need other drivers: GPUs of AMD (g4ad), Gaudi (dl1), Qualcomm (dl2q), Xilinx
 * (vt1) and FPGAs (f1, f2). It doesn't ask whether the type exists.
 * Source: Amazon EC2 instance types guide, accelerated computing.
 */
export function acceleratorOf(instanceType: string): Accelerator | undefined {
  if (/^(?:inf|trn)\d/.test(instanceType)) return 'neuron';
  return /^(?:p|g|gr)\d/.test(instanceType) && !instanceType.startsWith('g4ad.') ? 'nvidia' : undefined;
}

/**
 * Whether an AMI type brings the driver of an accelerator. Bottlerocket has no Neuron variant: the driver is part of the ordinary ones.
 * Source: bottlerocket-os/bottlerocket, QUICKSTART-EKS.md, "Neuron Support"; eksctl pull request 8173.
 */
export function hasDriver(amiType: AmiType, accelerator: Accelerator): boolean {
  if (amiType.accelerator === undefined) return amiType.family === 'BOTTLEROCKET' && accelerator === 'neuron';
  return amiType.accelerator === accelerator || amiType.accelerator === 'nvidia-or-neuron';
}
