/** Does something to all, so many at a time. */
export async function inParallel<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let at = next++; at < all.length; at = next++) await work(all[at] as T);
    }),
  );
}
