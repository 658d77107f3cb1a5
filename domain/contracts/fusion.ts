import { z } from 'zod';

const weight = z.number().min(0);

/** How the hits of both legs become one ranking; the formulae are in `domain/rules/fusion.ts` and `domain/rules/rescore.ts`. */
export const fusionSchema = z.discriminatedUnion('method', [
  z.strictObject({
    /** Reciprocal rank fusion. */
    method: z.literal('rrf'),
    rankConstant: z.number().positive(),
    weights: z.strictObject({ bm25: weight, knn: weight }),
  }),
  z.strictObject({
    /** Sum of min-max normalised scores. */
    method: z.literal('convex'),
    weights: z.strictObject({ bm25: weight, knn: weight }),
  }),
  z.strictObject({
    /** Every hit is compared with the question by its own vector and its strips' vectors, and then with the best hits. */
    method: z.literal('rescore'),
    weights: z
      .strictObject({ bm25: weight, knn: weight, strip: weight, feedback: weight })
      .refine(({ bm25, knn, strip }) => bm25 + knn + strip > 0, 'bm25, knn or strip must weigh something'),
    /** How many of the best hits the others are compared with. */
    feedbackPassages: z.number().int().min(1).max(10),
  }),
]);
export type Fusion = z.infer<typeof fusionSchema>;
