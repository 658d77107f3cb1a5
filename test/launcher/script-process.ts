import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach } from '@jest/globals';

export type ScriptProcess = { child: ChildProcess; pid: number; firstLine: string; kill: () => Promise<void> };

/** Runs scripts of this folder in processes of their own, each until its first line of output; what still runs after a test is killed. */
export function scriptProcesses(): (
  script: string,
  args: string[],
  env?: Record<string, string>,
) => Promise<ScriptProcess> {
  const running = new Set<ChildProcess>();
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });
  return async (script, args, env = {}) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    running.add(child);
    const [firstLine] = (await Promise.race([
      once(createInterface(child.stdout), 'line'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`${script} ended with ${String(code)} before it said anything`);
      }),
    ])) as [string];
    if (child.pid === undefined) throw new Error(`${script} has no pid`);
    const kill = async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    };
    return { child, pid: child.pid, firstLine, kill };
  };
}
