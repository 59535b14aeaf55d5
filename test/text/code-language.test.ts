import { codeLanguage } from '../../lib/text/code-language';

describe('the language of code', () => {
  it.each([
    ['metadata_options {\n  http_tokens = "required"\n}', 'hcl', 'hcl'],
    ['# in module.eks:\nversion = "1.36"', 'hcl', 'hcl'],
    ['apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig', 'hcl', 'yaml'],
    ['# in the manifest:\nspec:\n  minAvailable: 1', 'hcl', 'yaml'],
    ['- maxUnavailable: 1', 'hcl', 'yaml'],
    ['#!/bin/bash\nset -e', 'hcl', 'sh'],
    ['--use-max-pods false', 'hcl', 'sh'],
    ['#!/bin/bash\nset -e', 'yaml', 'sh'],
    ['[settings.kubernetes]\nmax-pods = 58', 'hcl', 'toml'],
    ['<powershell>\n</powershell>', 'yaml', 'powershell'],
    ['MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="B"', 'hcl', 'text'],
    ['MetadataOptions:\n  HttpTokens: required', 'yaml', 'yaml'],
    ['forceUpdate: false,', 'ts', 'ts'],
    ['', 'hcl', 'hcl'],
  ])('%j in %s is %s', (code, around, language) => {
    expect(codeLanguage(code, around)).toBe(language);
  });
});
