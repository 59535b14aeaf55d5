import { keepsMetadataFromPods } from '../../../lib/eks/user-data/metadata-block';
import { readUserData } from '../../../lib/eks/user-data/read-document';
import { SourceText } from '../../../lib/eks/user-data/source-text';
import { cpuTime } from '../../cpu-time';
import { share } from '../../share';

const isBlocked = (script: string) => keepsMetadataFromPods(readUserData(SourceText.of(`#!/bin/sh\n${script}\n`)));

describe('a rule of the packet filter', () => {
  it.each(
    share([
      ['iptables --insert FORWARD 1 --in-interface eni+ --destination 169.254.169.254/32 --jump DROP', true],
      ['yum install -y iptables-services && iptables -I FORWARD -d 169.254.169.254 -j REJECT', true],
      ['iptables -I FORWARD \\\n  -i eni+ \\\n  -d 169.254.169.254/32 \\\n  -j DROP', true],
      ['iptables -I FORWARD \n  -d 169.254.169.254/32 -j DROP', false],
      ['# iptables -I FORWARD -d 169.254.169.254/32 -j DROP', false],
      ['iptables -I INPUT -d 169.254.169.254/32 -j DROP', false],
      ['iptables -I FORWARD -d 169.254.169.254/32 -j ACCEPT', false],
    ]),
  )('%j', (script, expected) => {
    expect(isBlocked(script)).toBe(expected);
  });

  it.each(['iptables ', 'iptables \\\n', 'iptables FORWARD '])(
    'is looked for in many %j in time that grows with their number',
    (piece) => {
      const elapsed = cpuTime();
      expect(isBlocked(piece.repeat(30_000))).toBe(false);
      expect(elapsed()).toBeLessThan(8_000);
    },
  );
});
