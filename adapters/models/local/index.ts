export { dimensions as localDimensions } from './e5.ts';
export { createLocalEmbedding } from './embedding.ts';
export { forbidTelemetry } from './no-telemetry.ts';
export { createPairScorer, type LocalPairScorer } from './pair-scorer.ts';
