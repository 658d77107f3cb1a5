import { residentMegabytes } from './process-memory.ts';

export interface MemoryWatch {
  /** Megabytes that the highest value after `from` documents lies above the highest one before. */
  growth(): number;
  peak(): number;
  stop(): void;
}

const everyMs = 1000;

/** Looks at the memory once a second. `warm` says when the start-up (models, threads, caches, parsers) is over, from which on growth counts. */
export function watchMemory(warm: () => boolean): MemoryWatch {
  const before: number[] = [];
  const after: number[] = [];
  const timer = setInterval(() => (warm() ? after : before).push(residentMegabytes()), everyMs);
  return {
    growth: () => Math.max(...after) - Math.max(...before),
    peak: () => Math.max(...before, ...after),
    stop: () => clearInterval(timer),
  };
}
