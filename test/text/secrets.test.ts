import { Secrets } from '../../lib/text/secrets';

const hide = (text: string, values: readonly string[] = []): string => new Secrets(values).hide(text);

describe('what looks like a credential', () => {
  it.each([
    ['PASSWORD=hunter22', 'PASSWORD=********'],
    ['  password: correct horse', '  password: ******* *****'],
    ['"DbPassword": "hunter22",', '"DbPassword": "********",'],
    ['"export TOKEN=hunter22\\nnext"', '"export TOKEN=********\\nnext"'],
    ['- name: API_KEY\n  value: hunter22', '- name: API_KEY\n  value: ********'],
    ['{"name": "API_KEY", "value": "hunter22"}', '{"name": "API_KEY", "value": "********"}'],
    ['curl -u admin:hunter22 x', 'curl -u admin:******** x'],
    ['git clone https://0123456789abcdef0123@github.com', 'git clone https://********************@github.com'],
    ['Authorization: Basic YWRtaW4=', 'Authorization: Basic ********'],
    ['aws_access_key_id = AKIAIOSFODNN7EXAMPLE', `aws_access_key_id = ${'*'.repeat(20)}`],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', `aws_secret_access_key = ${'*'.repeat(40)}`],
    ['aws_session_token = IQoJb3JpZ2luX2VjEXAMPLE==', `aws_session_token = ${'*'.repeat(25)}`],
    ['DB_PWD=hunter22', 'DB_PWD=********'],
    ['export JWT=hunter22', 'export JWT=********'],
    ...Array.from('#!&?%*[', (sign): [string, string] => [`PASSWORD="${sign}hunter"`, 'PASSWORD="*******"']),
    ['password: |\n  hunter22\nother: x', 'password: |\n  ********\nother: x'],
    ['mysql -u root -phunter22 db', 'mysql -u root -p******** db'],
    ['sshpass -p hunter22 ssh x', 'sshpass -p ******** ssh x'],
    ["docker login -u me -p 'hunter22' x", "docker login -u me -p '********' x"],
    ["curl -H 'x-api-key: hunter22' x", "curl -H 'x-api-key: ********' x"],
  ])('%s', (text, shown) => {
    expect(hide(text)).toBe(shown);
    expect(hide(text)).toHaveLength(text.length);
  });

  it.each([
    'HttpTokens: required',
    'http_tokens = "optional"',
    'TOKEN=$(curl -X PUT http://169.254.169.254/latest/api/token)',
    'curl -H "X-aws-ec2-metadata-token: $TOKEN" -H "X-aws-ec2-metadata-token-ttl-seconds: 21600"',
    'Password: !Ref DbPassword',
    '"Password": {"Ref": "DbPassword"}',
    '["PASSWORD=", {"Ref": "DbPassword"}]',
    'password = var.password',
    'password = random_password.db.result',
    'PASSWORD=${DbPassword}',
    'secretName: registry',
    'PWD=/home/ec2-user',
    'aws_access_key_id = var.access_key',
    'mysql -P 3306 -p db',
    'docker run -p 8080:80 x',
    'mkdir -p /var/lib/kubelet',
    'PASSWORD="$(aws ssm get-parameter --name db)"',
    'https://docs.aws.amazon.com/eks/latest/userguide/a.html',
    'arn:aws:secretsmanager:eu-central-1:111122223333:secret:db',
    'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDhexexample',
    'token: |',
    'sha256-0123456789abcdef0123456789abcdef0123456789abcdef',
  ])('not: %s', (text) => {
    expect(hide(text)).toBe(text);
  });

  it.each([
    ['password: true', 'password: true'],
    ['password: none   ', 'password: none   '],
    ['api_key = "required"', 'api_key = "required"'],
    ['token=module.vault.token', 'token=module.vault.token'],
    ['password: nonesuch', 'password: ********'],
    ['password=true\npassword=hunter22', 'password=true\npassword=********'],
  ])('is no setting: %j', (text, shown) => {
    expect(hide(text)).toBe(shown);
  });
});

