import { createHash, timingSafeEqual } from 'node:crypto';
import type { Access } from '../domain/contracts/access.ts';
import { ownerToken } from './owner-token.ts';
import { PrincipalsFile, type Principal } from './principals-file.ts';

export interface Principals {
  /** The owner's token. */
  readonly token: string;
  /** Whoever the owner's token stands for. */
  readonly owner: Access;
  /** Who comes with this token, or null. @throws PrincipalsFileError when the principals file has become unreadable */
  find(token: string): Access | null;
}

const owner: Access = { tenant: 'main', user: 'owner', groups: ['staff'], roles: ['reviewer', 'operator'] };

/**
 * The owner, whose token is made in the data folder at first start, and everybody in `file`. The file is looked at again at each request, so a
 * right that is withdrawn there is gone at once.
 * @throws PrincipalsFileError naming the wrong field
 */
export async function loadPrincipals({ dataDir, file }: { dataDir: string; file: string | null }): Promise<Principals> {
  const token = await ownerToken(dataDir);
  const ownerPrincipal: Principal = { tokenHash: hashToken(token), access: owner };
  const others = file === null ? null : new PrincipalsFile(file);
  others?.read();
  return {
    token,
    owner,
    find: (given) => {
      const hash = hashToken(given);
      if (timingSafeEqual(ownerPrincipal.tokenHash, hash)) return owner;
      // No early end: the time does not tell which entry matched.
      let found: Access | null = null;
      for (const { tokenHash, access } of others?.read() ?? []) if (timingSafeEqual(tokenHash, hash)) found = access;
      return found;
    },
  };
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
