import { Command, InvalidArgumentError } from 'commander';
import { modelRoleSchema, providerSchema } from '../../../../domain/contracts/models.ts';
import type { ForkRequest } from '../../../../domain/contracts/fork.ts';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { followRun } from '../../follow-run.ts';
import { writeAddress } from '../../output.ts';
import { printComparison } from '../../print-comparison.ts';
import { compared } from './compare.ts';

type Models = NonNullable<ForkRequest['models']>;

interface ForkFlags {
  policy?: string;
  model?: Models;
  wait: boolean;
  json: boolean;
}

const roles = modelRoleSchema.options.join(', ');
const providers = providerSchema.options.join(', ');

export function forkCommand(done: Done): Command {
  return new Command('fork')
    .description('Run the same question once more, with your own rights, under another policy or model, and compare.')
    .argument('<id>')
    .option('--policy <name>', "how the new run decides; default: the original's policy, as it is now")
    .option('--model <role=provider/model>', `who plays a role in the new run (${roles}); may be given again`, player)
    .option('--no-wait', 'start it and print its id')
    .option('--json', 'print the comparison as JSON and nothing else', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline runs fork 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d --policy openai\n' +
        '  plumbline runs fork 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d --model generate=anthropic/claude-sonnet-5-5',
    )
    .action(async (id: string, flags: ForkFlags) => {
      done(await fork(id, flags));
    });
}

async function fork(original: string, { policy, model, wait, json }: ForkFlags): Promise<number> {
  const api = await connect();
  const request: ForkRequest = { ...(policy === undefined ? {} : { policy }), ...(model ? { models: model } : {}) };
  const started = await api.post<{ id: string }>(`/v1/questions/${encodeURIComponent(original)}/forks`, request);
  const { id } = started;
  if (!wait) {
    process.stdout.write(json ? `${JSON.stringify(started, null, 2)}\n` : `${id}\n`);
    return exitCodes.ok;
  }
  const { status, run } = await followRun(api, id, { quiet: json });
  const comparison = await compared(api, original, id);
  if (json) {
    process.stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
  } else {
    process.stderr.write('\n');
    printComparison(comparison, ['original', 'fork']);
    writeAddress(process.stderr, 'The fork, step by step: ', run.url ?? `plumbline runs show ${id}`);
  }
  return status === 'failed' || status === 'cancelled' ? exitCodes.failed : exitCodes.ok;
}

/** `generate=openai/gpt-5`; the model's own name may hold slashes. */
function player(value: string, before: Models = {}): Models {
  const [, role, provider, model = ''] = /^([a-z]+)=([a-z-]+)\/(.+)$/.exec(value) ?? [];
  const [knownRole, knownProvider] = [modelRoleSchema.safeParse(role), providerSchema.safeParse(provider)];
  if (!knownRole.success || !knownProvider.success)
    throw new InvalidArgumentError(
      `It must be role=provider/model, with a role of ${roles} and a provider of ${providers}.`,
    );
  return { ...before, [knownRole.data]: { provider: knownProvider.data, model } };
}
