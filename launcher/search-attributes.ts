import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { searchAttributes } from '../workflows/search-attributes.ts';
import { LauncherError, messageOf } from './errors.ts';
import type { Settings } from './settings.ts';
import { addMissingAttributes, mayPass, type SearchAttributeType } from './temporal-ready.ts';
import { temporalConnectionOptions } from './temporal-connection.ts';

/** For a cluster that is starting at the same moment. */
const patienceMs = 20_000;

/** gRPC codes of a refusal: PERMISSION_DENIED, UNIMPLEMENTED, UNAUTHENTICATED. */
const refused = new Set([7, 12, 16]);
/** And of what passes: a server that is coming up, or ALREADY_EXISTS, when another process registers at the same moment. */
const passes = new Set([...mayPass, 6]);

const serverTypes = {
  KEYWORD: 'Keyword',
  KEYWORD_LIST: 'KeywordList',
  INT: 'Int',
  DATETIME: 'Datetime',
} as const satisfies Record<string, SearchAttributeType>;

/** The search attributes that runs are marked with, by name. */
export function attributeTypes(): Record<string, SearchAttributeType> {
  return Object.fromEntries(Object.values(searchAttributes).map(({ name, type }) => [name, serverTypes[type]]));
}

interface Options {
  say: (line: string) => void;
  /** Ends the waiting; its reason is thrown. */
  signal?: AbortSignal;
  waitMs?: number;
}

/**
 * Makes sure that an external cluster knows the search attributes, without which it refuses every run: registers the missing ones where this
 * user may. Where it may not even list them, a line says how to register them, and the start goes on.
 * @throws LauncherError `Temporal.Unreachable`; `Temporal.SearchAttributes` with the command for whoever may
 */
export async function registerSearchAttributes(settings: Settings, options: Options): Promise<void> {
  const giveUpAt = Date.now() + (options.waitMs ?? patienceMs);
  const connection = Connection.lazy(temporalConnectionOptions(settings));
  try {
    for (let tries = 0; ; tries++) {
      options.signal?.throwIfAborted();
      const trouble = await attempt(connection, settings, options.say);
      if (trouble === null) return;
      if (Date.now() > giveUpAt) throw unreachable(settings, trouble);
      if (tries === 0) options.say(`Waiting for Temporal at ${settings.temporal.address}.`);
      await sleep(200, undefined, options.signal ? { signal: options.signal } : {});
    }
  } finally {
    await connection.close();
  }
}

/** Null when all is there; else what may pass with time. */
async function attempt(connection: Connection, settings: Settings, say: Options['say']): Promise<unknown> {
  const { namespace } = settings.temporal;
  const wanted = { namespace, searchAttributes: attributeTypes() };
  try {
    await connection.withDeadline(Date.now() + 3_000, () =>
      connection.workflowService.describeNamespace({ namespace }),
    );
    const missing = await connection.withDeadline(Date.now() + 5_000, () => addMissingAttributes(connection, wanted));
    return missing.length === 0 ? null : new Error(`it does not know ${missing.join(', ')} yet`);
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
    if (passes.has(error.code)) return error;
    if (!refused.has(error.code)) throw unreachable(settings, error);
    return judgeRefusal(connection, { settings, error, say });
  }
}

/** What was refused: the listing, which leaves open whether they are there, or the adding, which does not. */
async function judgeRefusal(
  connection: Connection,
  { settings, error, say }: { settings: Settings; error: Error; say: Options['say'] },
): Promise<null> {
  const { namespace } = settings.temporal;
  try {
    await connection.withDeadline(Date.now() + 3_000, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
  } catch (listing) {
    if (!isGrpcServiceError(listing) || !refused.has(listing.code)) throw unreachable(settings, listing);
    say(
      `Temporal does not let this user see the search attributes of namespace ${namespace}. If runs are refused for an unknown one, ` +
        `let somebody who may run: ${createCommand(settings)}`,
    );
    return null;
  }
  throw new LauncherError(
    'Temporal.SearchAttributes',
    `Namespace ${namespace} at ${settings.temporal.address} lacks search attributes of Plumbline, and this user may not add them (${messageOf(error)}).`,
    {
      remedy: `Let somebody who may run: ${createCommand(settings)} (on Temporal Cloud: add them on the namespace's page).`,
      cause: error,
    },
  );
}

/** For Temporal's own CLI; adding those that are there already does no harm. */
export function createCommand({ temporal }: Settings): string {
  const each = Object.entries(attributeTypes()).map(([name, type]) => `--name ${name} --type ${type}`);
  return `temporal operator search-attribute create --address ${temporal.address} --namespace ${temporal.namespace} ${each.join(' ')}`;
}

function unreachable({ temporal }: Settings, error: unknown): LauncherError {
  return new LauncherError(
    'Temporal.Unreachable',
    `Temporal at ${temporal.address}, namespace ${temporal.namespace}, cannot be used: ${messageOf(error)}.`,
    {
      remedy:
        'Check that it runs and that the namespace exists (temporal operator namespace create), and TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE and the key or certificates.',
      cause: error,
    },
  );
}
