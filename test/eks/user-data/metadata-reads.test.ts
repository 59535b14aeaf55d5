import { tokenlessReadIn } from '../../../lib/eks/user-data/metadata-reads';
import { readUserData } from '../../../lib/eks/user-data/read-document';
import { SourceText } from '../../../lib/eks/user-data/source-text';

const line = (...lines: readonly string[]) => tokenlessReadIn(readUserData(SourceText.of(lines.join('\n'))));

describe('tokenlessReadIn', () => {
  it.each([
    ['curl in a substitution', 'ID=$(curl -s http://169.254.169.254/latest/meta-data/instance-id)'],
    ['wget', 'wget -qO- http://169.254.169.254/latest/dynamic/instance-identity/document'],
    ['an address of IPv6', 'curl -s "http://[fd00:ec2::254]/latest/meta-data/instance-id"'],
  ])('finds a request by %s', (_, command) => {
    expect(line('#!/bin/bash', 'set -e', command)).toBe(3);
  });

  it.each([
    ['a comment', '# curl http://169.254.169.254/latest/meta-data/instance-id'],
    ['a token that another line fetches', 'TOKEN=$(curl -X PUT http://169.254.169.254/latest/api/token)'],
    ['a header', 'curl -H "X-aws-ec2-metadata-token: $T" http://169.254.169.254/latest/meta-data/instance-id'],
    ['a rule of the packet filter', 'iptables -I FORWARD -d 169.254.169.254/32 -j DROP'],
    ['another host', 'curl http://10.0.0.1/latest/meta-data/'],
    ['the tool of the AMI', 'ec2-metadata --instance-id'],
  ])('takes %s for none', (_, command) => {
    expect(line('#!/bin/bash', command)).toBeUndefined();
  });

  it('looks at scripts that run alone', () => {
    expect(line('curl http://169.254.169.254/latest/meta-data/', 'and that is all')).toBeUndefined();
  });
});
