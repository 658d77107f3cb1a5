import { join } from 'node:path';

/** Where the token made at first start is kept, readable only by the user who runs Plumbline. */
export function ownerTokenPath(dataDir: string): string {
  return join(dataDir, 'owner-token');
}
