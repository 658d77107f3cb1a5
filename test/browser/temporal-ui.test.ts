import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chromium, type Browser, type Page } from 'playwright-core';
import { describeWithChromium } from '../support/chromium.ts';
import { House, type PlumblineProcess } from '../support/plumbline-process.ts';

const question = 'What restocking fee do we charge when a customer returns goods?';

describeWithChromium('the run in the Temporal UI', (executablePath) => {
  let house: House;
  let stack: PlumblineProcess;
  let browser: Browser;
  let url: string;
  beforeAll(async () => {
    house = await House.create();
    stack = await house.up();
    const asked = await house.fetch('/v1/questions', {
      method: 'POST',
      headers: { prefer: 'wait=60' },
      body: JSON.stringify({ question }),
    });
    ({ url } = ((await asked.json()) as { run: { url: string } }).run);
    browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  }, 240_000);
  afterAll(async () => {
    await browser.close();
    await stack.stop();
    house.remove();
  });

  async function open(address: string): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 1500, height: 2400 } });
    await page.goto(address);
    return page;
  }

  async function expectSoon(read: () => Promise<string>, text: string): Promise<void> {
    const giveUp = Date.now() + 30_000;
    let seen = await read();
    while (!seen.includes(text) && Date.now() < giveUp) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      seen = await read();
    }
    expect(seen).toContain(text);
  }

  test('reads as the story of the run: every step says what it does', async () => {
    const page = await open(url);
    for (const summary of ['search the corpus:', 'grade 8 passages', 'check 1 statements against their quotes']) {
      await page.getByText(summary).first().waitFor({ timeout: 30_000 });
    }
    await page.getByText('Completed', { exact: true }).first().waitFor();
    await page.close();
  }, 120_000);

  test('tells the question, the verdict, the evidence and the answer in its metadata', async () => {
    const page = await open(url);
    await page.getByText('User Metadata').click();
    // The UI renders markdown in frames of their own.
    const shown = async () =>
      // A frame may go while it is read: the next look finds its successor.
      (
        await Promise.all(
          page.frames().map((frame) =>
            frame
              .locator('body')
              .innerText()
              .catch(() => ''),
          ),
        )
      ).join('\n');
    for (const text of [question, 'Verdict CORRECT', 'answered', '12 %', 'relevant', 'Returns and restocking policy']) {
      await expectSoon(shown, text);
    }
    await page.close();
  }, 120_000);

  test('can be found by its search attributes', async () => {
    const base = url.slice(0, url.lastIndexOf('/workflows/'));
    const query = encodeURIComponent('PlumblineStatus="answered" AND PlumblineVerdict="CORRECT"');
    const page = await open(`${base}/workflows?query=${query}`);
    await page
      .getByText(/question\.main\./)
      .first()
      .waitFor({ timeout: 30_000 });
    await page.close();
  }, 120_000);

  test('takes the decision of a reviewer', async () => {
    const asked = await house.fetch('/v1/questions', {
      method: 'POST',
      body: JSON.stringify({ question: 'Which days is the sauna open?', policy: 'reviewed' }),
    });
    const { id, run } = (await asked.json()) as { id: string; run: { url: string } };
    const status = async () => ((await (await house.fetch(`/v1/questions/${id}`)).json()) as { status: string }).status;
    await expectSoon(status, 'awaiting_review');
    const page = await open(run.url);
    await page.getByRole('button', { name: 'More Actions' }).click();
    await page.getByRole('menuitem', { name: 'Send an Update' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByTestId('update-select-button').click();
    await dialog.getByText('decideReview', { exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Data' }).click();
    const actor = { user: 'ben', groups: ['staff'], roles: ['reviewer'] };
    await page.keyboard.insertText(
      JSON.stringify({ requestId: 'typed', actor, round: 1, decision: { kind: 'reject', reason: 'no sauna here' } }),
    );
    // The form lays out what was typed when it is left, and moves the button away.
    await dialog.getByTestId('update-id').click();
    await dialog.getByText('"decision"').waitFor();
    await dialog.getByTestId('confirm-modal-button').click();
    await expectSoon(status, 'denied');
    await page.close();
  }, 120_000);
});
