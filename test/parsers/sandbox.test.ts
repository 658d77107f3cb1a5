import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocumentParser } from '../../adapters/parsers/index.ts';
import type { DocumentParser, ParseLimits } from '../../adapters/parsers/port.ts';
import { limits } from './support/limits.ts';
import { docx, packageParts, sheetRow, wordParagraph, wordPart, xlsx } from './support/office-files.ts';
import { expectWellFormed, failure } from './support/parse.ts';
import { inflatingPdf, pdfOf } from './support/pdf-files.ts';
import { rawZip } from './support/raw-zip.ts';

const MB = 1024 * 1024;
let folder = '';
let parser: DocumentParser | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parsers-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});
afterEach(async () => {
  await parser?.close();
  parser = null;
});

function open(own: Partial<ParseLimits> = {}, processes = 1): DocumentParser {
  parser = createDocumentParser({ ...limits, ...own }, { processes });
  return parser;
}

async function file(name: string, content: string | Uint8Array): Promise<{ path: string; name: string }> {
  const path = join(folder, `${crypto.randomUUID()}-${name}`);
  await writeFile(path, content);
  return { path, name };
}

/** Process ids of the parsing processes that a process has started. */
function parsingProcesses(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isChild(pid, parent));
}

function isChild(pid: number, parent: number): boolean {
  try {
    const parentOf = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]);
    return parentOf === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('sandbox/child.ts');
  } catch {
    return false; // it ended while being looked at
  }
}

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !condition(); tries += 1) await wait(50);
  expect(condition()).toBe(true);
}

/** A small Word file whose body unpacks to `size` bytes, whatever it declares. */
function inflatingDocx(size: number, declaredSize: number): Uint8Array {
  const body = Buffer.from(wordPart('document', `<w:body>${wordParagraph('x')}</w:body>`));
  const parts = Object.entries(packageParts('docx', 'word/document.xml')).map(([name, content]) => ({
    name,
    content: Buffer.from(content),
  }));
  return rawZip([
    ...parts,
    { name: 'word/document.xml', content: Buffer.concat([body, Buffer.alloc(size - body.length, ' ')]), declaredSize },
  ]);
}

