import type { StoredPassage } from '../../adapters/index/port.ts';
import type { ModelProviders } from '../../adapters/models/port.ts';
import type { Conflict } from '../../domain/contracts/evidence.ts';
import type { ModelChoice } from '../../domain/contracts/models.ts';
import type { Policy } from '../../domain/contracts/policy.ts';
import type { Aspect } from '../../domain/contracts/question.ts';
import { checkGrounding } from '../../domain/grounding/check-grounding.ts';
import { aspectLines } from '../../domain/prompting/aspects.ts';
import {
  composeDraft,
  conflictNotes,
  draftAnswerSchema,
  draftSources,
  type Draft,
  type DraftStatement,
} from '../../domain/prompting/draft-answer.ts';
import { fence, fenceDocuments } from '../../domain/prompting/fence.ts';
import type { Prompts } from '../../domain/prompting/prompts.ts';
import type { QuotableStrip } from '../../domain/rules/citation-list.ts';
import { groundingSources } from '../grounding-sources.ts';
import type { StepContext } from '../step.ts';
import type { TextStream } from '../text-stream.ts';
import { newNonce } from './nonce.ts';
import { StatementReader, type StatementListener } from './statement-reader.ts';
import { structuredCall } from './structured-call.ts';

export interface DraftInput {
  question: string;
  /** BCP 47, or `und`: as the question. */
  language: string;
  aspects: Aspect[];
  conflicts: Conflict[];
  generate: Policy['generate'];
  generator: ModelChoice;
  /** What a grounding check found wrong with the draft before; null for the first draft. */
  revision: { reasons: string[] } | null;
}

export interface DraftEvidence {
  strips: QuotableStrip[];
  passages: StoredPassage[];
}

/** Statements by a chat model, in one streamed call. What the policy lets readers see goes to `text` meanwhile, and is taken back on any failure. */
export async function draftByModel(
  input: DraftInput,
  evidence: DraftEvidence,
  {
    models,
    prompts,
    text,
    signal,
    calls,
  }: { models: ModelProviders; prompts: Prompts; text: TextStream } & StepContext,
): Promise<Draft> {
  const { strips } = evidence;
  const limits = { aspects: input.aspects, maxStatements: input.generate.maxStatements };
  const nonce = newNonce();
  const notes = [
    ...conflictNotes(input.conflicts, strips),
    ...(input.revision?.reasons ?? []).map((reason) => `refused in an earlier draft: ${reason}`),
  ];
  let reader = readerFor(input, evidence, text);
  try {
    const answer = await structuredCall({
      model: models.chat(input.generator),
      choice: input.generator,
      prompt: prompts.generate,
      values: {
        language: input.language,
        maxStatements: String(limits.maxStatements),
        question: fence('question', input.question, nonce),
        aspects: fence('aspects', aspectLines(input.aspects), nonce),
        sources: fenceDocuments(draftSources(strips), nonce),
        notes: fence('notes', notes.join('\n'), nonce),
      },
      nonce,
      schema: draftAnswerSchema,
      schemaName: 'answer',
      step: 'generate',
      calls,
      signal,
      onText: (piece) => reader.write(piece),
      onRestart: () => {
        text.reset('the answer is written again');
        reader = readerFor(input, evidence, text);
      },
    });
    text.end();
    return composeDraft(answer, strips, limits);
  } catch (error) {
    text.reset('the answer could not be finished');
    throw error;
  }
}

function readerFor(input: DraftInput, evidence: DraftEvidence, text: TextStream): StatementReader {
  return new StatementReader(listeners[input.generate.stream](input, evidence, text));
}

type Listen = (input: DraftInput, evidence: DraftEvidence, text: TextStream) => StatementListener;

const listeners: Record<Policy['generate']['stream'], Listen> = {
  off: () => ({}),
  draft: ({ generate }, _, text) => {
    let last = 0;
    return {
      onText: (piece, index) => {
        if (index >= generate.maxStatements) return;
        const shown = piece.toWellFormed().replace(/[\n\r\u2028\u2029]/g, ' ');
        text.add(index === last ? shown : `\n${shown}`);
        last = index;
      },
    };
  },
  checked: ({ aspects, generate }, { strips, passages }, text) => {
    const sources = groundingSources(passages);
    let shown = 0;
    return {
      onStatement: (statement: DraftStatement) => {
        const { statements, citations } = composeDraft({ statements: [statement], unanswered: [] }, strips, {
          aspects,
          maxStatements: 1,
        });
        const [composed] = statements;
        if (!composed || shown === generate.maxStatements) return;
        if (checkGrounding(statements, citations, sources).status !== 'pass') return;
        text.add(shown === 0 ? composed.text : `\n${composed.text}`);
        shown++;
      },
    };
  },
};
