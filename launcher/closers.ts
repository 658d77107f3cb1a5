/** What has been started, closed again in the opposite order. An error of one does not keep the others open; the first is thrown at the end. */
export class Closers {
  private readonly started: { name: string; close: () => unknown }[] = [];

  add(name: string, close: () => unknown): void {
    this.started.push({ name, close });
  }

  async closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (let next = this.started.pop(); next; next = this.started.pop()) {
      try {
        await next.close();
      } catch (error) {
        errors.push(new Error(`closing ${next.name} failed`, { cause: error }));
      }
    }
    if (errors.length > 0) throw errors[0];
  }
}
