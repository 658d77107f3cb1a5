import { proxySinks, setCurrentDetails, type Sinks } from '@temporalio/workflow';
import type {
  Degradation,
  GradedEvidence,
  LedgerEntry,
  Tier,
  Usage,
  UsageCall,
} from '../../domain/contracts/answer.ts';
import type {
  Conflict,
  EvidenceQuality,
  EvidenceRef,
  Grade,
  KeptStrip,
  UnreadPages,
  Verdict,
} from '../../domain/contracts/evidence.ts';
import type { LiveEvent, StepEvent, StepEventBody } from '../../domain/contracts/events.ts';
import type { StepName } from '../../domain/contracts/step-name.ts';
import type { ModelRole } from '../../domain/contracts/models.ts';
import type { Analysis, Aspect } from '../../domain/contracts/question.ts';
import type { ReviewSummary } from '../../domain/contracts/review.ts';
import type { AnswerQuestionInput, ReviewedEvidence, RunProgress } from '../../domain/contracts/run.ts';
import { costOf, usageOf } from '../../domain/rules/usage.ts';
import { assessQuality, coveredAspects, decideVerdict, qualityOf } from '../../domain/rules/verdict.ts';

/** Live events leave the workflow through this sink: nothing of it enters the history. */
export interface EventSinks extends Sinks {
  events: { publish(event: LiveEvent): void };
}

const { events: sink } = proxySinks<EventSinks>();

/** All that a run knows so far. Evidence accumulates; verdict and quality always follow from the grades. */
export class RunState {
  readonly input: AnswerQuestionInput;
  readonly startedAt = Date.now();
  analysis: Analysis | null = null;
  corpusEmpty = false;
  /** Where a page that the question names gave no text. */
  unread: UnreadPages | null = null;
  verdict: Verdict | null = null;
  quality: EvidenceQuality | null = null;
  readonly ledger: LedgerEntry[] = [];
  readonly tried: string[] = [];
  /** The last query that a rewrite made. */
  rewritten: string | null = null;
  readonly triedTiers: Tier[] = [];
  readonly used = new Set<string>();
  /** Roles that were to be paid for and were not, since the policy's cost ceiling was reached. */
  readonly unpaidRoles = new Set<ModelRole>();
  readonly degraded: Degradation[] = [];
  /** A person has let this run look outside. */
  webPermitted = false;
  /** The web was to be asked, and a person must allow it first. */
  webWithheld = false;
  /** What reviewers gave; it outlives a new search. */
  readonly fromReviewers: EvidenceRef[] = [];
  /** US dollars from which on the run pays no more; null: no ceiling. A reviewer may raise it. */
  maxCostUsd: number | null;
  /** How the review stands; set by whoever keeps it. */
  review: () => ReviewSummary | null = () => null;
  private kept: KeptStrip[] = [];
  private readonly calls: UsageCall[] = [];
  private covered = new Set<string>();
  private decided: { ids: string[]; strips: KeptStrip[] } = { ids: [], strips: [] };
  private readonly evidence = new Map<string, EvidenceRef>();
  private readonly grades = new Map<string, Grade>();
  private step: StepName | null = null;
  private readonly timings: { step: StepName; ms: number }[] = [];
  private readonly events: StepEvent[] = [];

  constructor(input: AnswerQuestionInput) {
    this.input = input;
    this.maxCostUsd = input.policy.budget.maxCostUsd;
  }

  get aspects(): Aspect[] {
    return this.analysis?.aspects ?? [];
  }

  /** The question as it is searched for. */
  get searchText(): string {
    return this.analysis?.searchText ?? this.input.question;
  }

  /** Aspects that no relevant passage supports yet. */
  get missing(): Aspect[] {
    const covered = coveredAspects([...this.grades.values()]);
    return this.aspects.filter((aspect) => !covered.has(aspect.id));
  }

  /** Adds what is new of a search's result and returns its references. */
  add(found: EvidenceRef[]): EvidenceRef[] {
    const fresh = found.filter((ref) => !this.evidence.has(ref.id));
    for (const ref of fresh) this.evidence.set(ref.id, ref);
    return fresh;
  }

  /** Forgets what was found, for a new search from the start; the ledger and the events stay. */
  startOver(): void {
    this.evidence.clear();
    this.grades.clear();
    this.tried.length = 0;
    this.rewritten = null;
    this.triedTiers.length = 0;
    this.decided = { ids: [], strips: [] };
    this.kept = [];
    this.verdict = null;
    this.quality = null;
    this.unread = null;
  }

  /** Takes the model calls of a step into the run's bill. */
  charge(calls: UsageCall[]): void {
    this.calls.push(...calls);
  }

  get usage(): Usage {
    return usageOf(this.calls);
  }

  get ceilingReached(): boolean {
    const { maxCostUsd } = this;
    return maxCostUsd !== null && costOf(this.calls) >= maxCostUsd;
  }

  judge(grades: Grade[]): Verdict {
    for (const grade of grades) this.grades.set(grade.evidenceId, grade);
    const verdict = decideVerdict([...this.grades.values()], this.input.policy.verdict);
    const quality = assessQuality(this.aspects, [...this.grades.values()], []);
    this.verdict = verdict;
    this.quality = quality;
    this.tell({
      type: 'grade-end',
      verdict,
      quality: quality.status,
      grades: grades.map((grade) => this.gradeLine(grade)),
    });
    return verdict;
  }

  /** After refining, the strips say which aspects are really covered: a relevant passage may hold no sentence for one, a partial one may. */
  refined(strips: KeptStrip[], conflicts: Conflict[]): void {
    this.kept = strips;
    this.covered = new Set(strips.flatMap((strip) => strip.aspects));
    this.quality = qualityOf(this.aspects, this.covered, conflicts);
  }

