import type {
  DocumentReport,
  IngestionProgress,
  IngestionReport,
  IngestionState,
} from '../../domain/contracts/ingestion.ts';

/** Up to this many documents a run's outcome lists all of them. */
const smallRun = 20;
/** Characters of JSON that an outcome may list, and that one batch of the report may hold before it is written. */
const listedCharacters = 40_000;
const batchCharacters = 16_000;
const batchLength = 25;

const countOf = {
  ready: 'ready',
  ready_with_warnings: 'readyWithWarnings',
  unchanged: 'unchanged',
  failed: 'failed',
} as const;

type Flight = IngestionProgress['inFlight'][number];

/** Where a run is: counts, documents under way, what is to be listed and what is still to be written to the report. */
export class IngestionTally {
  total: number | null;
  private readonly carried: Omit<IngestionState, 'next' | 'total'>;
  private readonly inFlight = new Set<Flight>();
  private unwritten: DocumentReport[] = [];
  private listedSize: number;

  constructor(carried: IngestionState | undefined) {
    const counts = { ready: 0, readyWithWarnings: 0, unchanged: 0, failed: 0, passages: 0, bytes: 0 };
    const fresh = { batches: 0, startedAt: Date.now(), done: 0, counts, documents: [], omitted: 0, outages: 0 };
    const { total = null, next: _, ...rest } = carried ?? { next: 0 };
    this.total = total;
    this.carried = { ...fresh, ...rest };
    this.listedSize = JSON.stringify(this.carried.documents).length;
  }

  get done(): number {
    return this.carried.done;
  }

  get outages(): number {
    return this.carried.outages;
  }

  takeOff(name: string) {
    const flight: Flight = { name, step: 'read', passages: null, passagesDone: 0 };
    this.inFlight.add(flight);
    return {
      embeds: (passages: number) => Object.assign(flight, { step: 'embed', passages }),
      embedded: ({ passages }: { passages: number }) => (flight.passagesDone += passages),
      publishes: () => Object.assign(flight, { step: 'publish' }),
      land: () => this.inFlight.delete(flight),
    };
  }

  add(report: DocumentReport): void {
    const { carried } = this;
    carried.done++;
    carried.counts[countOf[report.state]]++;
    if (report.state !== 'unchanged') carried.counts.passages += report.passages;
    carried.counts.bytes += report.bytes;
    const away = report.code?.endsWith('.Unavailable') ?? false;
    carried.outages = away ? carried.outages + 1 : 0;
    this.unwritten.push(report);
    this.list(report);
  }

  /** Reports to be written and the number of their batch; each is given out once. */
  takeBatch(when: 'if full' | 'whatever there is'): { batch: number; reports: DocumentReport[] } | null {
    const reports = this.unwritten;
    const full = reports.length >= batchLength || JSON.stringify(reports).length >= batchCharacters;
    if (reports.length === 0 || (when === 'if full' && !full)) return null;
    this.unwritten = [];
    return { batch: this.carried.batches++, reports };
  }

  state(next: number): IngestionState {
    return { ...this.carried, total: this.total ?? 0, next };
  }

  progress(): IngestionProgress {
    const { done, counts, documents, omitted } = this.carried;
    return { total: this.total, done, counts, inFlight: [...this.inFlight], documents, omitted };
  }

  report(): IngestionReport {
    const { counts, documents, omitted, startedAt } = this.carried;
    return { total: this.total ?? 0, counts, documents, omitted, ms: Date.now() - startedAt };
  }

  /** Markdown for the Temporal UI. */
  story(): string {
    const { done, counts, documents } = this.carried;
    const failures = documents.filter(({ state }) => state === 'failed').slice(0, 10);
    return [
      `### ${done} of ${this.total ?? '?'} documents`,
      `${counts.ready} ready, ${counts.readyWithWarnings} ready with warnings, ${counts.unchanged} unchanged, ${counts.failed} failed; ${counts.passages} passages`,
      ...failures.map(({ name, code }) => `- ${name}: ${code}`),
    ].join('\n\n');
  }

  private list(report: DocumentReport): void {
    const plain = report.state === 'ready' || report.state === 'unchanged';
    const small = (this.total ?? 0) <= smallRun;
    if (plain && !small) return;
    const size = JSON.stringify(report).length;
    if (this.listedSize + size <= listedCharacters) {
      this.listedSize += size;
      this.carried.documents.push(report);
    } else if (!plain) {
      this.carried.omitted++;
    }
  }
}
