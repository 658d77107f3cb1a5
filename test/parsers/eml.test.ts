import { describe, expect, test } from '@jest/globals';
import { parse, textsOf } from './support/parse.ts';

const head =
  'From: =?utf-8?q?J=C3=B6rg?= Marsh <joerg@example.invalid>\r\nTo: Desk <desk@example.invalid>\r\nSubject: Lock fees\r\nDate: Mon, 04 Mar 2024 10:00:00 +0000\r\nMIME-Version: 1.0\r\n';
const fields =
  'Subject: Lock fees; From: Jörg Marsh <joerg@example.invalid>; To: Desk <desk@example.invalid>; Date: 2024-03-04T10:00:00.000Z';

describe('EML', () => {
  test('a plain message: who, to whom, when, about what, then the body', async () => {
    const document = await parse(
      `${head}Content-Type: text/plain; charset=utf-8\r\n\r\nHello,\r\n\r\nthe fee is\r\n12 marks.\r\n\r\n> earlier words\r\n`,
      'a.eml',
    );
    expect(textsOf(document)).toEqual([fields, 'Hello,', 'the fee is 12 marks.', 'earlier words']);
    expect(document).toMatchObject({ format: 'eml', title: 'Lock fees' });
  });

  test('the HTML body is read as a page is: hidden parts are not', async () => {
    const body =
      '<p>Deposit is 200 marks.</p><div style="display:none">MAGNOLIA</div><table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>';
    const document = await parse(`${head}Content-Type: text/html; charset=utf-8\r\n\r\n${body}`, 'a.eml');
    expect(textsOf(document)).toEqual([fields, 'Deposit is 200 marks.', 'a | b', '1 | 2']);
  });

  test('attachments are named, not read', async () => {
    const parts = [
      'Content-Type: text/plain\r\n\r\nSee attached.',
      'Content-Type: application/pdf\r\nContent-Disposition: attachment; filename="plan.pdf"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0=',
    ];
    const document = await parse(
      `${head}Content-Type: multipart/mixed; boundary=B\r\n\r\n${parts.map((part) => `--B\r\n${part}\r\n`).join('')}--B--\r\n`,
      'a.eml',
    );
    expect(textsOf(document)).toEqual([fields, 'See attached.']);
    expect(document.warnings).toEqual([
      { code: 'embedded_object_skipped', message: 'An attachment of the message was not read.', part: 'plan.pdf' },
    ]);
  });
});
