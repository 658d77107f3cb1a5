import type { IndexPort, StoredPassage } from '../adapters/index/port.ts';
import type { EmbeddingModel, ModelProviders } from '../adapters/models/port.ts';
import type { Access } from '../domain/contracts/access.ts';
import type { Grade, UnreadPages } from '../domain/contracts/evidence.ts';
import type { ModelChoice } from '../domain/contracts/models.ts';
import type { Policy } from '../domain/contracts/policy.ts';
import type { Analysis } from '../domain/contracts/question.ts';
import type { Prompts } from '../domain/prompting/prompts.ts';
import { gradePassages, onItsPage, otherPageGrade, trivialGrade, uncertainGrade } from '../domain/rules/grade.ts';
import { embedAspects } from './embed-aspects.ts';
import { judgeByModel, judgeByPairs } from './models/judge-passages.ts';
import { readEvidence } from './read-evidence.ts';
import { step, type StepContext } from './step.ts';
import { unreadPages } from './unread-pages.ts';

export interface GradeInput {
  access: Access;
  analysis: Analysis;
  evidenceIds: string[];
  grading: Policy['grading'];
  /** Who judges what the local grader leaves open; null: nobody, it stays uncertain. */
  judge: ModelChoice | null;
}

export interface GradeOutput {
  grades: Grade[];
  /** Where a page that the question names gave no text. */
  unread?: UnreadPages;
}

export interface GradeDependencies {
  index: Pick<IndexPort, 'passages' | 'document'>;
  embedding: EmbeddingModel;
  models: ModelProviders;
  prompts: Prompts;
}

/**
 * Grades all passages of a search. One grade for every id asked, in that order. By `grading.method`: `local` scores all here; `cascade` has a judge
 * decide, in one call, on those that the local score leaves between the thresholds or cannot score; `model` on all but those too short to be evidence.
 */
export function createGrade(deps: GradeDependencies) {
  return step(async (input: GradeInput, context): Promise<GradeOutput> => {
    const [passages, vectors] = await Promise.all([
      readEvidence(deps.index, input.access, { ids: input.evidenceIds, vectors: true }),
      methodOf(input) === 'model' ? [] : embedAspects(deps.embedding, input.analysis, context.signal),
    ]);
    const settled = settledHere(passages, input, vectors);
    const open = passages.filter(({ id }) => !settled.has(id));
    const judged = open.length === 0 ? [] : await judge(open, input, { deps, context });
    const grades = new Map([...settled, ...judged.map((grade) => [grade.evidenceId, grade] as const)]);
    const unread = await unreadPages(deps.index, input.access, { passages, analysis: input.analysis });
    return {
      ...(unread ? { unread } : {}),
      grades: passages.map(({ id, page }) =>
        onItsPage(grades.get(id) ?? uncertainGrade(id, 'not graded'), page, input.analysis),
      ),
    };
  });
}

/** The grades that need no judge, by the passages' ids. */
function settledHere(passages: StoredPassage[], input: GradeInput, vectors: Float32Array[]): Map<string, Grade> {
  const { analysis, grading } = input;
  const method = methodOf(input);
  const grades =
    method === 'model'
      ? passages.flatMap((passage) => trivialGrade(passage, grading) ?? otherPageGrade(passage, analysis) ?? [])
      : gradePassages(passages, { analysis, vectors }, grading);
  const open = (grade: Grade) => method === 'cascade' && (grade.label === 'partial' || grade.label === 'uncertain');
  return new Map(grades.filter((grade) => !open(grade)).map((grade) => [grade.evidenceId, grade]));
}

/** A local judge other than a cross-encoder is the local grader itself: there is nobody else to ask. */
function methodOf({ judge, grading }: GradeInput): Policy['grading']['method'] {
  return judge?.provider === 'local' && judge.model !== 'cross-encoder' ? 'local' : grading.method;
}

async function judge(
  passages: StoredPassage[],
  { judge, analysis, grading }: GradeInput,
  { deps, context }: { deps: GradeDependencies; context: StepContext },
): Promise<Grade[]> {
  if (judge === null)
    return passages.map(({ id }) => uncertainGrade(id, 'the model grader failed or may not be paid any more'));
  const input = { passages, question: analysis.searchText, analysis, grading, judge };
  if (judge.provider === 'local') return judgeByPairs(input, deps.models, context.signal);
  return judgeByModel(input, deps, context);
}
