/** Too many wait already. */
export class TurnsFull extends Error {}

/** Does one piece of work after another; at most `most` wait besides the one under way. */
export class Turns {
  private readonly most: number;
  private waiting = 0;
  private last: Promise<unknown> = Promise.resolve();

  constructor(most: number) {
    this.most = most;
  }

  /** Resolves to what the work gives, or to null when whoever wanted it had gone before its turn came. @throws TurnsFull */
  async take<T>(work: () => Promise<T>, gone: AbortSignal): Promise<T | null> {
    if (this.waiting > this.most) throw new TurnsFull();
    this.waiting++;
    const turn = this.last.then(() => (gone.aborted ? null : work())).finally(() => this.waiting--);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
