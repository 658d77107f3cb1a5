import type { Access } from '../domain/contracts/access.ts';
import type { AskedMemo } from './asker.ts';
import { PlumblineError } from './failures.ts';

/** @throws PlumblineError `Access.RoleNeeded` */
export function requireOperator({ roles = [] }: Access, deed: string): void {
  if (!roles.includes('operator'))
    throw new PlumblineError('Access.RoleNeeded', `to ${deed} you need the role operator`);
}

/** Runs of others are for operators; one's own are for everybody. @throws PlumblineError `Access.RoleNeeded` */
export function requireOwnOrOperator({ user, roles = [] }: Access, memo: AskedMemo, deed: string): void {
  if (memo.user === user || roles.includes('operator')) return;
  throw new PlumblineError(
    'Access.RoleNeeded',
    `somebody else asked this question: to ${deed} its run you need the role operator`,
  );
}
