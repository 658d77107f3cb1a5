import { z } from 'zod';

/** Who asks. Made from the bearer token at the door, never from a request body. */
export const accessSchema = z.object({
  tenant: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a tenant is 1–63 of a–z, 0–9 and -'),
  user: z.string().min(1).max(200),
  groups: z.array(z.string().min(1).max(100)).max(200),
});
export type Access = z.infer<typeof accessSchema>;
