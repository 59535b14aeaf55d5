import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const NO_CDK = [
  'aws-cdk-lib',
  'aws-cdk-lib/*',
  'cdktf',
  'cdktf/*',
  '@cdktf/*',
  'cdktn',
  'cdktn/*',
  '@cdktn/*',
  'constructs',
  '**/constructs/**',
  '**/aspects/**',
];

const FILES_ARE_OPENED_ONCE = {
  paths: ['node:fs', 'fs'].map((name) => ({
    name,
    importNames: [
      'readFileSync',
      'openSync',
      'readSync',
      'createReadStream',
      'readFile',
      'open',
      'read',
      'promises',
      'default',
    ],
    message: 'lib/files/read.ts opens files: it neither waits for pipes nor fills the memory with devices.',
  })),
  patterns: ['node:fs/promises', 'fs/promises'],
};

export default tseslint.config(
  { ignores: ['dist/**', '**/cdk.out/**', '**/cdktf.out/**', 'node_modules/**', 'test/fixtures/**'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: { allowDefaultProject: ['*.mjs', 'scripts/*.mjs', 'scripts/*.js', '*.js'] },
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      eqeqeq: 'error',
      // A third of the time of all rules together, for what this code doesn't do.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
    },
  },
  {
    // `launchTemplateId!` is how every CDK app reads the id of a template that it made itself.
    files: ['examples/**/*.ts'],
    rules: { '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.js'],
    ...tseslint.configs.disableTypeChecked,
    rules: { ...tseslint.configs.disableTypeChecked.rules, '@typescript-eslint/no-dynamic-delete': 'off' },
  },
  // CommonJS, as the package.json says.
  { files: ['**/*.js'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  {
    // Which day it is, rules and reports are told: lib/text/day.ts alone asks the clock.
    files: ['lib/**/*.ts', 'aspects/**/*.ts', 'constructs/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...[
          'NewExpression[callee.name="Date"][arguments.length=0]',
          'CallExpression[callee.name="Date"]',
          'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
        ].map((selector) => ({
          selector,
          message: "Take the day from the rule's context, or from givenDay() and today().",
        })),
      ],
    },
  },
  {
    // Inputs are other people's texts: no expression may take time that grows faster than they do.
    files: ['lib/**/*.ts', 'constructs/**/*.ts', 'aspects/**/*.ts', 'scripts/**/*.mjs'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-dupe-characters-character-class': 'error',
      'regexp/no-dupe-disjunctions': 'error',
      'regexp/no-empty-alternative': 'error',
      'regexp/no-empty-character-class': 'error',
      'regexp/no-invisible-character': 'error',
      'regexp/no-lazy-ends': 'error',
      'regexp/no-misleading-unicode-character': 'error',
      'regexp/no-optional-assertion': 'error',
      'regexp/no-useless-assertions': 'error',
      'regexp/no-useless-backreference': 'error',
    },
  },
  {
    // Scripts read nothing but the repository.
    files: ['lib/**/*.ts', 'constructs/**/*.ts', 'aspects/**/*.ts'],
    rules: { 'regexp/no-super-linear-move': 'error' },
  },
  {
    // The architecture: rules and readers know no CDK, so that the command needs none of it installed.
    files: ['lib/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { ...FILES_ARE_OPENED_ONCE, patterns: [...NO_CDK, ...FILES_ARE_OPENED_ONCE.patterns] },
      ],
    },
  },
  {
    files: ['lib/files/read.ts', 'lib/cli/write-file.ts'],
    rules: { 'no-restricted-imports': ['error', { patterns: NO_CDK }] },
  },
  { files: ['aspects/**/*.ts'], rules: { 'no-restricted-imports': ['error', FILES_ARE_OPENED_ONCE] } },
);
