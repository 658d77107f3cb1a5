import type { IndexPort } from '../adapters/index/port.ts';
import { createAuditFiles } from '../adapters/store/audit/file.ts';
import type { EventsPort, EvidenceStore } from '../adapters/store/port.ts';
import { createApi } from '../api/app.ts';
import type { Principals } from '../api/principals.ts';
import { PlumblineClient } from '../client/plumbline-client.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { Closers } from './closers.ts';
import { prepareFolder } from './data-dir.ts';
import { listen } from './listen.ts';
import { apiPort } from './ports.ts';
import { createReplayer, replayOf } from './replayer.ts';
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
    evidence: EvidenceStore;
    policies: Map<string, Policy>;
    principals: Principals;
    closers: Closers;
  },
): Promise<{ url: string; plumbline: PlumblineClient }> {
  const { events, index, evidence, policies, principals, closers } = parts;
  const { auditDir } = settings;
  prepareFolder(auditDir, { code: 'AuditDir.NotWritable', what: 'The audit folder', setting: 'PLUMBLINE_AUDIT_DIR' });
  const client = await connectClient(settings, closers);
  const plumbline = new PlumblineClient({
    client,
    policies,
    defaultPolicy: settings.policies.byDefault,
    uiUrl: settings.temporal.uiUrl,
    spoolDir: spoolDirOf(settings),
    audit: createAuditFiles(auditDir),
  });
  const replay = replayOf(plumbline, createReplayer(settings, process.stderr));
  const api = createApi({ plumbline, events, index, evidence, principals, version, replay });
  return { url: await listen(api, { use: apiPort(settings), closers }), plumbline };
}
