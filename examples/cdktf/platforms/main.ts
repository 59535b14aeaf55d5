// Platforms to start from, one in each file. `EXAMPLE=platforms npx cdktf synth` passes.
import { App } from 'cdktf';
import { EksGuardrails } from 'eks-guardrails/cdktf';
import { addPlatforms } from './platforms';

const app = new App();
EksGuardrails.of(app, { preset: 'strict', failOn: 'warning' });
addPlatforms(app);
app.synth();
