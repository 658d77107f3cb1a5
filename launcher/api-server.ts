import type { IndexPort } from '../adapters/index/port.ts';
import type { EventsPort } from '../adapters/store/port.ts';
import { createApi } from '../api/app.ts';
import type { Principals } from '../api/principals.ts';
import { PlumblineClient } from '../client/plumbline-client.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { Closers } from './closers.ts';
import { listen } from './listen.ts';
import { apiPort } from './ports.ts';
import { spoolDirOf } from './spool-dir.ts';
import type { Settings } from './settings.ts';
import { connectClient } from './temporal-client.ts';
import { version } from './version.ts';

/** Connects to Temporal and serves the API until the closers stop it. */
export async function startApi(
  settings: Settings,
  parts: {
    events: EventsPort;
    index: IndexPort;
    policies: Map<string, Policy>;
    principals: Principals;
    closers: Closers;
  },
): Promise<{ url: string; plumbline: PlumblineClient }> {
  const { events, index, policies, principals, closers } = parts;
  const client = await connectClient(settings, closers);
  const plumbline = new PlumblineClient({
    client,
    policies,
    defaultPolicy: settings.policies.byDefault,
    uiUrl: settings.temporal.uiUrl,
    spoolDir: spoolDirOf(settings),
  });
  const api = createApi({ plumbline, events, index, principals, version });
  return { url: await listen(api, { use: apiPort(settings), closers }), plumbline };
}
