import { startProviderServer, type ProviderServer } from '../../test/support/provider-server/start-provider-server.ts';

/** A model provider that rewrites every question into its own words, after `waitMs`. */
export function startScriptedWriter(waitMs: number): Promise<ProviderServer> {
  return startProviderServer({
    respond: ({ user }) => {
      const [, question = ''] = /<question-\w+>\n([^]*?)\n<\/question-/.exec(user) ?? [];
      const words = question
        .replace(/[^\p{L}\p{N} ]/gu, ' ')
        .split(/\s+/)
        .filter(Boolean);
      return { says: { query: [...words.slice(-10), 'details'].join(' ') }, waitMs };
    },
  });
}
