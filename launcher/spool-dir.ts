import { join } from 'node:path';
import type { Settings } from './settings.ts';

/** Folder of ingestions' lists, uploads, prepared texts and reports; worker and API share it. */
export function spoolDirOf({ dataDir }: Settings): string {
  return join(dataDir, 'spool');
}
