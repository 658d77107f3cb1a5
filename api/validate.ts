import type { z } from 'zod';
import { ApiError } from './errors.ts';
import { issueWords } from './issue-words.ts';

/** @throws ApiError `Request.WrongFields` naming every wrong field */
export function valid<T extends z.ZodType>(
  schema: T,
  data: unknown,
  where: 'body' | 'query' | 'metadata',
): z.output<T> {
  const parsed = schema.safeParse(data, { error: issueWords });
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap((issue) => fieldErrors(issue, where));
  const detail = errors.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join('; ');
  throw new ApiError('Request.WrongFields', `${detail}.`, { members: { errors } });
}

function fieldErrors(issue: z.core.$ZodIssue, where: string): { field: string; message: string }[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((field) => ({ field, message: `there is no such field in the ${where}; remove it` }));
  }
  const whole = issue.path.length === 0;
  return [{ field: issue.path.join('.'), message: whole ? `the ${where} must be a JSON object` : issue.message }];
}
