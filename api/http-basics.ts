import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import { ApiError, problemOf, toApiError } from './errors.ts';

const headers = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** Security headers, and a request id that is taken from the caller when it is a plain word. */
export const basics: RequestHandler = (req, res, next) => {
  const given = req.get('X-Request-Id');
  res.set(headers);
  res.set('X-Request-Id', given !== undefined && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID());
  next();
};

export const unknownRoute: RequestHandler = (req) => {
  throw new ApiError('Route.NotFound', `There is nothing at ${req.path}. The questions are at /v1/questions.`);
};

/** For routes that take a JSON body. */
export const requireJson: RequestHandler = (req, _res, next) => {
  if (req.is('application/json')) return next();
  throw new ApiError('Request.WrongType', 'Send the header "Content-Type: application/json" and a JSON object.');
};

/** For the end of a route: whatever method came here is not among `allowed`. */
export function methodNotAllowed(...allowed: string[]): RequestHandler {
  return (req) => {
    const allow = allowed.join(', ');
    throw new ApiError('Route.MethodNotAllowed', `${req.method} is not allowed here; use ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}

/** The only place where an error becomes a response. `report` gets those that nobody expected. */
export function sendError(error: unknown, res: Response, report: (error: unknown, requestId: string) => void): void {
  const known = toApiError(error);
  if (known.code === 'Internal') report(error, String(res.get('X-Request-Id')));
  if (res.headersSent) {
    // Too late for another status: the connection is cut, so that nobody takes the response for whole.
    res.destroy();
    return;
  }
  const problem = problemOf(known);
  res.set(known.headers).status(problem.status).type('application/problem+json').send(JSON.stringify(problem));
}
