import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { ownerTokenPath } from '../client/owner-token.ts';

/** The owner's token, made at first start: 256 random bits, kept in the data folder with mode 0600. */
export async function ownerToken(dataDir: string): Promise<string> {
  const path = ownerTokenPath(dataDir);
  try {
    // `wx`: of two processes that start at the same moment one writes and the other reads.
    const token = `plumb_${randomBytes(32).toString('base64url')}`;
    await writeFile(path, `${token}\n`, { flag: 'wx', mode: 0o600 });
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const token = (await readFile(path, 'utf8')).trim();
  if (token.length < 16) throw new Error(`${path} holds no token; delete it and start again to have a new one made`);
  return token;
}
