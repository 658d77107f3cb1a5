import { WebSearchError, type WebSearch, type WebSearchErrorCode } from '../port.ts';

/** These would be the same anywhere: asking somebody else would only repeat them. */
const final = new Set<WebSearchErrorCode>(['query_too_long', 'invalid_request']);

export interface ChainOptions {
  /** Told of every search that was asked and failed, so that an operator learns of a plan that is used up. */
  onFailure?: (failure: WebSearchError) => void;
}

/**
 * Asks the first; the next only where one is exhausted, down or set up wrongly. One that named a time to wait is not asked before it.
 * When all fail, the failure is one that may pass, if there is any, with the shortest wait.
 */
export function createWebSearch(
  searches: readonly WebSearch[],
  { onFailure = () => {} }: ChainOptions = {},
): WebSearch {
  if (searches.length === 0) return createNoSearch();
  const resting = new Map<WebSearch, { until: number; failure: WebSearchError }>();
  return {
    id: searches.map(({ id }) => id).join('+'),
    async search(query, options) {
      const failures: WebSearchError[] = [];
      for (const search of searches) {
        const rest = resting.get(search);
        if (rest !== undefined && rest.until > Date.now()) {
          failures.push(stillResting(rest));
          continue;
        }
        try {
          const results = await search.search(query, options);
          for (const failure of failures) options.watch?.passedOver(failure, search.id);
          return results;
        } catch (error) {
          if (!(error instanceof WebSearchError)) throw error;
          onFailure(error);
          if (final.has(error.code)) throw error;
          failures.push(error);
          if (error.retryAfterMs !== null)
            resting.set(search, { until: Date.now() + error.retryAfterMs, failure: error });
        }
      }
      throw mostHopeful(failures);
    },
  };
}

function stillResting({ until, failure }: { until: number; failure: WebSearchError }): WebSearchError {
  const { code, message, provider, retryable } = failure;
  return new WebSearchError(code, message, { provider, retryable, retryAfterMs: until - Date.now(), cause: failure });
}

/** The first that may pass, else the first; to be asked again as soon as one of those that may pass allows it. */
function mostHopeful(failures: WebSearchError[]): WebSearchError {
  const passing = failures.filter(({ retryable }) => retryable);
  const [first] = passing.length > 0 ? passing : failures;
  if (first === undefined) throw new RangeError('a search that failed has a failure');
  const waits = passing.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const { code, provider, retryable } = first;
  return new WebSearchError(code, failures.map(({ message }) => message).join(' '), {
    provider,
    retryable,
    retryAfterMs: waits.length > 0 && waits.length === passing.length ? Math.min(...waits) : null,
    cause: first,
  });
}

/** Where no search is set up. Not an empty list: nobody has looked. */
function createNoSearch(): WebSearch {
  return {
    id: 'none',
    search: async () => {
      throw new WebSearchError('unavailable', 'No web search is set up.', { provider: 'none', retryable: false });
    },
  };
}
