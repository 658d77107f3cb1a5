export { createLocalEmbedding } from './embedding.ts';
