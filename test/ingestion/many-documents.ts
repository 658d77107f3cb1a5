import { setTimeout as sleep } from 'node:timers/promises';
import { writeManifest } from '../../client/ingestion-files.ts';
import type { IngestionProgress } from '../../domain/contracts/ingestion.ts';
import { dimensions } from './fake-embedding.ts';
import type { House, Tenant } from './stack.ts';

/** Short memos of one to three passages. */
export const memoCount = 200;
/** Texts that are embedded for the longest of them: its sentences and passages, in one batch. */
export const longestMemo = 12 + 3;
/** Documents worked on at the same time when something is killed. */
export const parallel = 4;

type Run = Awaited<ReturnType<Tenant['start']>>;

/** Starts taking in the first memos, all of them if not told how many. */
export async function startMemos(
  house: House,
  tenant: Tenant,
  { count = memoCount, edition = 'second' }: { count?: number; edition?: string } = {},
): Promise<Run> {
  const files = [];
  for (let n = 0; n < count; n++) files.push(await tenant.file(`memo-${n}.md`, memo(n, edition)));
  const manifest = await writeManifest(house.spoolDir, `${tenant.access.tenant} ${edition}`, files);
  return tenant.start({ manifest }, { parallel, attempts: 8 });
}

function memo(n: number, edition: string): string {
  const rule = (section: string, k: number) =>
    `The ${edition} memo ${n} lays down rule ${k} on ${section} for the night shift of the harbour.`;
  const section = (name: string) =>
    `## ${name}\n\n${Array.from({ length: 1 + (n % 4) }, (_, k) => rule(name, k)).join(' ')}\n`;
  return `# Memo ${n}\n\n${['Cranes', 'Lamps', 'Ropes'].map(section).join('\n')}`;
}

/** Resolves when the run has come so far. */
export async function until(run: Run, reached: (progress: IngestionProgress) => boolean): Promise<void> {
  while (!reached(await run.query<IngestionProgress>('ingestProgress'))) await sleep(20);
}

/** The documents that are found: the passages of each, and of how many versions they are. */
export async function visible(
  house: House,
  tenant: Tenant,
): Promise<Map<string, { passages: number; versions: number }>> {
  const { bm25, knn } = await house.index.search(tenant.access, {
    text: 'memo rule harbour',
    identifiers: [],
    vector: new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions)),
    candidates: 2000,
    statuses: ['active'],
    asOf: '2026-06-01',
  });
  const ids = [...new Set([...bm25, ...knn].map(({ passageId }) => passageId))];
  const found = new Map<string, { passages: number; versions: Set<string> }>();
  for (const { documentId, version } of await house.index.passages(tenant.access, ids)) {
    const one = found.get(documentId) ?? { passages: 0, versions: new Set() };
    found.set(documentId, { passages: one.passages + 1, versions: one.versions.add(version) });
  }
  return new Map([...found].map(([id, { passages, versions }]) => [id, { passages, versions: versions.size }]));
}
