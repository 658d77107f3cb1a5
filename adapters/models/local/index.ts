export { createLocalEmbedding } from './embedding.ts';
export { forbidTelemetry } from './no-telemetry.ts';
export { createPairScorer, type LocalPairScorer } from './pair-scorer.ts';
