import { z } from 'zod';
import { modelChoiceSchema, modelRoleSchema } from './models.ts';

/** What a fork of a question does otherwise. `policy` is left out: the original's, as it is now. `models` plays these roles instead of the policy's. */
export const forkRequestSchema = z.strictObject({
  policy: z.string().min(1).max(100).optional(),
  models: z
    .partialRecord(modelRoleSchema, modelChoiceSchema, {
      error: (issue) => (issue.code === 'invalid_type' ? `expected { role: { provider, model } }` : undefined),
    })
    .optional(),
});
export type ForkRequest = z.input<typeof forkRequestSchema>;
export type ModelOverrides = NonNullable<z.output<typeof forkRequestSchema>['models']>;
