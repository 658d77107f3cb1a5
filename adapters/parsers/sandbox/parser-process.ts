import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ParsedDocument } from '../../../domain/contracts/parsed-document.ts';
import { ParseError, type ParseLimits, type ParseRequest } from '../port.ts';
import { memoryCeiling, type ParseReply } from './protocol.ts';

/** After so many files a process is replaced, so that what libraries leak stays bounded. */
const maxJobs = 500;

/**
 * A Node process that parses one file at a time. It may read files and nothing else: no writing, no further processes, no
 * environment of the caller, and a heap of `maxMemoryMb`. It does not keep the caller alive while idle.
 */
export class ParserProcess {
  private readonly child: ChildProcess;
  private readonly limits: ParseLimits;
  private jobs = 0;
  private rssBytes = 0;
  private ended = false;

  constructor(limits: ParseLimits) {
    this.limits = limits;
    this.child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [String(process.pid)], {
      execArgv: [
        `--max-old-space-size=${limits.maxMemoryMb}`,
        '--permission',
        '--allow-fs-read=*',
        '--allow-worker',
        '--no-warnings',
      ],
      env: { TZ: 'UTC' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.child.once('exit', () => (this.ended = true));
    this.child.on('error', () => (this.ended = true));
    this.rest();
  }

  /** False once the process has ended, has done its share, or keeps more than half of what it may hold. */
  get usable(): boolean {
    return (
      !this.ended &&
      !this.child.killed &&
      this.child.connected &&
      this.jobs < maxJobs &&
      this.rssBytes < memoryCeiling(this.limits) / 2
    );
  }

  /** Rejects with a ParseError, or with the signal's reason; after a timeout, an abort or a crash the process is gone. */
  async run(file: ParseRequest, signal: AbortSignal | undefined): Promise<ParsedDocument> {
    signal?.throwIfAborted();
    this.jobs += 1;
    this.child.ref();
    this.child.channel?.ref();
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(overTime(this.limits.timeoutMs)), this.limits.timeoutMs);
    const abort = (): void => stop.abort(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const reply = await this.exchange(file, stop.signal);
      this.rssBytes = reply.rssBytes;
      if ('document' in reply.result) return reply.result.document;
      const { code, message, format } = reply.result.failure;
      throw new ParseError(code, message, { format });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      this.rest();
    }
  }

  async end(): Promise<void> {
    if (this.ended) return;
    const exited = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.ref();
    this.child.kill('SIGKILL');
    await exited;
  }

  private exchange(file: ParseRequest, stop: AbortSignal): Promise<ParseReply> {
    return new Promise((resolve, reject) => {
      const { child } = this;
      const settle = (action: () => void): void => {
        child.off('message', onMessage).off('exit', onExit).off('error', onError);
        stop.removeEventListener('abort', onStop);
        action();
      };
      const onMessage = (reply: ParseReply): void => settle(() => resolve(reply));
      const onExit = (code: number | null, signal: string | null): void =>
        settle(() => reject(crash(code, signal, this.limits)));
      const onError = (cause: unknown): void => {
        child.kill('SIGKILL');
        settle(() =>
          reject(new ParseError('Document.ParserCrashed', 'The parsing process could not be used.', { cause })),
        );
      };
      const onStop = (): void => {
        child.kill('SIGKILL');
        settle(() => reject(stop.reason));
      };
      child.on('message', onMessage).on('exit', onExit).on('error', onError);
      stop.addEventListener('abort', onStop, { once: true });
      child.send({ ...file, limits: this.limits }, (error) => {
        if (error !== null) onError(error);
      });
    });
  }

  private rest(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}

function overTime(timeoutMs: number): ParseError {
  return new ParseError('Document.Timeout', `The document could not be read within ${timeoutMs} ms.`);
}

/** V8 at the end of its heap and the watchdog at the memory ceiling both abort: the document is to blame, and would be again. */
function crash(code: number | null, signal: string | null, limits: ParseLimits): ParseError {
  if (signal === 'SIGABRT' || code === 134) {
    return new ParseError(
      'Document.TooLargeUnpacked',
      `The document needs more memory to be read than ${limits.maxMemoryMb} MB.`,
    );
  }
  return new ParseError(
    'Document.ParserCrashed',
    `The parsing process ended unexpectedly (${signal ?? `exit code ${code}`}).`,
  );
}
