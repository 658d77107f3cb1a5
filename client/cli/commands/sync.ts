import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { syncOptionsSchema, type SyncReport } from '../../../domain/contracts/sync.ts';
import type { SyncedFolder } from '../../syncs.ts';
import { CliError } from '../cli-error.ts';
import type { Done } from '../done.ts';
import { exitCodes } from '../exit-codes.ts';
import { colorsFor, printable, writeLines } from '../output.ts';
import { withSyncs } from '../syncs-here.ts';

const unitMs = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

export function syncCommand(done: Done): Command {
  const sync = new Command('sync').description(
    'Keep folders in sync: new and changed files are taken in, documents of deleted files are deleted.',
  );
  sync
    .command('add')
    .description(
      'Synchronise a folder now and at each interval from now on. Again: with another interval or other options.',
    )
    .argument('<folder>')
    .option('--every <time>', 'the interval: a number with s, m, h or d', interval, interval('10m'))
    .option(
      '--group <name...>',
      'only members of one of these groups may read the documents; default: everybody of the tenant',
    )
    .option(
      '--prefix <name>',
      'put before the names of the files, for two folders with files of the same name',
      prefixOf,
      '',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline sync add handbook/ --every 10m\n  plumbline sync add /srv/board --every 1h --group board --prefix board',
    )
    .action(async (given: string, { every, group, prefix }: { every: number; group?: string[]; prefix: string }) => {
      const folder = resolve(given);
      if (!(await stat(folder).catch(() => null))?.isDirectory())
        throw new CliError(exitCodes.usage, `There is no folder ${folder}.`);
      const options = { prefix, overrides: group === undefined ? {} : { groups: group } };
      const how = await withSyncs((syncs, access) => syncs.add(access, { folder, everyMs: every, options }));
      const verb = how === 'added' ? 'is synchronised' : 'was synchronised before and now is';
      writeLines(process.stderr, `${printable(folder)} ${verb} every ${told(every)}; the first time now.`);
      done(exitCodes.ok);
    });
  sync
    .command('list')
    .description('The folders that are kept in sync.')
    .option('--json', 'print JSON', false)
    .action(async ({ json }: { json: boolean }) => {
      const folders = await withSyncs((syncs, access) => syncs.list(access));
      if (json) process.stdout.write(`${JSON.stringify(folders, null, 2)}\n`);
      else folders.forEach(printFolder);
      if (folders.length === 0 && !json) process.stderr.write('No folder is kept in sync.\n');
      done(exitCodes.ok);
    });
  sync
    .command('run')
    .description('Synchronise a folder now and wait for the end.')
    .argument('<folder>')
    .option('--json', 'print the report as JSON', false)
    .action(async (given: string, { json }: { json: boolean }) => {
      const folder = resolve(given);
      const end = await withSyncs(async (syncs, access) => {
        const run = await syncs.run(access, folder);
        if (run === null) throw unknown(folder);
        if (!run.fresh) process.stderr.write('A synchronisation is under way; waiting for its end.\n');
        return run.end();
      });
      if (end.status === 'failed') throw new CliError(exitCodes.failed, `${end.reason.message} (${end.reason.code}).`);
      if (end.status === 'cancelled') throw new CliError(exitCodes.failed, 'The synchronisation was cancelled.');
      if (json) process.stdout.write(`${JSON.stringify(end.result, null, 2)}\n`);
      else printSync(end.result);
      done(end.result.counts.failed > 0 || end.result.unreadableCount > 0 ? exitCodes.failed : exitCodes.ok);
    });
  sync
    .command('remove')
    .description('Stop synchronising a folder. Its documents stay.')
    .argument('<folder>')
    .action(async (given: string) => {
      const folder = resolve(given);
      if (!(await withSyncs((syncs, access) => syncs.remove(access, folder)))) throw unknown(folder);
      writeLines(
        process.stderr,
        `${printable(folder)} is not synchronised any more. Its documents remain and can be deleted with: plumbline documents delete ID`,
      );
      done(exitCodes.ok);
    });
  return sync;
}

/** In ms. */
function interval(given: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const ms = Number(count) * (unitMs[unit as keyof typeof unitMs] ?? NaN);
  if (!(ms >= 5000 && ms <= 365 * unitMs.d))
    throw new InvalidArgumentError('It is a number with s, m, h or d, from 5s to 365d.');
  return ms;
}

function prefixOf(given: string): string {
  const prefix = syncOptionsSchema.shape.prefix.safeParse(given.replace(/\/+$/, ''));
  if (!prefix.success) throw new InvalidArgumentError(`${prefix.error.issues[0]?.message ?? 'It cannot be used'}.`);
  return prefix.data;
}

function told(ms: number): string {
  const [unit, size] = Object.entries(unitMs).findLast(([, size]) => ms % size === 0) ?? ['s', 1000];
  return `${ms / size} ${unit}`;
}

function unknown(folder: string): CliError {
  return new CliError(exitCodes.usage, `${folder} is not kept in sync.`, 'See: plumbline sync list');
}

function printFolder({ folder, everyMs, paused, lastStart, nextStart }: SyncedFolder): void {
  const { dim, yellow } = colorsFor(process.stdout);
  const rhythm = everyMs === null ? '' : `every ${told(everyMs)}`;
  const times = `last ${lastStart ?? 'never'}, next ${nextStart ?? 'never'}`;
  process.stdout.write(`${printable(folder)}  ${rhythm}${paused ? yellow(' paused') : ''}  ${dim(times)}\n`);
}

function printSync({ counts, deleted, unreadable, unreadableCount, ms }: SyncReport): void {
  const out = process.stdout;
  const { yellow } = colorsFor(out);
  for (const id of deleted) writeLines(out, `deleted ${printable(id)}`);
  if (counts.deleted > deleted.length) writeLines(out, `… and ${counts.deleted - deleted.length} more deleted.`);
  for (const place of unreadable) writeLines(out, yellow(`! could not be read: ${printable(place)}`));
  if (unreadableCount > unreadable.length)
    writeLines(out, `… and ${unreadableCount - unreadable.length} more that could not be read.`);
  const { added, changed, unchanged, failed } = counts;
  writeLines(
    out,
    `${added} new, ${changed} changed, ${unchanged} unchanged, ${failed} failed, ${counts.deleted} deleted in ${(ms / 1000).toFixed(1)} s.`,
  );
}
