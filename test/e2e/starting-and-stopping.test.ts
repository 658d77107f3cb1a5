import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { House, processesWith, type PlumblineProcess } from '../support/plumbline-process.ts';

const stepLimit = 240_000;
let house: House;
beforeAll(async () => {
  house = await House.create();
});
afterAll(() => house.remove());

describe('plumbline up', () => {
  test(
    '--once answers the sample question with a verified citation, exits 0 and leaves no process behind',
    async () => {
      const once = house.run(['up', '--once']);
      expect(await once.exit()).toBe(0);
      expect(once.stdout).toContain('36 months');
      expect(once.stdout).toMatch(/\[1\] Warranty policy 2026.*“.*36 months.*”/);
      expect(once.stdout).toMatch(/http:\/\/127\.0\.0\.1:\d+\/namespaces\/default\/workflows\/question\.main\./);
      expect(processesWith(house.dataDir)).toEqual([]);
    },
    stepLimit,
  );

  test(
    'a second start finds all data, refuses a second copy, and SIGINT stops it with no orphan and no lock',
    async () => {
      const running = await house.up();
      expect(running.stderr).not.toContain('Ingested');
      const second = house.run(['up']);
      expect(await second.exit()).toBe(1);
      expect(second.stderr).toContain(`already running in ${house.dataDir} (process ${running.pid}`);
      const listed = (await (await house.fetch('/v1/questions')).json()) as { questions: unknown[] };
      expect(listed.questions.length).toBeGreaterThan(0);
      expect(await running.stop('SIGINT')).toBe(0);
      expect(processesWith(house.dataDir)).toEqual([]);
      const third = house.run(['up', '--once']);
      expect(await third.exit()).toBe(0);
    },
    stepLimit,
  );

  test(
    'a taken port is named with its setting',
    async () => {
      const port = Number(new URL(house.url).port);
      const squatter = createServer();
      await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
      const refused = house.run(['up']);
      expect(await refused.exit()).toBe(1);
      expect(refused.stderr).toContain(`Port ${port}`);
      expect(refused.stderr).toContain('PLUMBLINE_PORT');
      await new Promise((resolve) => squatter.close(resolve));
    },
    stepLimit,
  );

  test(
    'a data folder that cannot be written is named with its setting',
    async () => {
      const target = join(house.dataDir, 'principals.json', 'data');
      const refused = house.run(['up'], { PLUMBLINE_DATA_DIR: target });
      expect(await refused.exit()).toBe(1);
      expect(refused.stderr).toContain(target);
      expect(refused.stderr).toContain('PLUMBLINE_DATA_DIR');
    },
    stepLimit,
  );
});

describe('after kill -9 of the whole process in the middle of a run', () => {
  let started: PlumblineProcess | null = null;
  afterAll(async () => {
    await started?.stop();
  });

  test(
    'the next start clears the orphan away and the run completes, once',
    async () => {
      const doomed = await house.up();
      const asked = await house.fetch('/v1/questions', {
        method: 'POST',
        body: JSON.stringify({ question: 'What restocking fee do we charge when a customer returns goods?' }),
      });
      expect(asked.status).toBe(202);
      const { id } = (await asked.json()) as { id: string };
      doomed.child.kill('SIGKILL');
      await doomed.exit();
      started = await house.up();
      let body: { status: string; answer?: string; timings?: { steps: { step: string }[] } } = { status: 'running' };
      while (body.status === 'running') {
        body = (await (await house.fetch(`/v1/questions/${id}`)).json()) as typeof body;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(body).toMatchObject({ status: 'answered' });
      expect(body.answer).toContain('12 %');
      const steps = body.timings?.steps.map(({ step }) => step) ?? [];
      expect(new Set(steps).size).toBe(steps.length);
      expect(started.stderr).toContain('left behind');
    },
    stepLimit,
  );
});
