import type { ReviewDecision } from '../contracts/review.ts';
import { refusal, type ReviewRefusal } from './refusals.ts';

const fields: Record<ReviewDecision['kind'], readonly string[]> = {
  confirm: [],
  answer: ['text', 'source'],
  addEvidence: ['evidence'],
  retry: [],
  reject: ['reason'],
  approve: [],
  decline: ['reason'],
};
const maxCharacters = 20_000;

/**
 * What is wrong with a message as somebody may have typed it in the Temporal UI; null when it can be read. The API checks by schema before it sends;
 * a workflow cannot, since a thrown ZodError would have its task tried for ever.
 */
export function wrongShape(message: unknown): ReviewRefusal | null {
  if (!isRecord(message)) return invalid('send an object { requestId, actor, round, decision }');
  const { requestId, actor, round, decision } = message;
  if (!isText(requestId)) return invalid('requestId must be a text');
  if (!isActor(actor)) return invalid('actor must be { user, groups: [], roles: ["reviewer"] }');
  if (!Number.isInteger(round)) return invalid('round must be the number of the round that you have seen');
  if (!isRecord(decision) || !isText(decision.kind) || !Object.hasOwn(fields, decision.kind))
    return invalid(`decision.kind must be one of: ${Object.keys(fields).join(', ')}`);
  const missing = fields[decision.kind as ReviewDecision['kind']].find((field) => !decision[field]);
  if (missing !== undefined) return invalid(`a decision to ${decision.kind} needs "${missing}"`);
  return wrongParts(decision as ReviewDecision);
}

/** A decision that can be read, with what may be left out of one that is typed by hand. */
export function withDefaults(decision: ReviewDecision): ReviewDecision {
  switch (decision.kind) {
    case 'answer': {
      const source = { ...decision.source, uri: or(decision.source.uri, ''), text: or(decision.source.text, null) };
      return { ...decision, source, vouched: or(decision.vouched, false) };
    }
    case 'addEvidence': {
      const { evidence } = decision;
      return evidence.from === 'text'
        ? { ...decision, evidence: { ...evidence, uri: or(evidence.uri, '') } }
        : decision;
    }
    default:
      return decision;
  }
}

function or<T>(value: T | undefined, instead: T): T {
  return value ?? instead;
}

/** Null for an actor who can be read. */
export function wrongActor(actor: unknown): ReviewRefusal | null {
  return isActor(actor) ? null : invalid('actor must be { user, groups: [], roles: ["reviewer"] }');
}

function wrongParts(decision: ReviewDecision): ReviewRefusal | null {
  switch (decision.kind) {
    case 'answer':
      if (!isText(decision.text) || !isRecord(decision.source) || !isText(decision.source.title))
        return invalid('an answer needs a text and a source { title }');
      return withinLimit(decision.text) ?? withinLimit(decision.source.text ?? '');
    case 'addEvidence':
      return wrongEvidence(decision.evidence);
    case 'retry':
      if (![decision.query, decision.hint, decision.web, decision.maxCostUsd].some(Boolean))
        return invalid('a retry needs a query, a hint, web or maxCostUsd: the same again would find the same');
      return null;
    default:
      return null;
  }
}

function wrongEvidence(evidence: unknown): ReviewRefusal | null {
  const given = isRecord(evidence) ? evidence : {};
  switch (given.from) {
    case 'text':
      return isText(given.text) && isText(given.title)
        ? withinLimit(given.text)
        : invalid('evidence from a text needs "text" and "title"');
    case 'file':
      return isText(given.path) && isText(given.name) ? null : invalid('evidence from a file needs "path" and "name"');
    case 'address':
      return isText(given.url) ? null : invalid('evidence from an address needs "url"');
    default:
      return invalid('evidence.from must be text, file or address');
  }
}

function withinLimit(text: string): ReviewRefusal | null {
  return text.length <= maxCharacters ? null : invalid(`a text may have ${maxCharacters} characters; send a file`);
}

function isActor(actor: unknown): boolean {
  return isRecord(actor) && isText(actor.user) && Array.isArray(actor.groups) && Array.isArray(actor.roles);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(message: string): ReviewRefusal {
  return refusal('Review.Invalid', message);
}
