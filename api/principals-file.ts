import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { accessSchema, type Access } from '../domain/contracts/access.ts';

export interface Principal {
  /** SHA-256 of the token, 32 bytes. */
  tokenHash: Buffer;
  access: Access;
}

const common = accessSchema.shape;
const fileSchema = z.array(
  z.union(
    [
      z.strictObject({ token: z.string().min(16), ...common }),
      z.strictObject({ tokenSha256: z.string().regex(/^[0-9a-fA-F]{64}$/), ...common }),
    ],
    'expected { token (16 characters or more) or tokenSha256 (64 hex digits), tenant, user, groups, and if any roles (reviewer, operator) }',
  ),
);

/** The principals file cannot be used; nobody in it is let in until it is mended. */
export class PrincipalsFileError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'PrincipalsFileError';
  }
}

/** A JSON file of principals, read again whenever it has changed. */
export class PrincipalsFile {
  private readonly path: string;
  private seen: string | null = null;
  private principals: Principal[] = [];

  constructor(path: string) {
    this.path = path;
  }

  /** Everybody in the file as it is now. @throws PrincipalsFileError */
  read(): Principal[] {
    const state = this.state();
    if (state === this.seen) return this.principals;
    this.seen = null;
    this.principals = this.parse();
    this.seen = state;
    return this.principals;
  }

  private state(): string {
    try {
      const { mtimeMs, ctimeMs, size, ino } = statSync(this.path);
      return `${mtimeMs}/${ctimeMs}/${size}/${ino}`;
    } catch (error) {
      throw this.failure((error as Error).message, error);
    }
  }

  private parse(): Principal[] {
    let data: unknown;
    try {
      data = JSON.parse(readFileSync(this.path, 'utf8'));
    } catch (error) {
      // Node's message for wrong JSON quotes the text, which holds tokens.
      throw this.failure(error instanceof SyntaxError ? 'not valid JSON' : (error as Error).message, error);
    }
    const parsed = fileSchema.safeParse(data);
    if (!parsed.success) {
      const { path, message } = parsed.error.issues[0] ?? { path: [], message: 'wrong' };
      throw this.failure(`${path.join('.') || '(whole file)'}: ${message}`, parsed.error);
    }
    const principals = parsed.data.map(toPrincipal);
    const hashes = new Set(principals.map(({ tokenHash }) => tokenHash.toString('hex')));
    if (hashes.size < principals.length) throw this.failure('two entries have the same token', undefined);
    return principals;
  }

  private failure(why: string, cause: unknown): PrincipalsFileError {
    return new PrincipalsFileError(`${basename(this.path)}: ${why}`, { cause });
  }
}

function toPrincipal(entry: z.infer<typeof fileSchema>[number]): Principal {
  const { tenant, user, groups, roles } = entry;
  const tokenHash =
    'token' in entry ? createHash('sha256').update(entry.token).digest() : Buffer.from(entry.tokenSha256, 'hex');
  return { tokenHash, access: { tenant, user, groups, roles } };
}
