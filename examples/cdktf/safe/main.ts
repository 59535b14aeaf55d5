// The twin of the misconfigured app, with the safe constructs. `cdktf synth` passes, with the same checks switched on.
import { App } from 'cdktf';
import { EksGuardrails } from 'eks-guardrails/cdktf';
import { CustomAmiStack } from './custom-ami-stack';
import { PlatformStack } from './platform-stack';

const app = new App();
EksGuardrails.of(app, { failOn: 'warning' });

new PlatformStack(app, 'Platform');
new CustomAmiStack(app, 'CustomAmi');

app.synth();
