import { MIME_TYPES, type MimePart } from '../../lib/eks/user-data/mime/render';
import {
  NODE_CONFIG_API_VERSION,
  NODE_CONFIG_KIND,
  renderNodeConfig,
  validateNodeConfig,
  type NodeConfigSpec,
} from '../../lib/eks/user-data/node-config';
import { ConstructionError } from './construction-error';
import type { TokenTools } from './tokens';

/** A NodeConfig for nodeadm, checked when it is made, with the tokens of one engine. */
export class NodeConfigDocument {
  readonly spec: NodeConfigSpec;
  private readonly tokens: TokenTools;

  /** @throws ConstructionError listing every field that nodeadm would drop or choke on */
  constructor(spec: NodeConfigSpec, tokens: TokenTools) {
    this.spec = spec;
    this.tokens = tokens;
    const problems = validateNodeConfig(
      { apiVersion: NODE_CONFIG_API_VERSION, kind: NODE_CONFIG_KIND, spec },
      (value) => tokens.isToken(value),
    );
    if (problems.length > 0) {
      const list = problems.map((problem) => `\`${problem.path}\` ${problem.message}`).join('; ');
      throw new ConstructionError(undefined, `NodeConfig: ${list}`);
    }
  }

  /** The NodeConfig as a YAML document. */
  toYaml(): string {
    return renderNodeConfig(this.tokens.renderTokens(this.spec, 'NodeConfig', 'spec') as NodeConfigSpec);
  }

  /** The NodeConfig as a part of multipart user data. */
  toMimePart(): MimePart {
    return { type: MIME_TYPES.nodeConfig, body: this.toYaml() };
  }
}
