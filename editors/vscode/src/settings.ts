import { workspace, type WorkspaceFolder } from 'vscode';

export const SECTION = 'eksGuardrails';

/** What users set for a folder; `package.json` says what each means. */
export interface Settings {
  readonly enable: boolean;
  /** The command; empty for the package that the folder has installed. */
  readonly path: string;
  /** What the server is told when it starts. */
  readonly server: {
    readonly preset?: string;
    readonly paths: readonly string[];
    readonly unverifiable: boolean;
    readonly configCode: boolean;
  };
}

export function settingsOf(folder: WorkspaceFolder): Settings {
  const section = workspace.getConfiguration(SECTION, folder.uri);
  const preset = section.get('preset', '');
  return {
    enable: section.get('enable', true),
    path: section.get('path', '').trim(),
    server: {
      ...(preset === '' ? {} : { preset }),
      paths: section.get<string[]>('paths', []),
      unverifiable: section.get('unverifiable', false),
      configCode: section.get('configCode', false),
    },
  };
}
