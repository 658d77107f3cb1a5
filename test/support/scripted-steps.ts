import type { AnswerActivities } from '../../activities/index.ts';
import { createNotifyReviewer } from '../../activities/notify-reviewer.ts';
import type { EvidenceRef, Grade } from '../../domain/contracts/evidence.ts';
import type { ReviewNotification } from '../../domain/contracts/notification.ts';
import type { AddedEvidence } from '../../domain/contracts/review.ts';
import { analyseQuestion } from '../../domain/rules/analyse.ts';
import { decomposeQuestion } from '../../domain/rules/decompose.ts';
import { rewriteQuery } from '../../domain/rules/rewrite.ts';
import { keepingNotifier } from './kept-notifications.ts';

/** What the scripted corpus holds: passages found by a query, each with the score that the grader gives it. */
export interface Script {
  search: (query: string) => { id: string; score: number | null }[];
  corpusEmpty?: boolean;
  /** What the web holds; nothing by default. */
  web?: (query: string) => { id: string; score: number | null }[];
  /** Whether a person must allow it first. */
  webAsks?: boolean;
  strips?: boolean;
  /** Whether the statement with this index passes the check at this attempt; by default all do. */
  grounded?: (attempt: number, index: number) => boolean;
  /** What a reviewer's evidence holds; nothing by default. */
  added?: (evidence: AddedEvidence) => { id: string; score: number | null }[];
  /** Whether a reviewer's answer is found in its source; by default it is. A vouched one always passes. */
  adopted?: 'pass' | 'fail';
}

export interface Calls {
  [step: string]: number;
}

export interface ScriptedSteps {
  activities: AnswerActivities;
  calls: Calls;
  queries: string[];
  /** What reviewers were told, in order. */
  notifications: ReviewNotification[];
}

