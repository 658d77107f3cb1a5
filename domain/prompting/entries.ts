import { z } from 'zod';

const labelled = z.object({ id: z.string() });

/** The entries of a model's list by their ids; those without an id belong to nobody. */
export function entriesById(entries: readonly unknown[]): Map<string, unknown[]> {
  const byId = new Map<string, unknown[]>();
  for (const entry of entries) {
    const { success, data } = labelled.safeParse(entry);
    if (success) byId.set(data.id, [...(byId.get(data.id) ?? []), entry]);
  }
  return byId;
}
