import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TypedSearchAttributes } from '@temporalio/common';
import { questionWorkflowId } from '../../domain/rules/workflow-ids.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import { plumbline } from '../client/cli-process.ts';
import { openApiHouse, people, type ApiHouse } from './api-house.ts';

let house: ApiHouse;
beforeAll(async () => {
  house = await openApiHouse();
  await run('main', 'anthropic', 12_345);
  await run('main', 'anthropic', 1);
  await run('main', 'openai', 250_000);
  await run('main', 'default', null);
  await run('birch', 'openai', 7_000_000);
  // Visibility lags behind.
  await expect(usage(house.token, '?since=1h', 4)).resolves.toMatchObject({ runs: 4 });
  await expect(usage(people.birch.token, '?since=1h', 1)).resolves.toMatchObject({ runs: 1 });
});
afterAll(() => house.close());

/** A run as the server knows it, with what it has noted so far; no worker takes it on. */
async function run(tenant: string, policy: string, costMicroUsd: number | null): Promise<void> {
  await house.env.client.workflow.start('answerQuestion', {
    taskQueue: 'nobody',
    workflowId: questionWorkflowId(tenant, randomUUID()),
    args: [],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.tenant, value: tenant },
      { key: searchAttributes.policy, value: policy },
      ...(costMicroUsd === null ? [] : [{ key: searchAttributes.costMicroUsd, value: costMicroUsd }]),
    ]),
  });
}

/** The sums, as soon as they hold that many runs. */
async function usage(token: string, query: string, runs: number): Promise<Record<string, unknown>> {
  for (let left = 50; ; left--) {
    const response = await house.request(`/v1/usage${query}`, { token });
    const body = (await response.json()) as Record<string, unknown>;
    if (body['runs'] === runs || left === 0) return body;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describe('GET /v1/usage', () => {
  test('sums the costs of the tenant to the millionth of a dollar, by policy and by day', async () => {
    const body = await usage(house.token, '', 4);
    const today = new Date().toISOString().slice(0, 10);
    expect(body).toMatchObject({
      tenant: 'main',
      runs: 4,
      costUsd: 0.262346,
      byPolicy: [
        { policy: 'openai', runs: 1, costUsd: 0.25 },
        { policy: 'anthropic', runs: 2, costUsd: 0.012346 },
        { policy: 'default', runs: 1, costUsd: 0 },
      ],
      byDay: [{ day: today, runs: 4, costUsd: 0.262346 }],
    });
    expect(Date.parse(String(body['until'])) - Date.parse(String(body['since']))).toBeCloseTo(86_400_000, -4);
  });

  test('shows a tenant nothing of another one', async () => {
    const body = await usage(people.birch.token, '?since=7d', 1);
    expect(body).toMatchObject({ tenant: 'birch', runs: 1, costUsd: 7, byPolicy: [{ policy: 'openai', runs: 1 }] });
  });

  test('counts what was asked since then only', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const since = new Date(Date.now() - 500).toISOString();
    await expect(usage(house.token, `?since=${since}`, 0)).resolves.toMatchObject({
      runs: 0,
      costUsd: 0,
      byPolicy: [],
      byDay: [],
      since,
    });
  });

  test.each(['tomorrow', '24', '-1h', '2026-02-30', '2999-01-01', ''])('refuses %j as a time', async (since) => {
    const response = await house.request(`/v1/usage?since=${since}`);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: 'Request.WrongFields', errors: [{ field: 'since' }] });
  });

  test('is for GET only, with a token', async () => {
    expect((await house.request('/v1/usage', { method: 'POST' })).status).toBe(405);
    expect((await house.request('/v1/usage', { token: null })).status).toBe(401);
  });
});

describe('plumbline usage', () => {
  const cli = (...args: string[]) =>
    plumbline(['usage', ...args], { env: { PLUMBLINE_URL: house.url, PLUMBLINE_TOKEN: house.token } });

  test('prints a line for each policy and the total', async () => {
    const { exitCode, stdout } = await cli('--since', '1h');
    expect(exitCode).toBe(0);
    const [openai, anthropic, local, total, since] = stdout.split('\n');
    expect(openai).toBe('openai         1 question  $0.250000');
    expect(anthropic).toBe('anthropic     2 questions  $0.012346');
    expect(local).toBe('default        1 question  $0.000000');
    expect(total).toBe('total         4 questions  $0.262346');
    expect(since).toMatch(/^Asked since \d{4}-/);
  });

  test('or for each day, or as JSON', async () => {
    expect((await cli('--by', 'day')).stdout).toMatch(/^\d{4}-\d{2}-\d{2} +4 questions {2}\$0\.262346\ntotal/);
    expect(JSON.parse((await cli('--json')).stdout)).toMatchObject({ runs: 4, costUsd: 0.262346 });
  });

  test('exits 2 for a time that is none, and says which are', async () => {
    const { exitCode, stderr } = await cli('--since', 'yesterday');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('24h');
  });
});
