import type { z } from 'zod';

const fenced = /^\s*```(?:json)?[ \t]*\r?\n([\s\S]*?)\r?\n?```\s*$/i;

/**
 * A model's answer as a value of the schema, or what is wrong with it, in words that hold nothing of the answer. JSON in a ``` fence is taken;
 * nothing is repaired. An answer that repeats the prompt's nonce has taken data for instructions or instructions for data, so that it is refused.
 */
export function parseAnswer<T>(text: string, schema: z.ZodType<T>, nonce: string): { value: T } | { fault: string } {
  if (text.toLowerCase().includes(nonce)) return { fault: 'the answer holds a delimiter of the prompt' };
  const json = fenced.exec(text)?.[1] ?? text;
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch {
    return { fault: 'the answer is not JSON' };
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  return { fault: `the answer is not of the schema at "${issue?.path.join('.') ?? ''}" (${issue?.code ?? 'invalid'})` };
}
