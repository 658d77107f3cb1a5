import { Client, Connection } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { reviewed } from './review-policies.ts';
import type { Reviewer } from './reviewer.ts';

export interface ReviewedHistory {
  status: string;
  passages: number;
  /** As JSON, in which payloads are in base64. */
  jsonBytes: number;
  /** As the server keeps it. */
  serverBytes: number;
}

/** What the sample corpus does not say, and who does. */
const gaps = [
  ['What is the top speed of the workboat Petrel in knots?', 'The workboat Petrel has a top speed of 21 knots.'],
  ['How many weeks of parental leave do new fathers get?', 'New fathers get six weeks of parental leave.'],
  ['What is the capital of Mongolia?', 'The capital of Mongolia is Ulaanbaatar.'],
  ['What does fault code E-0471/b mean?', 'Fault code E-0471/b means that the brake coil is open.'],
  [
    'What is the gross margin target for Heron spare parts?',
    'The gross margin target for Heron spare parts is 47 % in the year 2027.',
  ],
] as const;

/** Runs in which a reviewer adds a text of so many characters as evidence, which answers the question, with the sizes of their histories. */
export async function reviewedHistories(
  temporalAddress: string,
  reviewer: Reviewer,
  { runs, characters }: { runs: number; characters: number },
): Promise<ReviewedHistory[]> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const client = new Client({ connection });
    const histories: ReviewedHistory[] = [];
    for (let n = 0; n < runs; n++) {
      const [question, fact] = gaps[n % gaps.length] ?? gaps[0];
      const id = await reviewer.ask(question, reviewed);
      await reviewer.questionOnce(id, ({ status }) => status !== 'running');
      const evidence = { from: 'text', title: 'A note', uri: '', text: noteOf(fact, characters) } as const;
      const answered = await reviewer.decide(id, { kind: 'addEvidence', evidence });
      if (answered !== 200) throw new Error(`the evidence was not taken: ${answered}`);
      const view = await reviewer.questionOnce(id, ({ status }) => status !== 'running');
      const handle = client.workflow.getHandle(view.run.workflowId);
      const [history, { historySize }] = await Promise.all([handle.fetchHistory(), handle.describe()]);
      histories.push({
        status: view.status,
        passages: 'evidence' in view ? view.evidence.filter(({ origin }) => origin === 'corpus').length : 0,
        jsonBytes: historyToJSON(history).length,
        serverBytes: historySize ?? Number.NaN,
      });
      if (view.status === 'awaiting_review') await reviewer.decide(id, { kind: 'confirm' }, 2);
    }
    return histories;
  } finally {
    await connection.close();
  }
}

/** The fact first, then paragraphs that say other things. */
function noteOf(fact: string, characters: number): string {
  const paragraphs = [fact];
  for (let n = 1; paragraphs.join('\n\n').length < characters; n++)
    paragraphs.push(
      `Remark ${n} of the office: the file was read on day ${n} of the month, and whoever has a question about page ${n} asks the clerk in room ${100 + n}.`,
    );
  return paragraphs.join('\n\n').slice(0, characters);
}
