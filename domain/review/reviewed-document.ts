import type { Passage } from '../contracts/document.ts';
import type { PublishReviewInput, Reviewed } from '../contracts/publication.ts';
import { shortened } from '../text/shortened.ts';
import { contentStems, words } from '../text/words.ts';
import { passagesMarkdown, plainMarkdown, tableMarkdown } from './markdown.ts';

/** What a reviewer gave that is cited, by the document it is from. */
export interface GivenEvidence {
  title: string;
  uri: string;
  passages: Pick<Passage, 'start' | 'text' | 'strips'>[];
}

const longestTitle = 500;
const longestSource = 300;
/** Rows are embedded whole up to some 500 tokens. */
const longestRow = 1200;

/** The question as a title, in one line. */
export function titleOf(question: string): string {
  return shortened(question, longestTitle);
}

/**
 * The Markdown of a reviewed document: the question as its heading, below it who stands for it and the source, then what the reviewer gave. Source and
 * reviewer are a heading, too: a citation tells headings with its quote, and no answer is made of them.
 */
export function reviewedDocument(
  { question, reviewed }: Pick<PublishReviewInput, 'question' | 'reviewed'>,
  evidence: readonly GivenEvidence[],
): string {
  const { text } = reviewed;
  const under = (sources: readonly Source[]) => `## ${plainMarkdown(`${signature(reviewed)} ${sourceLine(sources)}`)}`;
  const body =
    text.kind === 'answer'
      ? [under(text.sources), answerMarkdown(question, text.statements)]
      : evidence.flatMap((given) => [under([given]), passagesMarkdown(given.passages)]);
  return [`# ${plainMarkdown(titleOf(question))}`, ...body].join('\n\n') + '\n';
}

/**
 * Whole sentences stand as they are. An answer with a few words ("Six weeks.") or a list is one row with its question, which is quoted whole: a few words
 * say nothing without their question, and a list of steps must not lose one.
 */
function answerMarkdown(question: string, statements: readonly string[]): string {
  const whole = statements.join(' ');
  const needsQuestion = statements.some((one) => listItem.test(one) || isTerse(one));
  const alone = statements.length === 1 && speaksOf(question, whole);
  if (alone || !needsQuestion || whole.length > longestRow) return plainMarkdown(statements.join('\n'));
  return tableMarkdown(['Question', 'Answer'], [[titleOf(question), whole]]);
}

const listItem = /^(?:[-*+•‣◦▪–—·]|\(?(?:\d{1,3}|[a-z])[.)])\s/u;

/** Under four words it is no sentence. */
function isTerse(statement: string): boolean {
  return words(statement).length < 4;
}

/** Whether a statement holds half of the question's content words. */
function speaksOf(question: string, statement: string): boolean {
  const [asked, said] = [new Set(contentStems(question)), new Set(contentStems(statement))];
  return asked.intersection(said).size * 2 >= asked.size;
}

type Source = Pick<GivenEvidence, 'title' | 'uri'>;

function sourceLine(sources: readonly Source[]): string {
  const each = sources.map(({ title, uri }) => [title, uri].filter((part) => part !== '').join(', '));
  return `Source: ${shortened(each.join('; '), longestSource)}`;
}

function signature({ reviewer, approvedBy, decidedAt }: Reviewed): string {
  const approved = approvedBy === null ? '' : `, approved by ${approvedBy}`;
  return `Reviewed by ${reviewer} on ${decidedAt.slice(0, 10)}${approved}.`;
}
