import { defineRule } from '../../engine';
import {
  amiFamilyName,
  flatMapCases,
  type AmiFamily,
  type BlockDevice,
  type BootCase,
  type Plain,
  type Value,
} from '../../eks';
import { judgeBoots } from '../parts/boot-judgements';
import { writtenCode } from '../parts/written-code';
import { passing, type LaunchOutcome } from '../parts/launch-judgements';

/*
 * A block device mapping changes the volume of that name, or adds one. Which name the volume has that images and pods live on
 * depends on the AMI; on Bottlerocket it's the second one.
 * Source: Bottlerocket, README; eksctl, which maps /dev/xvdb for Bottlerocket.
 */

/** The operating system's own volume on Bottlerocket, and the only one on Amazon Linux. */
const ROOT = '/dev/xvda';

/** Bottlerocket's volume for images, pods and logs. */
const DATA = '/dev/xvdb';

/** The root volume of other systems (Ubuntu, Windows), so the name that people copy. */
const FOREIGN_ROOT = '/dev/sda1';

/** GiB that images and pods have without any mapping: whoever asks for no more has it. */
const DEFAULT_SIZE = 20;

/** A template may have the volume with references, which only its author can keep; a block is pasted as a whole. */
const MAP_DATA = {
  cloudformation: 'DeviceName: {{device}} # instead of {{wrong}}, above the same Ebs',
  'aws-cdk': [
    '// in blockDevices of the LaunchTemplate:',
    "deviceName: '{{device}}', // instead of '{{wrong}}', above the same volume",
  ].join('\n'),
  terraform: [
    'block_device_mappings {',
    '  device_name = "{{device}}" # instead of {{wrong}}, with all that its ebs block has',
    '',
    '  ebs {',
    '    volume_size = {{sizeInTerraform}}',
    '  }',
    '}',
  ].join('\n'),
};

export const bottlerocketDataVolume = defineRule<Message>({
  id: 'bottlerocket-data-volume',
  subject: 'launch-template',
  title: 'Launch templates size the volume that images and pods live on',
  severity: 'warning',
  since: '0.1.0',
  messages: {
    systemVolume: {
      text: "{{where}} gives {{size}} GiB to `/dev/xvda`, which holds only the operating system of Bottlerocket. Images and pods live on `/dev/xvdb`, which stays at the AMI's 20 GiB, so nodes run out of disk space as before.",
      fix: {
        summary: 'Map `/dev/xvdb` with that size instead, and leave `/dev/xvda` alone.',
        summaryIn: {
          eksctl: 'Take `volumeName` out: eksctl then gives the size to `/dev/xvdb`, where images and containers are.',
        },
        code: MAP_DATA,
        safety: 'needs-decision',
      },
    },
    addedVolume: {
      text: '{{where}} gives {{size}} GiB to `/dev/sda1`, which no volume of {{family}} is called. That adds an empty volume that nothing uses, and `{{device}}`, where images and pods live, keeps the size that the AMI gives it.',
      fix: { summary: 'Map `{{device}}` instead.', code: MAP_DATA, safety: 'needs-decision' },
    },
  },
  *check(model) {
    yield* judgeBoots(model, ['BOTTLEROCKET', 'AL2', 'AL2023'], judgeBoot);
  },
});

type Message = 'systemVolume' | 'addedVolume';
type Outcome = LaunchOutcome<Message>;

function judgeBoot({ when: given, template, family, image }: BootCase): readonly Outcome[] {
  if (template === undefined) return [];
  const { blockDevices } = template;
  if (blockDevices.length === 0) return passing(given);
  // Told by its bootstrap alone it may be another Linux, with other device names. Bottlerocket's settings nobody else reads.
  const isOther = image.kind !== 'absent' && !(image.kind === 'known' && image.value.family !== undefined);
  if (family.kind === 'known' && family.value !== 'BOTTLEROCKET' && isOther) return [];
  return flatMapCases(fieldsOf(blockDevices), (fields, caseWhen): readonly Outcome[] => {
    const when = given.and(caseWhen);
    if (when === undefined) return [];
    const outcome = judgeFamily(devicesIn(fields, blockDevices.length), family);
    return outcome === undefined ? passing(when) : [{ ...outcome, when }];
  });
}

function judgeFamily(devices: readonly PlainDevice[], family: Plain<AmiFamily>): Omit<Outcome, 'when'> | undefined {
  if (family.kind === 'known') return judgeDevices(devices, family.value);
  if (judgeDevices(devices, 'BOTTLEROCKET') === undefined && judgeDevices(devices, 'AL2023') === undefined)
    return undefined;
  const reason = family.kind === 'unknown' ? family.reason : 'its operating system is not known';
  return {
    verdict: 'unverifiable',
    reason: `which volume images and pods live on depends on the operating system: ${reason}`,
    source: family.source,
  };
}

type Field = string | number;

/** Names and sizes of all devices by position, so that conditions can be split over all of them. */
function fieldsOf(devices: readonly BlockDevice[]): Record<string, Value<Field>> {
  return Object.fromEntries(
    devices.flatMap(({ name, size }, index): [string, Value<Field>][] => [
      [`name${index}`, name],
      [`size${index}`, size],
    ]),
  );
}

interface PlainDevice {
  readonly name: Plain<Field>;
  readonly size: Plain<Field>;
}

function devicesIn(fields: Readonly<Record<string, Plain<Field>>>, count: number): readonly PlainDevice[] {
  return Array.from({ length: count }, (_, index) => ({
    name: fields[`name${index}`],
    size: fields[`size${index}`],
  })).filter(
    (device): device is PlainDevice =>
      device.name !== undefined && device.size !== undefined && device.name.kind !== 'absent',
  );
}

function judgeDevices(devices: readonly PlainDevice[], family: AmiFamily): Omit<Outcome, 'when'> | undefined {
  const right = family === 'BOTTLEROCKET' ? DATA : ROOT;
  const named = (wanted: string) => devices.find(({ name }) => name.kind === 'known' && name.value === wanted);
  if (named(right) !== undefined) return undefined;
  const wrong = [ROOT, FOREIGN_ROOT].map(named).find((device) => device !== undefined && isEnlarged(device));
  // What isn't known may be the right device, or the wrong one.
  const hidden = devices.find(({ name }) => name.kind === 'unknown')?.name;
  if (hidden?.kind === 'unknown')
    return {
      verdict: 'unverifiable',
      reason: `one of its volumes has a name that isn't known: ${hidden.reason}`,
      source: hidden.source,
    };
  if (wrong === undefined) return undefined;
  const { name, size } = wrong;
  if (size.kind === 'unknown')
    return {
      verdict: 'unverifiable',
      reason: `the size of ${nameOf(name)} isn't known: ${size.reason}`,
      source: size.source,
    };
  const data = {
    size: size.kind === 'known' ? String(size.value) : '',
    sizeInTerraform: writtenCode(size, '<GiB>', false).hcl,
    device: right,
    wrong: nameOf(name),
    family: amiFamilyName(family),
  };
  return {
    verdict: 'fail',
    message: nameOf(name) === ROOT ? 'systemVolume' : 'addedVolume',
    data,
    source: size.source,
  };
}

function isEnlarged({ size }: PlainDevice): boolean {
  if (size.kind !== 'known') return size.kind === 'unknown';
  return typeof size.value === 'number' && size.value > DEFAULT_SIZE;
}

function nameOf(name: Plain<Field>): string {
  return name.kind === 'known' ? String(name.value) : '';
}
