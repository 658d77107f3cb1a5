import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { zipSync } from 'fflate';
import { docx } from './support/office-files.ts';
import { failure, parse } from './support/parse.ts';
import { pdfOf } from './support/pdf-files.ts';

const html = '<!DOCTYPE html><html><body><p>x</p></body></html>';
const mail =
  'From: a@example.invalid\r\nMessage-ID: <1@example.invalid>\r\nDate: Mon, 4 Mar 2024 10:00:00 +0000\r\nSubject: s\r\n\r\nBody.';

describe('type by content', () => {
  test.each([
    ['page.txt', html, 'html'],
    ['page', html, 'html'],
    ['x.md', html, 'html'],
    ['fragment.html', 'just <b>words</b>', 'html'],
    ['a.md', '# x', 'markdown'],
    ['a.MARKDOWN', 'x', 'markdown'],
    ['a.txt', '# x', 'text'],
    ['notes', '# x\n\ny', 'markdown'],
    ['notes', 'plain', 'text'],
    ['a.csv', 'a,b\n1,2', 'csv'],
    ['a.tsv', 'a\tb\n1\t2', 'csv'],
    ['a.txt', 'a,b\n1,2', 'text'],
    ['a.eml', 'Subject: x\nFrom: y@example.invalid\n\nbody', 'eml'],
    ['message', mail, 'eml'],
    ['memo.txt', 'From: Ann\nTo: Bob\nSubject: keys\n\nbody', 'text'],
    ['start.txt', 'MZ is how some programs begin, and BM how some pictures do.', 'text'],
    ['bm.txt', 'BM', 'text'],
  ])('%s holding %j is %s', async (name, content, format) => {
    expect((await parse(content, name)).format).toBe(format);
  });

  test('names do not turn one binary format into another', async () => {
    expect((await parse(docx({ paragraphs: ['Hello'] }), 'a.txt')).format).toBe('docx');
    expect((await parse(docx({ paragraphs: ['Hello'] }), 'a.pdf')).format).toBe('docx');
    expect((await parse(await pdfOf(['Hello']), 'a.md')).format).toBe('pdf');
  });

  test.each([
    [
      'a picture',
      Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        'base64',
      ),
    ],
    ['a program', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(64)])],
    ['a plain zip', Buffer.from(zipSync({ 'a.txt': Buffer.from('x') }))],
    [
      'an OpenDocument text',
      Buffer.from(
        zipSync({
          mimetype: Buffer.from('application/vnd.oasis.opendocument.text'),
          'content.xml': Buffer.from('<x/>'),
        }),
      ),
    ],
    ['RTF', Buffer.from('{\\rtf1\\ansi hello}')],
    ['XML', Buffer.from('<?xml version="1.0"?><a>b</a>')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>')],
    ['noise', Buffer.concat([Buffer.from([0xfa, 0x00, 0x01, 0x02]), randomBytes(5_000)])],
    ['an old Office file', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)])],
  ])('%s is of no supported type, whatever its name', async (_, bytes) => {
    for (const name of ['a.txt', 'a.md', 'a.pdf', 'a'])
      expect((await failure(parse(bytes, name))).code).toBe('Document.UnknownType');
  });

  test('an Office file under a password is encrypted, not unknown', async () => {
    const bytes = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(504),
      Buffer.from('EncryptedPackage', 'utf16le'),
      Buffer.alloc(100),
    ]);
    expect((await failure(parse(bytes, 'a.docx'))).code).toBe('Document.Encrypted');
  });

  test.each([Buffer.alloc(0), Buffer.from(' \n\t\n')])('nothing is no text', async (bytes) => {
    expect((await failure(parse(bytes, 'a.txt'))).code).toBe('Document.NoText');
  });
});
