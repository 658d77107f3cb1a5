import { Command, Option } from 'commander';
import type { DocumentMetadata } from '../../../domain/contracts/document.ts';
import { connect } from '../connect.ts';
import type { Done } from '../done.ts';
import { exitCodes } from '../exit-codes.ts';
import { colorsFor, printable, writeLines } from '../output.ts';

/** A document as the API tells it. */
interface DocumentView {
  documentId: string;
  format: string;
  metadata: DocumentMetadata;
  bytes: number;
  pages: number | null;
  passages: number;
  warnings: string[];
  ingestedAt: string;
  text?: string;
}

export function documentsCommand(done: Done): Command {
  const documents = new Command('documents').description('Look at the documents that you may read, or delete one.');
  documents
    .command('list')
    .description('All documents, by their ids.')
    .option('--search <text>', 'only those with this in their title or id')
    .option('--tag <tag>', 'only those with this tag')
    .addOption(new Option('--status <status>', 'only those').choices(['active', 'superseded', 'draft']))
    .option('--json', 'print JSON, a document a line', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline documents list\n  plumbline documents list --search warranty --status active',
    )
    .action(async ({ json, ...filter }: { json: boolean; search?: string; tag?: string; status?: string }) => {
      let count = 0;
      for await (const document of allDocuments(filter)) {
        count++;
        if (json) process.stdout.write(`${JSON.stringify(document)}\n`);
        else printLine(document);
      }
      if (count === 0) process.stderr.write('There are no such documents.\n');
      done(exitCodes.ok);
    });
  documents
    .command('show')
    .description('One document: what is known of it, or its text.')
    .argument('<id>')
    .option('--text', 'print its text and nothing else', false)
    .option('--json', 'print JSON', false)
    .addHelpText(
      'after',
      '\nExamples:\n  plumbline documents show warranty.md\n  plumbline documents show --text warranty.md',
    )
    .action(async (id: string, { text, json }: { text: boolean; json: boolean }) => {
      const document = await (await connect()).get<DocumentView>(`${pathOf(id)}${text ? '?text=true' : ''}`);
      if (json) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
      else if (text) process.stdout.write(`${document.text ?? ''}\n`);
      else printDocument(document);
      done(exitCodes.ok);
    });
  documents
    .command('delete')
    .description('Remove documents with all their passages.')
    .argument('<id...>')
    .addHelpText('after', '\nExample:\n  plumbline documents delete warranty.md')
    .action(async (ids: string[]) => {
      const api = await connect();
      for (const id of ids) {
        await api.delete(pathOf(id));
        process.stderr.write(`Deleted ${id}.\n`);
      }
      done(exitCodes.ok);
    });
  return documents;
}

async function* allDocuments(filter: Record<string, string>): AsyncGenerator<DocumentView> {
  const api = await connect();
  for (let after: string | null = ''; after !== null;) {
    const query = new URLSearchParams({ ...filter, limit: '200', ...(after === '' ? {} : { after }) });
    const page: { documents: DocumentView[]; next: string | null } = await api.get(`/v1/documents?${query.toString()}`);
    yield* page.documents;
    after = page.next;
  }
}

function pathOf(id: string): string {
  return `/v1/documents/${encodeURIComponent(id)}`;
}

function printLine({ documentId, metadata, passages }: DocumentView): void {
  const { dim, yellow } = colorsFor(process.stdout);
  const status = metadata.status === 'active' ? '' : yellow(` ${metadata.status}`);
  const groups = metadata.groups.length === 0 ? '' : dim(` [${metadata.groups.join(', ')}]`);
  const title = printable(metadata.title).replaceAll('\n', ' ');
  process.stdout.write(`${printable(documentId)}  ${title}${status}${groups}  ${dim(`${passages} passage(s)`)}\n`);
}

function printDocument({
  documentId,
  format,
  metadata,
  bytes,
  pages,
  passages,
  warnings,
  ingestedAt,
}: DocumentView): void {
  const out = process.stdout;
  const { bold, yellow } = colorsFor(out);
  const { title, uri, language, status, authority, effectiveFrom, effectiveTo, supersedes, groups, tags } = metadata;
  writeLines(out, bold(printable(title)));
  const facts: [string, string | number | null][] = [
    ['id', documentId],
    ['address', uri],
    ['format', format],
    ['language', language],
    ['status', status],
    ['authority', authority],
    [
      'in effect',
      effectiveFrom === null && effectiveTo === null ? null : `${effectiveFrom ?? '…'} to ${effectiveTo ?? '…'}`,
    ],
    ['supersedes', supersedes],
    ['groups', groups.length === 0 ? 'everybody of the tenant' : groups.join(', ')],
    ['tags', tags.length === 0 ? null : tags.join(', ')],
    ['size', `${bytes} bytes, ${pages === null ? '' : `${pages} pages, `}${passages} passage(s)`],
    ['taken in', ingestedAt],
  ];
  for (const [name, value] of facts)
    if (value !== null) writeLines(out, `${name.padEnd(11)} ${printable(String(value))}`, '  ');
  for (const warning of warnings) writeLines(out, yellow(`! ${printable(warning)}`), '  ');
}
