import { type CheckedQuery, privacyCheck, type PrivacyRules } from './privacy/check.ts';
import { type QueryOptions, webQuery } from './web-query.ts';

/**
 * The query that may be sent for a text: checked whole, so that nothing private is cut into something unknown, then made to fit, and checked as it
 * will be sent. Null: nothing that could be asked is left.
 */
export function outgoingQuery(text: string, options: QueryOptions & PrivacyRules): CheckedQuery {
  const checked = privacyCheck(text, options);
  if (checked.query === null) return checked;
  const sent = privacyCheck(webQuery(checked.query, options), options);
  return { query: sent.query, removed: [...checked.removed, ...sent.removed] };
}
