import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const root = join(import.meta.dirname, '..', '..');
export const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const service = z.looseObject({
  image: z.string(),
  build: z.unknown().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()),
  restart: z.string(),
  healthcheck: z
    .looseObject({ test: z.array(z.string()).min(2), interval: z.string(), timeout: z.string() })
    .optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  deploy: z.looseObject({ resources: z.looseObject({ limits: z.looseObject({ memory: z.string() }) }) }).optional(),
});
export type ComposeService = z.infer<typeof service>;

export const compose = z
  .looseObject({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.unknown()) })
  .parse(parse(read('docker-compose.yml'), { merge: true }));

export const services = Object.entries(compose.services);

/** Services that do one thing and end, which others wait for. */
export const oneShot = new Set(
  services.flatMap(([, { depends_on }]) =>
    Object.entries(depends_on)
      .filter(([, { condition }]) => condition === 'service_completed_successfully')
      .map(([name]) => name),
  ),
);

/** The variables that Compose fills in, with what stands behind the name: `:-default`, `:?message` or nothing. `$$` is a plain dollar sign. */
export function interpolated(text: string): { name: string; rest: string }[] {
  const plain = text.replaceAll('$$', '').replaceAll(/^\s*#.*$/gm, '');
  return [...plain.matchAll(/\$\{([A-Z][A-Z0-9_]*)((?::?[-?][^{}]*(?:\$\{[^{}]*\})?[^{}]*)?)\}/g)].flatMap(
    ([, name = '', rest = '']) => [{ name, rest }, ...interpolated(rest)],
  );
}

/** The variables of .env.example: `set` those for Compose, with their values; `mentioned` those in comments. */
export function envExample(): { set: Map<string, string>; mentioned: Set<string> } {
  const lines = read('.env.example').split('\n');
  const assignments = (pattern: RegExp) =>
    lines.flatMap((line) => {
      const [, name, value] = pattern.exec(line) ?? [];
      return name === undefined ? [] : [[name, value ?? ''] as const];
    });
  return {
    set: new Map(assignments(/^([A-Z][A-Z0-9_]*)=(.*)$/)),
    mentioned: new Set(assignments(/^# ([A-Z][A-Z0-9_]*)=(.*)$/).map(([name]) => name)),
  };
}
