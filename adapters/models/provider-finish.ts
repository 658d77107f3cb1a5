import type { TokenUsage } from '../../domain/contracts/models.ts';
import { ModelError, type ChatAnswer } from './port.ts';
import type { Callee } from './provider-errors.ts';

type Finish = 'stop' | 'length' | 'refused' | 'filtered';

/** The providers' words for why an answer ended. A word that is not here never counts as a whole answer. */
const finishes: Record<string, Finish> = {
  stop: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'refused',
  content_filter: 'filtered',
};

export interface EndedAnswer {
  text: string;
  /** The provider's own word; null or undefined where it said none. */
  finish: string | null | undefined;
  refused: boolean;
  usage: TokenUsage;
}

/** What a provider sent, as an answer. @throws ModelError where it is not one: refused, filtered, empty, or not known to be whole */
export function concludeAnswer({ text, finish, refused, usage }: EndedAnswer, callee: Callee): ChatAnswer {
  const { provider, model } = callee;
  const kind = refused ? 'refused' : finish == null ? 'unsaid' : finishes[finish];
  switch (kind) {
    case 'length':
      return { text, finish: 'length', usage };
    case 'stop':
      if (text.trim() !== '') return { text, finish: 'stop', usage };
      throw new ModelError('empty', `${provider} answered nothing for ${model}`, { retryable: true, usage });
    case 'refused':
      throw new ModelError('refused', `${model} of ${provider} refused to answer`, { retryable: false, usage });
    case 'filtered': {
      const message = `the content filter of ${provider} stopped the answer of ${model}`;
      throw new ModelError('content_filtered', message, { retryable: false, usage });
    }
    case 'unsaid': {
      const message = `the answer of ${provider} for ${model} ended without an end mark`;
      throw new ModelError('stream_broken', message, { retryable: true, usage });
    }
    default: {
      const word = finish && /^[a-z_]{1,40}$/.test(finish) ? ` (${finish})` : '';
      const message = `the answer of ${provider} for ${model} ended for a reason that is not known${word}`;
      throw new ModelError('server_error', message, { retryable: true, usage });
    }
  }
}
