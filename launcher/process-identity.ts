import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemCode } from './errors.ts';

/**
 * A mark that tells this process from any later one that gets the same pid: when it started. Null when no such process lives.
 * Synchronous, so that nothing can come between starting a child and noting it.
 */
export function processMark(pid: number): string | null {
  if (!isRunning(pid)) return null;
  if (process.platform === 'linux') return linuxMark(pid);
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    // ps ends with a failure when the process has gone since.
    return null;
  }
}

/** Asks the process with this mark to end (SIGTERM) and kills it after `graceMs`. Resolves when it is gone; at once if it is not there. */
export async function endProcess(pid: number, mark: string, graceMs: number): Promise<'ended' | 'killed' | 'absent'> {
  if (!signalIfSame(pid, mark, 'SIGTERM')) return 'absent';
  if (await goneWithin(pid, mark, graceMs)) return 'ended';
  signalIfSame(pid, mark, 'SIGKILL');
  if (await goneWithin(pid, mark, 5_000)) return 'killed';
  throw new Error(`process ${pid} does not end`);
}

function signalIfSame(pid: number, mark: string, signal: NodeJS.Signals): boolean {
  if (processMark(pid) !== mark) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    // Gone between the look and the signal.
    return false;
  }
}

async function goneWithin(pid: number, mark: string, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  while (processMark(pid) === mark) {
    if (performance.now() >= deadline) return false;
    await sleep(25);
  }
  return true;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}

function linuxMark(pid: number): string | null {
  try {
    // Fields after the name in parentheses, which may itself hold spaces: state is the first, start time (ticks since boot) the twentieth.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    // A zombie has ended; in a container without an init nobody may ever collect it.
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${fields[19]}`;
  } catch {
    return null;
  }
}
