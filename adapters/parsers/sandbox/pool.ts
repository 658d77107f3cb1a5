import type { ParseLimits } from '../port.ts';
import { ParserProcess } from './parser-process.ts';

/** After so long without a file a process is ended: it holds tens of megabytes. */
const idleMs = 30_000;

interface Idle {
  process: ParserProcess;
  timer: NodeJS.Timeout;
}

/** Parsing processes, started when needed, kept for the next file, at most `size` at once. Callers beyond that wait their turn. */
export class ParserPool {
  private readonly limits: ParseLimits;
  private readonly size: number;
  private readonly idle: Idle[] = [];
  private readonly all = new Set<ParserProcess>();
  private readonly queue: (() => void)[] = [];
  private busy = 0;
  private ended = false;

  constructor(limits: ParseLimits, size: number) {
    this.limits = limits;
    this.size = size;
  }

  /** A process for the caller alone, until `release`. Rejects with the signal's reason if that comes first. */
  async acquire(signal: AbortSignal | undefined): Promise<ParserProcess> {
    if (this.busy >= this.size) await this.turn(signal);
    else this.busy += 1;
    for (let next = this.idle.pop(); next !== undefined; next = this.idle.pop()) {
      clearTimeout(next.timer);
      if (next.process.usable) return next.process;
      this.all.delete(next.process);
    }
    const process = new ParserProcess(this.limits);
    this.all.add(process);
    return process;
  }

  async release(process: ParserProcess): Promise<void> {
    if (process.usable && !this.ended) {
      const timer = setTimeout(() => {
        this.idle.splice(
          this.idle.findIndex((idle) => idle.process === process),
          1,
        );
        void this.retire(process);
      }, idleMs);
      timer.unref();
      this.idle.push({ process, timer });
    } else {
      await this.retire(process);
    }
    const next = this.queue.shift();
    if (next === undefined) this.busy -= 1;
    else next();
  }

  /** Ends every process; what was being read fails. */
  async end(): Promise<void> {
    this.ended = true;
    for (const { timer } of this.idle) clearTimeout(timer);
    this.idle.length = 0;
    await Promise.all([...this.all].map((process) => this.retire(process)));
  }

  private async retire(process: ParserProcess): Promise<void> {
    await process.end();
    this.all.delete(process);
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.queue.splice(this.queue.indexOf(start), 1);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.queue.push(start);
    });
  }
}
