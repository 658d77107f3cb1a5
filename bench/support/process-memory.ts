import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/**
 * Resident memory in MB of a process (this one by default) and of the Node processes below it (the parsers), without the Temporal server.
 * Where there is no /proc, of this process alone.
 */
export function residentMegabytes(root = process.pid): number {
  return [root, ...nodeDescendants(root)].reduce((sum, pid) => sum + residentAlone(pid), 0);
}

/** The same of one process without those below it. */
export function residentAlone(pid: number): number {
  if (pid === process.pid) return process.memoryUsage.rss() / 1e6;
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(() => readFileSync(`/proc/${pid}/status`, 'utf8')))?.[1];
  return (Number(kilobytes ?? 0) * 1024) / 1e6;
}

function nodeDescendants(root: number): number[] {
  const all = readProcList();
  const below = (parent: number): number[] =>
    all.filter((entry) => entry.parent === parent).flatMap(({ pid }) => [pid, ...below(pid)]);
  return below(root).filter((pid) => readProc(() => readlinkSync(`/proc/${pid}/exe`)) === executable());
}

function executable(): string {
  return readProc(() => readlinkSync(`/proc/${process.pid}/exe`));
}

function readProcList(): { pid: number; parent: number }[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      const stat = readProc(() => readFileSync(`/proc/${name}/stat`, 'utf8'));
      // The second field, a name in brackets, may hold spaces.
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return { pid: Number(name), parent: Number(parent) };
    });
}

/** Empty for a process that has ended meanwhile. */
function readProc(read: () => string): string {
  try {
    return read();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES') return '';
    throw error;
  }
}