/** Steps with fixed results instead of an index and models; rules that need neither are the real ones. Counts the calls of each. */
export function scriptedSteps(script: Script): ScriptedSteps {
  const calls: Calls = {};
  const queries: string[] = [];
  const scores = new Map<string, number | null>();
  const count = (step: string) => {
    calls[step] = (calls[step] ?? 0) + 1;
    return calls[step];
  };
  const { notifier, kept: notifications } = keepingNotifier();
  const notifyReviewer = createNotifyReviewer({ notifiers: [notifier] });
  const activities: AnswerActivities = {
    analyse: ({ question }) => {
      count('analyse');
      return Promise.resolve({ analysis: analyseQuestion(question), ms: 1, calls: [] });
    },
    retrieve: ({ query }) => {
      count('retrieve');
      queries.push(query);
      const found = script.search(query);
      for (const { id, score } of found) scores.set(id, score);
      return Promise.resolve({
        evidence: found.map(({ id }) => reference(id)),
        corpusEmpty: script.corpusEmpty ?? false,
        ms: 1,
        calls: [],
      });
    },
    grade: ({ evidenceIds, analysis }) => {
      count('grade');
      const aspects = analysis.aspects.map(({ id }) => id);
      return Promise.resolve({
        grades: evidenceIds.map((id) => grade(id, scores.get(id) ?? null, aspects)),
        ms: 1,
        calls: [],
      });
    },
    rewrite: (input) => {
      count('rewrite');
      const query = rewriteQuery(input, input.limits);
      return Promise.resolve({ queries: query === null ? [] : [query], ms: 1, calls: [] });
    },
    decompose: (input) => {
      count('decompose');
      return Promise.resolve({ subQuestions: decomposeQuestion(input, input.maxTurns), ms: 1, calls: [] });
    },
    searchWeb: ({ query, permitted }) => {
      count('searchWeb');
      if (script.webAsks && !permitted) {
        const note = 'no web search: a person must allow it';
        return Promise.resolve({ evidence: [], unread: [], sent: null, note, asks: true, ms: 1, calls: [] });
      }
      const found = script.web?.(query) ?? [];
      for (const { id, score } of found) scores.set(id, score);
      const readAt = '2026-11-30T00:00:00.000Z';
      const evidence = found.map(({ id }) => ({ ...reference(id), origin: 'web' as const, readAt }));
      return Promise.resolve({ evidence, unread: [], sent: query, note: null, asks: false, ms: 1, calls: [] });
    },
    renderPages: ({ urls }) => {
      count('renderPages');
      const readAt = '2026-11-30T00:00:00.000Z';
      const evidence = urls.map((url) => ({ ...reference(url), origin: 'web' as const, readAt }));
      for (const { id } of evidence) scores.set(id, 0.9);
      return Promise.resolve({ evidence, note: null, ms: 1, calls: [] });
    },
    refine: ({ passages, analysis }) => {
      count('refine');
      const aspects = analysis.aspects.map(({ id }) => id);
      const strips = passages.map(({ id }) => ({
        evidenceId: id,
        documentId: `d-${id}`,
        start: 0,
        end: 18,
        score: 0.9,
        aspects,
      }));
      return Promise.resolve({
        strips: script.strips === false ? [] : strips,
        conflicts: [],
        overBudget: 0,
        tokens: 5,
        ms: 1,
        calls: [],
      });
    },
    generate: ({ strips, refused }) => {
      count('generate');
      const left = strips.filter(({ documentId }) => !refused.some((span) => span.documentId === documentId));
      const statements = left.map((_, i) => ({ text: 'The late fee is 9.', citations: [i + 1] }));
      const citations = left.map(({ evidenceId, documentId, start, end }, i) => ({
        n: i + 1,
        evidenceId,
        documentId,
        origin: 'corpus' as const,
        title: 'Fees',
        uri: 'file:fees.md',
        section: '',
        page: null,
        quote: 'The late fee is 9.',
        start,
        end,
        readAt: null,
      }));
      return Promise.resolve({ statements, citations, dropped: 0, unanswered: [], ms: 1, calls: [] });
    },
    checkGrounding: ({ statements }) => {
      const attempt = count('checkGrounding');
      const judged = statements.map((_, index) => {
        const supported = script.grounded?.(attempt, index) ?? true;
        return { supported, reason: supported ? 'word for word' : 'another number' };
      });
      const good = judged.filter(({ supported }) => supported).length;
      const status = good === judged.length ? 'pass' : good === 0 ? 'fail' : 'needs_revision';
      return Promise.resolve({ grounding: { status, method: 'rules', statements: judged }, ms: 1, calls: [] });
    },
    addEvidence: (input) => {
      count('addEvidence');
      const found = script.added?.(input.evidence) ?? [];
      for (const { id, score } of found) scores.set(id, score);
      const evidence = found.map(({ id }) => reviewed(id));
      const note = evidence.length === 0 ? 'there is no text in it' : null;
      return Promise.resolve({ evidence, note, ms: 1, calls: [] });
    },
    adoptAnswer: ({ text, source, vouched }) => {
      count('adoptAnswer');
      const evidence = { ...reviewed('adopted'), title: source.title, uri: source.uri, end: text.length };
      const { id: evidenceId, score: _score, snippet: _snippet, ...cited } = evidence;
      const byPerson = vouched || source.text === null;
      const supported = byPerson || script.adopted !== 'fail';
      const reason = supported ? 'word for word' : 'another number';
      return Promise.resolve({
        statements: [{ text, citations: [1] }],
        citations: [{ ...cited, n: 1, evidenceId, quote: text }],
        evidence: [evidence],
        grounding: {
          status: supported ? 'pass' : 'fail',
          method: byPerson ? 'reviewer' : 'rules',
          statements: [{ supported, reason }],
        },
        ms: 1,
        calls: [],
      });
    },
    notifyReviewer: (input) => {
      count('notifyReviewer');
      return notifyReviewer(input);
    },
  };
  return { activities, calls, queries, notifications };
}

function reference(id: string): EvidenceRef {
  return {
    id,
    origin: 'corpus',
    documentId: `d-${id}`,
    title: `Title ${id}`,
    uri: `file:${id}.md`,
    section: '',
    page: null,
    start: 0,
    end: 18,
    score: 0.5,
    readAt: null,
    snippet: 'The late fee is 9.',
  };
}

function reviewed(id: string): EvidenceRef {
  return { ...reference(id), origin: 'reviewer', readAt: '2026-11-30T00:00:00.000Z' };
}

function grade(evidenceId: string, score: number | null, aspects: string[]): Grade {
  const label = score === null ? 'uncertain' : score >= 0.7 ? 'relevant' : score < 0.3 ? 'irrelevant' : 'partial';
  return { evidenceId, score, label, aspects: label === 'relevant' ? aspects : [], reason: 'scripted' };
}
