import type { IngestionInput } from '../../domain/contracts/ingestion.ts';
import type { SourceRef } from '../../activities/ingestion/read-document.ts';
import { stepsOf } from './steps.ts';

export interface Source {
  name: string;
  ref: SourceRef;
}

/** Documents that one run works off before it hands on: about 20 events each. */
const documentsPerRun = 100;

/** The documents of this run, of how many in all, and where its successor goes on. */
export async function nextSources({
  source,
  options,
  carried,
}: IngestionInput): Promise<{ sources: Source[]; total: number; next: number | null }> {
  if ('files' in source) {
    const sources = source.files.map((file) => ({ name: file.name, ref: { file } }));
    return { sources, total: sources.length, next: null };
  }
  const { manifest } = source;
  const part = await stepsOf(options.attempts).listSources({
    manifest,
    from: carried?.next ?? 0,
    count: documentsPerRun,
  });
  const sources = part.entries.map(({ name, at }) => ({ name, ref: { manifest, at } }));
  return { sources, total: part.total ?? carried?.total ?? sources.length, next: part.next };
}
