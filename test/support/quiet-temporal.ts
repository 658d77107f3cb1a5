import { chmod, mkdir, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings } from '../../launcher/settings.ts';
import { ensureTemporalCli } from '../../launcher/temporal-binary.ts';

/** A script that runs the Temporal CLI and says nothing: the SDK's test environment passes its banner and warnings on to the terminal. */
export async function quietTemporalCli(): Promise<string> {
  const { path } = await ensureTemporalCli(loadSettings(process.env));
  const folder = join(tmpdir(), 'plumbline-quiet-temporal');
  await mkdir(folder, { recursive: true });
  const draft = join(folder, `temporal.${process.pid}`);
  await writeFile(draft, `#!/bin/sh\nexec '${path}' "$@" >/dev/null 2>&1\n`);
  await chmod(draft, 0o755);
  const script = join(folder, 'temporal');
  await rename(draft, script);
  return script;
}
