import fc from 'fast-check';
import { runs } from './share';

// Property tests draw the same cases in every run, so that a red build is a change's doing. Other cases: EKS_GUARDRAILS_SEED=<number>.
fc.configureGlobal({
  seed: Number(process.env['EKS_GUARDRAILS_SEED'] ?? 20_261_122),
  // Of properties that don't say so.
  numRuns: runs(100),
});
