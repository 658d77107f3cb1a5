/**
 * For `node --import`: the clocks that JavaScript reads in this process and its threads are ten minutes ahead. In the sandbox of a workflow the SDK
 * puts Temporal's time over them, unless something there reads the process's own.
 */
const aheadMs = 10 * 60_000;
const own = Date;
const now = () => own.now() + aheadMs;

globalThis.Date = new Proxy(own, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget) as object,
  apply: () => new own(now()).toString(),
  get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
});
