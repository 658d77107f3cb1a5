/** What a web query must not carry. */
export type PrivateKind =
  | 'email'
  | 'phone'
  | 'card'
  | 'iban'
  | 'account_number'
  | 'secret'
  | 'private_name'
  | 'tenant_pattern'
  | 'private_span';

/** A stretch of the query, in UTF-16 code units. */
export interface Finding {
  kind: PrivateKind;
  start: number;
  end: number;
}

/** All matches of a global expression; with groups, only what the group `value` holds. */
export function matchesOf(text: string, kind: PrivateKind, pattern: RegExp): Finding[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const value = match.groups?.value ?? match[0];
    const start = match.index + match[0].lastIndexOf(value);
    return value.trim() === '' ? [] : [{ kind, start, end: start + value.length }];
  });
}
