import type { Request, RequestHandler, Response } from 'express';
import type { Access } from '../domain/contracts/access.ts';
import { ApiError } from './errors.ts';
import type { Principals } from './principals.ts';

/** Finds out who asks, from the bearer token only. */
export function authenticate(principals: Principals): RequestHandler {
  return (req, res, next) => {
    const token = bearerToken(req);
    if (token === null) {
      throw new ApiError(
        'Access.NoToken',
        'Send the header "Authorization: Bearer TOKEN".',
        challenge('Bearer realm="plumbline"'),
      );
    }
    const access = principals.find(token);
    if (access === null) {
      const headers = challenge('Bearer realm="plumbline", error="invalid_token"');
      throw new ApiError(
        'Access.UnknownToken',
        'Use the token that was made at the first start, or one of the principals file.',
        headers,
      );
    }
    (res.locals as { access?: Access }).access = access;
    next();
  };
}

/** Who asks; only behind `authenticate`. */
export function accessOf(res: Response): Access {
  const { access } = res.locals as { access?: Access };
  if (access === undefined) throw new TypeError('the route is not behind authenticate');
  return access;
}

function bearerToken(req: Request): string | null {
  const match = /^Bearer +([\w.~+/=-]{1,500}) *$/i.exec(req.get('Authorization') ?? '');
  return match?.[1] ?? null;
}

function challenge(value: string): { headers: Record<string, string> } {
  return { headers: { 'WWW-Authenticate': value } };
}
