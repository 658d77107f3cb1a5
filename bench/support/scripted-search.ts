import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** How the search answers from now on. `hanging`: it takes the request and is silent. */
export type SearchState = 'up' | 'failing' | 'hanging' | 'closing';

export interface ScriptedSearch {
  url: string;
  /** Queries so far. */
  queries: string[];
  become: (state: SearchState) => void;
  stop: () => Promise<void>;
}

/** A server that speaks Tavily's protocol: finds what `hits` says for a query, `waitMs` after it was asked. */
export async function startScriptedSearch(
  hits: (query: string) => { title: string; url: string; content: string; raw_content?: string }[],
  waitMs: number,
): Promise<ScriptedSearch> {
  let state: SearchState = 'up';
  const queries: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const { query } = JSON.parse(body) as { query: string };
      queries.push(query);
      if (state === 'hanging') return;
      if (state === 'closing') return void response.destroy();
      if (state === 'failing') return void response.writeHead(503).end();
      await pause(waitMs);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ query, results: hits(query) }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    queries,
    become: (next) => {
      state = next;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
