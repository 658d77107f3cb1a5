import { failure, type Answer } from '../../test/support/provider-server/answers.ts';
import type { ProviderRequest } from '../../test/support/provider-server/request.ts';
import { startProviderServer, type ProviderServer } from '../../test/support/provider-server/start-provider-server.ts';
import { scriptedReader } from '../../test/support/scripted-reader.ts';
import { inParallel } from './in-parallel.ts';
import { paid } from './review-policies.ts';
import type { Reviewer } from './reviewer.ts';

export interface Resumed {
  failed: number;
  answered: number;
  /** Paid calls a run that nothing disturbs. */
  callsARun: number;
  /** Paid calls beyond those of undisturbed runs. */
  repeated: number;
}

const atOnce = 10;

/** A provider that judges and writes, and writes no more once its credit is used up. */
export class CreditedProvider {
  readonly server: ProviderServer;
  private readonly account: { credit: boolean };

  private constructor(server: ProviderServer, account: { credit: boolean }) {
    this.server = server;
    this.account = account;
  }

  static async start(): Promise<CreditedProvider> {
    const account = { credit: true };
    const respond = (request: ProviderRequest): Answer | undefined => {
      if (account.credit || request.schemaName !== 'answer') return scriptedReader(request);
      return failure('openai', 429, { type: 'insufficient_quota', code: 'insufficient_quota' });
    };
    return new CreditedProvider(await startProviderServer({ respond }), account);
  }

  set credit(credit: boolean) {
    this.account.credit = credit;
  }

  /** Calls that were answered, and so paid, since this was asked last. */
  takePaid(): number {
    const answered = this.server.journal.filter(({ status }) => status === 200).length;
    this.server.clear();
    return answered;
  }
}

/** All questions once undisturbed; then once with the credit used up when the answers are to be written, and resumed when it is back. */
export async function resumedRuns(
  provider: CreditedProvider,
  reviewer: Reviewer,
  questions: string[],
): Promise<Resumed> {
  const ask = async () => {
    const ids: string[] = [];
    await inParallel(questions, atOnce, async (question) => void ids.push(await reviewer.ask(question, paid)));
    return ids;
  };
  const count = async (ids: string[], status: string) => {
    let reached = 0;
    await inParallel(ids, atOnce, async (id) => {
      const view = await reviewer.questionOnce(id, (seen) => seen.status !== 'running');
      if (view.status === status) reached += 1;
    });
    return reached;
  };
  provider.takePaid();
  await count(await ask(), 'answered');
  const undisturbed = provider.takePaid();
  provider.credit = false;
  const ids = await ask();
  const failed = await count(ids, 'failed');
  provider.credit = true;
  await inParallel(ids, atOnce, async (id) => {
    const status = await reviewer.resume(id);
    if (status !== 202) throw new Error(`the run was not resumed: ${status}`);
  });
  const answered = await count(ids, 'answered');
  return {
    failed,
    answered,
    callsARun: undisturbed / questions.length,
    repeated: provider.takePaid() - undisturbed,
  };
}
