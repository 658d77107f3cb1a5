/** Does pieces of work that concern the same thing one after another, and others beside each other. */
export class OneAtATime {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(thing: string, work: () => Promise<T>): Promise<T> {
    const turn = (this.last.get(thing) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    this.last.set(thing, settled);
    try {
      return await turn;
    } finally {
      if (this.last.get(thing) === settled) this.last.delete(thing);
    }
  }
}
