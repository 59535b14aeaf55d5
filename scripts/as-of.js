// The day for which the examples, the docs and the tests are judged, whenever they run: versions leave standard support, and suppressions end.
// Whoever loads this, and what it starts, is given the day by the environment.
exports.AS_OF = '2026-11-21';
process.env.EKS_GUARDRAILS_AS_OF = exports.AS_OF;
