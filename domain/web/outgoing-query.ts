import { askedQuestion, type CheckedQuery, privacyCheck, type PrivacyRules } from './privacy/check.ts';
import { type QueryOptions, webQuery } from './web-query.ts';

export interface OutgoingOptions extends QueryOptions, Omit<PrivacyRules, 'asked'> {
  /** The question that the text was made of, as it was written; default: the text. */
  asked?: string;
}

/**
 * The query that may be sent for a text: checked whole, so that nothing private is cut into something unknown, then made to fit, and checked as it
 * will be sent. What is taken out of the question does not leave in parts either. Null: nothing that could be asked is left.
 */
export function outgoingQuery(text: string, { asked = text, ...options }: OutgoingOptions): CheckedQuery {
  const rules = { ...options, asked: askedQuestion(asked, options) };
  const checked = privacyCheck(text, rules);
  if (checked.query === null) return checked;
  const sent = privacyCheck(webQuery(checked.query, options), rules);
  return { query: sent.query, removed: [...checked.removed, ...sent.removed] };
}
