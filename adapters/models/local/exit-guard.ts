/**
 * A process that ends while one of its threads is inside ONNX Runtime aborts with a core dump: the addon reports its result to
 * a thread that is gone (onnxruntime-node 1.30). So the thread says when it is inside, and the process waits for it to come out.
 */
const outside = 0;
const inside = 1;
const ending = 2;

/** Longest time to hold up the end of the process, in ms; loading a model takes 300, the longest text's window 150. */
const patienceMs = 5000;

export class ExitGuard {
  readonly shared: SharedArrayBuffer;
  readonly #state: Int32Array<SharedArrayBuffer>;

  /** @param shared the owner's `shared`, given to the thread's guard. */
  constructor(shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.shared = shared;
    this.#state = new Int32Array(shared);
  }

  /** In the thread: runs native code; does not begin, and never settles, once the process is ending. */
  async run<T>(native: () => Promise<T>): Promise<T> {
    if (Atomics.compareExchange(this.#state, 0, outside, inside) === ending) return new Promise<never>(() => undefined);
    try {
      return await native();
    } finally {
      Atomics.compareExchange(this.#state, 0, inside, outside);
      Atomics.notify(this.#state, 0);
    }
  }

  /** In the owner, when the process exits: blocks until the thread is outside and keeps it there. */
  readonly end = (): void => {
    const latest = performance.now() + patienceMs;
    while (Atomics.compareExchange(this.#state, 0, outside, ending) === inside && performance.now() < latest) {
      Atomics.wait(this.#state, 0, inside, latest - performance.now());
    }
  };
}