describe('base64', () => {
  const encoded = (content: string | Buffer) => Buffer.from(content).toString('base64');
  const stars = (text: string) => '*'.repeat(text.length);

  // With none, one and two characters that fill it up.
  it.each(['', '1', '12'])('that holds a credential is hidden as a whole: %j', (more) => {
    const text = encoded(`#!/bin/bash\nexport PASSWORD=hunter22${more}`);
    expect(hide(`UserData: ${text}\nNext: 1`)).toBe(`UserData: ${stars(text)}\nNext: 1`);
  });

  it.each([
    ['lines of 76', 76, '\n'],
    ['lines of an odd length', 41, '\n    '],
    ['short lines', 10, '\r\n'],
    ['escaped line breaks', 64, '\\n'],
    ['continued lines', 60, '\\\n'],
  ])('that is broken is hidden: %s', (_, width, lineEnd) => {
    const text = encoded(`#!/bin/bash\n${'echo ok\n'.repeat(8)}export PASSWORD=hunter22 # ${'x'.repeat(30)}\n`);
    const lines = text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
    expect(lines.length).toBeGreaterThan(1);
    const shown = hide(`UserData: |\n  ${lines.join(lineEnd)}\nNext: 1`);
    expect(shown).toBe(
      `UserData: |\n  ${lines.map((line) => '*'.repeat(line.length)).join(lineEnd.replace('\\\n', '*\n'))}\nNext: 1`,
    );
  });

  it('that is broken stays if it holds none, and so do words', () => {
    const lines = encoded(`#!/bin/bash\n${'echo ok\n'.repeat(20)}`).match(/.{1,76}/g) ?? [];
    const text = `${lines.join('\n')}\n\nsome words of a text\nPASSWORD\nand more of them here and there\nwithout any\n`;
    expect(hide(text)).toBe(text);
  });

  it('is looked through in the time that its length takes', () => {
    const text = `${encoded('#!/bin/bash\necho ok').slice(0, 24)}\n`.repeat(40_000);
    const start = Date.now();
    expect(hide(text)).toBe(text);
    expect(Date.now() - start).toBeLessThan(20_000);
  });

  it('that holds a setting and a credential is hidden, whichever comes first', () => {
    const texts = [
      encoded('#!/bin/bash\nPASSWORD=true \nPASSWORD=hunter22'),
      encoded('#!/bin/bash\nPASSWORD=hunter22\nPASSWORD=true\n'),
    ];
    expect(texts.map((text) => hide(text))).toEqual(texts.map(stars));
  });

  it.each<[string, string | Buffer]>([
    ['holds none', '#!/bin/bash\n/etc/eks/bootstrap.sh main --apiserver'],
    ['holds settings', '#!/bin/bash\necho and then\npassword: none   \n'],
    [
      'begins with what is no text',
      Buffer.concat([Buffer.from([0, 1, 2]), Buffer.from('\nPASSWORD=hunter22 and some more')]),
    ],
    [
      'soon goes on with what is no text',
      Buffer.concat([Buffer.from('text'), Buffer.from([0, 1]), Buffer.from('\nPASSWORD=hunter22 and some more')]),
    ],
    ['is short', 'PASSWORD=hunter22'],
  ])('that %s is not', (_, content) => {
    expect(hide(encoded(content))).toBe(encoded(content));
  });
});

describe('a declared value', () => {
  it('is hidden in all forms of files', () => {
    const secrets = new Secrets(['pa"ss\'wörd', 'abc1', 'first line\nsecond line']);
    expect(secrets.hide('"pa\\"ss\'wörd" abc1 xabc1 abc1-x')).toBe('"**\\"**\'****" **** xabc1 abc1-x');
    expect(secrets.hide('a: |\n  first line\n  second line\n')).toBe('a: |\n  ***** ****\n  ****** ****\n');
  });

  it.each([
    ['in single quotes of YAML', "it's-me", "'it''s-me'", "'**''****'"],
    ['in a heredoc of HCL', 'a${b}"c%{d}$e', 'a$${b}"c%%{d}$e', '******"********'],
    ['in a string of HCL', 'a${b}"c%{d}$e', '"a$${b}\\"c%%{d}$e"', '"******\\"********"'],
    ['with a backslash in JSON', 'ab\\cdef', '"ab\\\\cdef"', '"**\\\\****"'],
    ['in a string of YAML that needs no escapes', 'a"${b}%{c}', "a: 'a\"${b}%{c}'", "a: '*\"********'"],
    ['of short lines, in JSON', 'ab\ncd', '"x=ab\\ncd"', '"x=**\\n**"'],
    [
      'of several lines that are indented and end as those of Windows do',
      '  line one\r\n  line two ',
      'line one|line two',
      '**** ***|**** ***',
    ],
  ])('is hidden %s', (_, value, text, shown) => {
    expect(hide(text, [value])).toBe(shown);
  });

  it.each([
    ['abc', 'abc', 'abc'],
    ['abcd', 'abcd', '****'],
    ['abcd', '(abcd)', '(****)'],
    ['abcd', 'abc abcd', 'abc ****'],
    ['abcd', 'xabcd', 'xabcd'],
    ['abcd', 'abcd_', 'abcd_'],
    ['abcd', '-abcd', '-abcd'],
    ['abcdefg', 'abcdefgx', 'abcdefgx'],
    ['abcdefgh', 'xabcdefghx', 'x********x'],
    ['abcdefgh', 'abcdefghabcdefgh', '****************'],
    ['abcdefgh', 'one abcdefgh two abcdefgh three', 'one ******** two ******** three'],
  ])('%s in %s: %s', (value, text, shown) => {
    expect(hide(text, [value])).toBe(shown);
  });

  it('that begins like another one is hidden to its end', () => {
    const values = ['secret-of-one', 'secret-of-one-and-two', 'secret-of-one-and'];
    for (const order of [values, values.toReversed(), [...values, ...values]]) {
      expect(hide('a secret-of-one-and-two, secret-of-one-and, secret-of-one', order)).toBe(
        'a *********************, *****************, *************',
      );
    }
  });
});
