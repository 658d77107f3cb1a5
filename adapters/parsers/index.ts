import { availableParallelism } from 'node:os';
import { type DocumentParser, ParseError, type ParseLimits } from './port.ts';
import { ParserPool } from './sandbox/pool.ts';

/**
 * A parser with its own processes. `processes`: how many files are read at once (default: one a core, at most 4); further calls wait
 * their turn. The time limit counts from the start of the reading. After `close` every call is `Document.ParserCrashed`.
 */
export function createDocumentParser(limits: ParseLimits, options: { processes?: number } = {}): DocumentParser {
  const pool = new ParserPool(limits, Math.max(1, options.processes ?? Math.min(4, availableParallelism())));
  let closed = false;
  const refuseIfClosed = (): void => {
    if (closed) throw new ParseError('Document.ParserCrashed', 'The parser has been closed.');
  };
  return {
    async parse(file, signal) {
      signal?.throwIfAborted();
      refuseIfClosed();
      const process = await pool.acquire(signal);
      try {
        refuseIfClosed();
        return await process.run(file, signal);
      } finally {
        await pool.release(process);
      }
    },
    async close() {
      closed = true;
      await pool.end();
    },
  };
}
