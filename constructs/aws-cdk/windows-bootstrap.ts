import { WindowsScripts, type WindowsBootstrapProps } from '../engine-neutral/windows-bootstrap';
import { cdkTokens } from './tokens';

export type { WindowsBootstrapProps } from '../engine-neutral/windows-bootstrap';

/**
 * Scripts and flags of Windows nodes, checked when they are made: EC2Launch runs only what stands in one `<powershell>` block, and doesn't
 * run several. Values may hold CDK tokens.
 *
 * @example
 * new WindowsBootstrap({ scripts: ['Set-TimeZone -Id "W. Europe Standard Time"'], excludedSnatCidrs: ['10.20.0.0/16'] });
 */
export class WindowsBootstrap extends WindowsScripts {
  /** @throws ConstructionError for scripts, flags and ranges that Windows or kubelet would not take as they are */
  constructor(props: WindowsBootstrapProps) {
    super(props, cdkTokens);
  }
}