  /** Of these passages, these strips are kept: a later refining need not judge them again. */
  decide(ids: string[], strips: KeptStrip[]): void {
    this.decided = { ids, strips };
  }

  /** What refining has decided already, of passages that still count. */
  decidedStrips(): { ids: string[]; strips: KeptStrip[] } {
    const kept = new Set(this.keptEvidence().map(({ id }) => id));
    return {
      ids: this.decided.ids.filter((id) => kept.has(id)),
      strips: this.decided.strips.filter(({ evidenceId }) => kept.has(evidenceId)),
    };
  }

  /** The generator could not answer these aspects although strips were kept for them. */
  unanswered(aspectIds: string[]): void {
    const covered = new Set([...this.covered].filter((id) => !aspectIds.includes(id)));
    this.quality = qualityOf(this.aspects, covered, this.quality?.conflicts ?? []);
  }

  /** Passages worth refining, best grade first: those not graded irrelevant, with the aspects they support. */
  keptEvidence(): { id: string; supports: string[] }[] {
    return [...this.grades.values()]
      .filter((grade) => grade.label !== 'irrelevant')
      .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
      .map((grade) => ({ id: grade.evidenceId, supports: grade.aspects }));
  }

  relevantEvidence(): { ref: EvidenceRef; grade: Grade }[] {
    return this.keptEvidence().flatMap(({ id }) => {
      const ref = this.evidence.get(id);
      const grade = this.grades.get(id);
      return ref && grade?.label === 'relevant' ? [{ ref, grade }] : [];
    });
  }

  /** Titles and sections of the best passages so far, best first. */
  neighbours(): string[] {
    return this.keptEvidence()
      .slice(0, 3)
      .flatMap(({ id }) => this.evidence.get(id) ?? [])
      .map((ref) => `${ref.title} ${ref.section}`);
  }

  /** Ids of what was found in the corpus. */
  corpusEvidence(): string[] {
    return [...this.evidence.values()].filter(({ origin }) => origin === 'corpus').map(({ id }) => id);
  }

  /** Where a citation's text comes from and, for the web, when it was read. */
  sourceOf(evidenceId: string): Pick<EvidenceRef, 'origin' | 'readAt'> {
    const { origin, readAt } = this.evidence.get(evidenceId) ?? { origin: 'corpus', readAt: null };
    return { origin, readAt };
  }

  gradedEvidence(): GradedEvidence[] {
    return [...this.evidence.values()].map((ref) => {
      const grade = this.grades.get(ref.id);
      return {
        id: ref.id,
        origin: ref.origin,
        documentId: ref.documentId,
        title: ref.title,
        uri: ref.uri,
        section: ref.section,
        readAt: ref.readAt,
        score: grade?.score ?? null,
        label: grade?.label ?? 'uncertain',
        reason: grade?.reason ?? 'not graded',
        used: this.used.has(ref.id),
      };
    });
  }

  /** With what of each passage was kept for the answer. */
  reviewedEvidence(): ReviewedEvidence[] {
    return this.gradedEvidence().map((evidence) => ({
      ...evidence,
      snippet: this.evidence.get(evidence.id)?.snippet ?? '',
      quotes: this.kept
        .filter(({ evidenceId }) => evidenceId === evidence.id)
        .map(({ start, end }) => ({ start, end })),
    }));
  }

  stepStarts(step: StepName, note: string): void {
    this.step = step;
    this.tell({ type: 'step-start', step, note });
    setCurrentDetails(this.story(`**${step}**: ${note}`));
  }

  stepEnds(step: StepName, ms: number, note: string): void {
    this.step = null;
    this.timings.push({ step, ms });
    this.tell({ type: 'step-end', step, ms, note });
  }

  /** Goes on without what a step was to give. */
  degrade(degradation: Degradation): void {
    this.degraded.push(degradation);
  }

  /** What readers have seen of the draft does not stand: it was refused, or parts of it were left out. */
  takeBackText(reason: string): void {
    if (this.input.policy.generate.stream === 'off') return;
    sink.publish({ type: 'text-reset', at: new Date().toISOString(), reason });
  }

  tell(body: StepEventBody): void {
    const event = { ...body, seq: this.events.length + 1, at: new Date().toISOString() };
    this.events.push(event);
    sink.publish(event);
  }

  progress(): RunProgress {
    return {
      step: this.step,
      verdict: this.verdict,
      quality: this.quality,
      evidence: this.gradedEvidence(),
      ledger: this.ledger,
      timings: this.timings,
      usage: this.usage,
      review: this.review(),
      events: this.events,
    };
  }

  /** Markdown for the run's page in the Temporal UI. */
  story(now: string): string {
    const lines = this.timings.map(({ step, ms }) => `- ${step}: ${ms} ms`);
    const evidence = this.gradedEvidence().map((e) => `- ${e.label} ${e.score?.toFixed(2) ?? '–'}: ${e.title}`);
    const tiers = this.ledger.map((entry) => `- ${entry.tier}: ${entry.found} new, then ${entry.verdict}`);
    return [
      now,
      ...(this.verdict ? [`\nVerdict **${this.verdict}**, evidence ${this.quality?.status ?? 'unknown'}`] : []),
      ...(lines.length > 0 ? ['\n#### Steps', ...lines] : []),
      ...(evidence.length > 0 ? ['\n#### Evidence', ...evidence] : []),
      ...(tiers.length > 0 ? ['\n#### Corrections', ...tiers] : []),
    ].join('\n');
  }

  private gradeLine(grade: Grade) {
    const title = this.evidence.get(grade.evidenceId)?.title ?? '';
    return { evidenceId: grade.evidenceId, title, score: grade.score, label: grade.label };
  }
}
