import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { loadConfigurationFile } from '../../lib/configuration';
import { findConfigurationFile } from '../../lib/configuration/find';
import { readPaths } from '../../lib/front-ends/paths';
import { workspace } from '../cli/workspace';

const root = workspace({ placeholder: '' });
let made = 0;

/** A folder for one test. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = join(root, String(++made));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
}

describe('the search for a configuration file', () => {
  const strict = 'preset: strict\n';

  it('ends at the root of the repository', () => {
    const folder = project({
      'eks-guardrails.config.yaml': strict,
      'repository/.git/HEAD': '',
      'repository/infra/main.tf': '',
      'worktree/.git': 'gitdir: elsewhere\n',
    });
    expect(findConfigurationFile(join(folder, 'repository/infra'))).toBeUndefined();
    expect(findConfigurationFile(join(folder, 'worktree'))).toBeUndefined();
    writeFileSync(join(folder, 'repository/eks-guardrails.config.yaml'), strict);
    expect(findConfigurationFile(join(folder, 'repository/infra'))).toBe(
      join(folder, 'repository/eks-guardrails.config.yaml'),
    );
  });

  it('takes what is in the repository, whoever else can write it', () => {
    const folder = project({ 'eks-guardrails.config.yaml': strict, '.git/HEAD': '', 'infra/nodes/main.tf': '' });
    for (const path of ['.', 'infra']) chmodSync(join(folder, path), 0o777);
    expect(findConfigurationFile(join(folder, 'infra/nodes'))).toBe(join(folder, 'eks-guardrails.config.yaml'));
  });

  it.each([
    ['everybody', 0o777],
    ['everybody, as in /tmp', 0o1777],
  ])('without a repository ends below a folder that others can write: %s', (_, mode) => {
    const folder = project({
      'shared/eks-guardrails.config.yaml': strict,
      'shared/mine/infra/main.tf': '',
      'shared/mine/eks-guardrails.config.json': '{}',
    });
    chmodSync(join(folder, 'shared'), mode);
    expect(findConfigurationFile(join(folder, 'shared/mine/infra'))).toBe(
      join(folder, 'shared/mine/eks-guardrails.config.json'),
    );
    const other = project({ 'shared/eks-guardrails.config.yaml': strict, 'shared/mine/main.tf': '' });
    chmodSync(join(other, 'shared'), mode);
    expect(findConfigurationFile(join(other, 'shared/mine'))).toBeUndefined();
  });

  it('goes on through a folder that only groups of the user can write', () => {
    const folder = project({ 'eks-guardrails.config.yaml': strict, 'shared/mine/main.tf': '' });
    chownSync(join(folder, 'shared'), process.getuid?.() ?? 0, process.getegid?.() ?? 0);
    chmodSync(join(folder, 'shared'), 0o775);
    expect(findConfigurationFile(join(folder, 'shared/mine'))).toBe(join(folder, 'eks-guardrails.config.yaml'));
  });

  it('begins in the folder itself, whoever can write it', () => {
    const folder = project({ 'shared/eks-guardrails.config.yaml': strict });
    chmodSync(join(folder, 'shared'), 0o777);
    expect(findConfigurationFile(join(folder, 'shared'))).toBe(join(folder, 'shared/eks-guardrails.config.yaml'));
  });
});

describe('a configuration file that is a link', () => {
  const NAME = 'eks-guardrails.config.yaml';
  const linked = (files: Readonly<Record<string, string>>, target: string) => {
    const folder = project({ 'elsewhere.yaml': 'failOn: never\n', ...files });
    symlinkSync(target, join(folder, 'own', NAME));
    return join(folder, 'own');
  };

  it.each([
    ['out of the repository', { 'own/.git/HEAD': '', 'own/infra/main.tf': '' }, '../elsewhere.yaml'],
    [
      'to what is no part of the repository',
      { 'own/.git/HEAD': 'failOn: never\n', 'own/infra/main.tf': '' },
      '.git/HEAD',
    ],
    ['out of its folder, where there is no repository', { 'own/infra/main.tf': '' }, '../elsewhere.yaml'],
  ])('is refused by the search: %s', (_, files, target) => {
    const own = linked(files, target);
    expect(() => findConfigurationFile(join(own, 'infra'))).toThrow(
      `${join(own, NAME)}: it is a symbolic link out of the repository or folder, so it is not read; name it with --config`,
    );
    expect(loadConfigurationFile(join(own, NAME)).failOn).toBe('never');
  });

  it('is taken within the repository', () => {
    const own = linked({ 'own/.git/HEAD': '', 'own/ci/shared.yaml': 'failOn: never\n' }, 'ci/shared.yaml');
    expect(findConfigurationFile(own)).toBe(join(own, NAME));
  });
});

describe('files of values that a configuration file names', () => {
  const naming = (path: string) => `terraform:\n  varFiles: [${JSON.stringify(path)}]\n`;
  const NAME = 'eks-guardrails.config.yaml';

  it.each([
    ['above the repository', '../../v.tfvars'],
    ['by a link', 'link.tfvars'],
    ["among git's own", '../.git/v.tfvars'],
  ])('are not read outside of its repository: %s', (_, path) => {
    const folder = project({ 'v.tfvars': 'a = 1\n', 'own/.git/v.tfvars': 'a = 1\n', [`own/ci/${NAME}`]: naming(path) });
    symlinkSync('../../v.tfvars', join(folder, 'own/ci/link.tfvars'));
    expect(() => loadConfigurationFile(join(folder, 'own/ci', NAME))).toThrow(
      `${NAME}:2:14: terraform.varFiles[0]: ${path} is outside of the repository or folder of this configuration file, so it is not read; name it with --var-file`,
    );
  });

  it('are read within it, and one that is not there is told with the others', () => {
    const folder = project({
      'own/.git/HEAD': '',
      'own/v.tfvars': 'a = 1\n',
      'own/ci/own.tfvars': '',
      [`own/ci/${NAME}`]: 'terraform:\n  varFiles: [../v.tfvars, own.tfvars, gone.tfvars]\n',
    });
    expect(loadConfigurationFile(join(folder, 'own/ci', NAME)).configuration.terraform?.varFiles).toHaveLength(3);
  });

  it('open nothing around them, whoever names them', () => {
    const folder = project({
      'secret.txt': 'token',
      'v.tfvars': 'a = "v1"\n',
      'own/.git/HEAD': '',
      'own/main.tf':
        'variable "a" {}\nresource "aws_launch_template" "t" {\n  name      = var.a\n  user_data = base64encode(file("../secret.txt"))\n}\n',
    });
    const [template] = readPaths([join(folder, 'own')], { varFiles: [join(folder, 'v.tfvars')] }).resources.flatMap(
      (resource) => (resource.kind === 'launch-template' ? [resource] : []),
    );
    const text = JSON.stringify([template?.name, template?.userData], (key, value: unknown) =>
      key === 'source' || key === 'when' ? undefined : value,
    );
    expect(text).toContain('"v1"');
    expect(text).toContain('it is outside of the repository');
    expect(text).not.toContain('token');
  });
});
