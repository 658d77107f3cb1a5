/** Like Promise.all, but waits for all before it throws, so that whatever was still starting has been put on the list of things to close. */
export async function allSettledOrThrow<T extends readonly unknown[]>(parts: {
  [K in keyof T]: Promise<T[K]>;
}): Promise<T> {
  await Promise.allSettled(parts);
  return Promise.all(parts);
}
