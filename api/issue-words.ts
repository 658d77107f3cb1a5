import type { z } from 'zod';

const kinds: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** What is wrong with a field, in words that go on after its name; undefined: zod's own words will do. */
export function issueWords(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      if (issue.input === undefined) return 'is missing';
      const kind = kinds[issue.expected];
      return kind === undefined ? undefined : `must be ${kind}`;
    }
    case 'invalid_value':
      return issue.input === undefined ? 'is missing' : `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return Array.isArray(issue['options']) ? `must be one of: ${issue['options'].map(String).join(', ')}` : undefined;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? 'is empty' : undefined;
    default:
      return undefined;
  }
}