describe('parser in its own process', () => {
  test('reads files of every kind, one process for all, and tells what a missing file is', async () => {
    const { parse } = open();
    const files = await Promise.all([
      file('a.md', '# Title\n\nText.'),
      file('a.txt', 'Text.'),
      file('a.html', '<p>Text.</p>'),
      file('a.csv', 'a,b\n1,2'),
      file('a.eml', 'Subject: s\nFrom: a@example.invalid\n\nText.'),
      file('a.pdf', await pdfOf(['Text.'])),
      file('a.docx', docx({ paragraphs: ['Text.'] })),
      file('a.xlsx', xlsx([{ name: 'S', rows: sheetRow(1, ['Text.', 1]) }])),
    ]);
    const documents = await Promise.all(files.map((each) => parse(each)));
    documents.forEach(expectWellFormed);
    expect(documents.map(({ format }) => format)).toEqual([
      'markdown',
      'text',
      'html',
      'csv',
      'eml',
      'pdf',
      'docx',
      'xlsx',
    ]);
    expect(parsingProcesses()).toHaveLength(1);
    expect((await failure(parse({ path: join(folder, 'missing.md'), name: 'missing.md' }))).code).toBe(
      'Document.NotFound',
    );
    expect((await failure(parse({ path: folder, name: 'folder' }))).code).toBe('Document.NotFound');
  });

  test("a library's own error becomes a typed one that quotes nothing of the document", async () => {
    const nested = `<!DOCTYPE html><html><body>${'<div>'.repeat(200_000)}MAGNOLIA`;
    const error = await failure(open().parse(await file('a.html', nested)));
    expect(error.code).toBe('Document.Corrupt');
    expect(error.message).not.toContain('MAGNOLIA');
  });

  test('a file larger than allowed is not read', async () => {
    expect((await failure(open({ maxBytes: 1_000 }).parse(await file('a.txt', 'x'.repeat(1_001))))).code).toBe(
      'Document.TooLarge',
    );
  });

  describe('bombs', () => {
    test('what inflates to 300 MB is refused in seconds, whatever size it declares and whatever it is called; this process stays small', async () => {
      const honest = inflatingDocx(300 * MB, 300 * MB);
      const files = [
        await file('a.docx', honest),
        await file('b.docx', inflatingDocx(300 * MB, 1_000)),
        await file('c.txt', honest),
      ];
      expect(honest.length).toBeLessThan(MB);
      const { parse } = open();
      const before = process.memoryUsage.rss();
      const started = Date.now();
      for (const each of files) expect((await failure(parse(each))).code).toBe('Document.TooLargeUnpacked');
      expect(Date.now() - started).toBeLessThan(15_000);
      expect(process.memoryUsage.rss() - before).toBeLessThan(50 * MB);
      expect((await parse(await file('d.txt', 'Still here.'))).text).toBe('Still here.');
    });

    test('many parts that are small alone are counted together', async () => {
      const sheets = Array.from({ length: 20 }, (_, i) => ({ name: `S${i}`, rows: '', after: ' '.repeat(2 * MB) }));
      expect((await failure(open({ maxUnpackedBytes: 30 * MB }).parse(await file('a.xlsx', xlsx(sheets))))).code).toBe(
        'Document.TooLargeUnpacked',
      );
    });

    test('20,000 entries are too many', async () => {
      const zip = rawZip(
        Array.from({ length: 20_000 }, (_, i) => ({ name: `word/x${i}.xml`, content: new Uint8Array(1) })),
      );
      expect((await failure(open().parse(await file('a.docx', zip)))).code).toBe('Document.TooManyEntries');
    });

    test('what a PDF inflates to outside of the heap ends its process, not this one', async () => {
      const { parse } = open({ maxMemoryMb: 64, maxBytes: 5 * MB, maxUnpackedBytes: 10 * MB });
      const bomb = await file('a.pdf', inflatingPdf(400 * MB));
      const before = process.memoryUsage.rss();
      expect((await failure(parse(bomb))).code).toBe('Document.TooLargeUnpacked');
      expect(process.memoryUsage.rss() - before).toBeLessThan(50 * MB);
      expect((await parse(await file('b.txt', 'Still here.'))).text).toBe('Still here.');
    });

    test('what fills the heap ends its process, and is not to be tried again', async () => {
      const { parse } = open({ maxMemoryMb: 32 });
      const error = await failure(parse(await file('a.md', `${'- *a* [b](c)\n'.repeat(400_000)}`)));
      expect(error.code).toBe('Document.TooLargeUnpacked');
      expect((await parse(await file('b.txt', 'Still here.'))).text).toBe('Still here.');
    });
  });

  test('a document that takes too long is given up; others are read meanwhile and after', async () => {
    const { parse } = open({ timeoutMs: 3_000, maxMemoryMb: 1_000 }, 2);
    const started = Date.now();
    const slow = failure(parse(await file('slow.md', '[a]('.repeat(200_000))));
    expect((await parse(await file('b.txt', 'Meanwhile.'))).text).toBe('Meanwhile.');
    expect((await slow).code).toBe('Document.Timeout');
    expect(Date.now() - started).toBeLessThan(8_000);
    expect((await parse(await file('c.txt', 'After.'))).text).toBe('After.');
  });

  test('an abort stops the reading at once, also of a file that waits its turn', async () => {
    const { parse } = open({ maxMemoryMb: 1_000 });
    const running = new AbortController();
    const queued = new AbortController();
    const slow = parse(await file('slow.md', '[a]('.repeat(200_000)), running.signal);
    const waiting = parse(await file('b.txt', 'x'), queued.signal);
    const last = parse(await file('c.txt', 'Last.'));
    queued.abort(new Error('no longer wanted'));
    await expect(waiting).rejects.toThrow('no longer wanted');
    await wait(300);
    const started = Date.now();
    running.abort(new Error('cancelled'));
    await expect(slow).rejects.toThrow('cancelled');
    expect(Date.now() - started).toBeLessThan(3_000);
    expect((await last).text).toBe('Last.');
    await expect(parse(await file('d.txt', 'x'), AbortSignal.abort(new Error('before')))).rejects.toThrow('before');
  });

  test('a process that is killed is a crash, which may be tried again; the next file gets a new one', async () => {
    const { parse } = open({ maxMemoryMb: 1_000 });
    await parse(await file('a.txt', 'x'));
    const [pid] = parsingProcesses();
    const crashed = failure(parse(await file('slow.md', '[a]('.repeat(200_000))));
    await wait(300);
    process.kill(pid ?? 0, 'SIGKILL');
    expect((await crashed).code).toBe('Document.ParserCrashed');
    expect((await parse(await file('b.txt', 'Again.'))).text).toBe('Again.');
    expect(parsingProcesses()).not.toContain(pid);
  });

  test.each([0, 50, 200, 2_000])(
    'when this side is killed %i ms after starting a process, that process ends by itself',
    async (delayMs) => {
      const slow = await file('slow.md', '*a_ '.repeat(60_000));
      const owner = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/abandoned-parser.ts'), slow.path], {
        stdio: 'ignore',
      });
      const ownerPid = owner.pid ?? 0;
      await until(() => parsingProcesses(ownerPid).length === 1);
      const [pid = 0] = parsingProcesses(ownerPid);
      await wait(delayMs);
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      owner.kill('SIGKILL');
      await until(() => !existsSync(`/proc/${pid}`));
    },
  );

  test('closing ends every process, the busy ones too', async () => {
    const { parse, close } = open({ maxMemoryMb: 1_000 }, 2);
    await parse(await file('a.txt', 'x'));
    const busy = failure(parse(await file('slow.md', '[a]('.repeat(200_000))));
    await wait(300);
    await close();
    expect((await busy).code).toBe('Document.ParserCrashed');
    expect(parsingProcesses()).toEqual([]);
    await expect(parse(await file('b.txt', 'x'))).rejects.toThrow(/closed/);
  });

  test('hundreds of small files in one process: fast, and this process does not grow', async () => {
    const { parse } = open();
    const each = await file('a.md', `# Title\n\n${'A sentence of the text. '.repeat(50)}`);
    await parse(each);
    const before = process.memoryUsage.rss();
    const started = Date.now();
    for (let i = 0; i < 300; i += 1) await parse(each);
    expect((Date.now() - started) / 300).toBeLessThan(150);
    expect(process.memoryUsage.rss() - before).toBeLessThan(60 * MB);
    expect(parsingProcesses()).toHaveLength(1);
  });
});
