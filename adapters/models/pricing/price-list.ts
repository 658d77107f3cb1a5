import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import shipped from './prices.json' with { type: 'json' };

/** US dollars per million tokens, to the millionth. */
const rate = z.number().min(0).max(100_000).multipleOf(1e-6);
const ratesSchema = z.strictObject({
  input: rate,
  /** Read from the provider's cache. */
  cachedInput: rate,
  /** Written to it, for the shortest time that the provider sells. */
  cacheWrite: rate,
  output: rate,
});
export type Rates = z.infer<typeof ratesSchema>;

const priceSchema = ratesSchema.extend({
  /** `provider/model`; dated snapshots of the model cost the same. A `*` at the end stands for any ending. */
  model: z.string().regex(/^[^*]+\*?$/),
  /** For the whole call when its prompt, cached parts included, is longer than `above` tokens. */
  longPrompt: ratesSchema.extend({ above: z.number().int().positive() }).optional(),
  /** The day on which this was the price. */
  asOf: z.iso.date(),
  /** The page that said so. */
  source: z.string(),
});
export type Price = z.infer<typeof priceSchema>;

const fileSchema = z.strictObject({
  currency: z.literal('USD'),
  per: z.literal('million tokens'),
  prices: z.array(priceSchema),
});

/** A price file that cannot be used. The message says which file and which field. */
export class PriceFileError extends Error {
  constructor(file: string, detail: string, cause?: unknown) {
    super(`${file}: ${detail}`, { cause });
    this.name = 'PriceFileError';
  }
}

/**
 * The shipped prices, with those of the own file before them, where there is one.
 * @throws PriceFileError
 */
export async function loadPrices(ownFile: string | null): Promise<Price[]> {
  const { prices } = fileSchema.parse(shipped);
  return ownFile === null ? prices : [...(await readOwn(ownFile)), ...prices];
}

async function readOwn(file: string): Promise<Price[]> {
  let data: unknown;
  try {
    data = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new PriceFileError(file, error instanceof Error ? error.message : String(error), error);
  }
  const parsed = fileSchema.safeParse(data);
  if (parsed.success) return parsed.data.prices;
  const wrong = parsed.error.issues.map(({ path, message }) => `${path.join('.') || '(whole file)'}: ${message}`);
  throw new PriceFileError(file, wrong.join('; '), parsed.error);
}
