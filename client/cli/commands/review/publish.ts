import { Command, Option } from 'commander';
import type { PublicationView } from '../../../publication-view.ts';
import { connect } from '../../connect.ts';
import type { Done } from '../../done.ts';
import { exitCodes } from '../../exit-codes.ts';
import { printable, writeLines } from '../../output.ts';

interface PublishFlags {
  title?: string;
  validUntil?: string;
  groups?: string[];
  everybody?: true;
  allowWider: boolean;
  json: boolean;
}

export function publishCommand(done: Done): Command {
  return new Command('publish')
    .description('Make what a reviewer gave a document, so that the question is answered from it from now on.')
    .argument('<id>')
    .option('--title <text>', 'of the document; default: the question')
    .option('--valid-until <day>', 'the last day on which it answers, as 2027-12-31; default: until it is withdrawn')
    .option('--groups <names>', 'who may read it, with commas between; default: as the evidence and the asker', groups)
    .addOption(new Option('--everybody', 'everybody of the tenant may read it').conflicts('groups'))
    .option('--allow-wider', 'also people may who may not read all of the evidence', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline review publish 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d\n' +
        '  plumbline review publish 0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d --valid-until 2027-12-31 --groups staff,hr',
    )
    .action(async (id: string, { json, everybody, groups: named, ...rest }: PublishFlags) => {
      const wanted = everybody ? [] : named;
      const body = { ...rest, ...(wanted === undefined ? {} : { groups: wanted }) };
      const path = `/v1/reviews/${encodeURIComponent(id)}/publication`;
      const view = await (await connect()).post<PublicationView>(path, body);
      if (json) process.stdout.write(`${JSON.stringify(view, null, 2)}\n`);
      else printPublication(view);
      done(exitCodes.ok);
    });
}

function groups(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

function printPublication({ documentId, published, status }: PublicationView): void {
  const out = process.stdout;
  if (status !== 'published' || published === null)
    return writeLines(out, `It is still being published; it will be ${printable(documentId)}.`);
  const { title, groups: readers, wider, validUntil } = published;
  writeLines(out, `Published as ${printable(documentId)}: ${printable(title)}`);
  const who = readers.length === 0 ? 'everybody of the tenant' : readers.join(', ');
  writeLines(out, `may be read by  ${printable(who)}${wider ? ' (wider than its evidence)' : ''}`, '  ');
  writeLines(out, `answers until   ${validUntil ?? 'it is withdrawn'}`, '  ');
}
