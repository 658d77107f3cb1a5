import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { ApplicationFailure } from '@temporalio/common';
import { createCheckGrounding, type CheckGroundingInput } from '../../activities/check-grounding.ts';
import { createGenerate, type GenerateInput, type GenerateOutput } from '../../activities/generate.ts';
import type { StoredPassage } from '../../adapters/index/port.ts';
import type { ModelProviders } from '../../adapters/models/port.ts';
import type { LiveEvent } from '../../domain/contracts/events.ts';
import type { KeptStrip } from '../../domain/contracts/evidence.ts';
import { analyseQuestion } from '../../domain/rules/analyse.ts';
import { access, choices, dependencies } from './model-steps.ts';

export const workflowId = 'question.test.1';

/** All strips of some passages, in order. */
export function allStrips(passages: StoredPassage[], aspects = ['a1']): KeptStrip[] {
  return passages.flatMap(({ id, documentId, start, strips }) =>
    strips.map((strip) => ({
      evidenceId: id,
      documentId,
      start: start + strip.start,
      end: start + strip.end,
      score: 0.9,
      aspects,
    })),
  );
}

/** The steps generate and check-grounding over some passages, with the text that readers of the run get. */
export async function answerHouse(models: ModelProviders, passages: StoredPassage[], question: string) {
  const told: LiveEvent[] = [];
  const events = {
    publish: (id: string, event: LiveEvent) => {
      if (id !== workflowId) throw new Error(`an event of another run: ${id}`);
      told.push(event);
    },
  };
  const deps = { ...(await dependencies(models, passages)), events };
  const [generate, check] = [createGenerate(deps), createCheckGrounding(deps)];
  const { aspects, language } = analyseQuestion(question);
  const input: GenerateInput = {
    access,
    question,
    language,
    aspects,
    strips: allStrips(
      passages,
      aspects.map(({ id }) => id),
    ),
    conflicts: [],
    generate: { maxStatements: 4, stream: 'draft' },
    generator: choices.openai,
    refused: [],
    revision: null,
  };
  const environment = (attempt = 1) => {
    const workflowExecution = { workflowId, runId: 'r' };
    return new MockActivityEnvironment(
      { attempt, workflowExecution, startToCloseTimeoutMs: 60_000 },
      { logger: new DefaultLogger('ERROR') },
    );
  };
  const runOn = <I, O>(on: MockActivityEnvironment, step: (input: I) => Promise<O>, given: I): Promise<O> =>
    on.run(step, given);
  return {
    told,
    /** The events as what they say. */
    said: () =>
      told.map((event) =>
        event.type === 'text-delta' ? event.text : event.type === 'text-reset' ? `reset: ${event.reason}` : event.type,
      ),
    environment,
    start: (over: Partial<GenerateInput> = {}, on = environment()) => runOn(on, generate, { ...input, ...over }),
    check: ({ statements, citations }: GenerateOutput, over: Partial<CheckGroundingInput> = {}) =>
      runOn(environment(), check, {
        access,
        statements,
        citations,
        checker: choices.local,
        grounding: { revisions: 1, entailment: 0.5 },
        ...over,
      }),
  };
}

/** What a step failed with. */
export async function failureOf(running: Promise<unknown>): Promise<ApplicationFailure> {
  const error: unknown = await running.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof ApplicationFailure) return error;
  throw error instanceof Error ? error : new Error('it failed with no error');
}
