import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { z } from 'zod';
import { policySchema, type Policy } from '../domain/contracts/policy.ts';

/** A policy file that cannot be used. The message starts with the file and the path of the wrong field. */
export class PolicyFileError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'PolicyFileError';
  }
}

/**
 * The shipped policies, with those of an own folder beside them.
 * @throws PolicyFileError also for a name that a shipped policy has: it would no longer say which of the two a run followed
 */
export async function loadAllPolicies(ownDir: string | null): Promise<Map<string, Policy>> {
  const shipped = await loadPolicies();
  if (ownDir === null) return shipped;
  const own = await loadPolicies(ownDir);
  const taken = [...own.keys()].filter((name) => shipped.has(name));
  if (taken.length > 0) {
    const names = taken.map((name) => `"${name}"`).join(', ');
    throw new PolicyFileError(`${basename(ownDir)}: name: ${names} belongs to a shipped policy; choose another`);
  }
  return new Map([...shipped, ...own]);
}

/**
 * Reads all policies (`*.json`) of a folder, by their names.
 * @param dir default: the policies shipped with the package
 * @throws PolicyFileError naming every wrong field of the first wrong file; also for two files of one name, and for a folder without policies
 */
export async function loadPolicies(dir: string = import.meta.dirname): Promise<Map<string, Policy>> {
  const shown = basename(dir);
  const files = (await namesIn(dir)).filter((name) => name.endsWith('.json')).sort();
  if (files.length === 0) throw new PolicyFileError(`${shown}: there is no policy file (*.json) in this folder`);
  const policies = new Map<string, Policy>();
  for (const name of files) {
    const policy = parsePolicy(`${shown}/${name}`, await readFile(join(dir, name), 'utf8'));
    if (policies.has(policy.name))
      throw new PolicyFileError(`${shown}/${name}: name: "${policy.name}" is taken by another file`);
    policies.set(policy.name, policy);
  }
  return policies;
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    throw new PolicyFileError(`${dir}: cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function parsePolicy(file: string, json: string): Policy {
  let data: unknown;
  try {
    data = JSON.parse(json);
  } catch (error) {
    throw new PolicyFileError(`${file}: not valid JSON: ${(error as SyntaxError).message}`, { cause: error });
  }
  const parsed = policySchema.safeParse(data, { error: expectation });
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(
    (issue) => `${file}: ${issue.path.join('.') || '(whole file)'}: ${issue.message}`,
  );
  throw new PolicyFileError(wrong.join('\n'), { cause: parsed.error });
}

/** Says what belongs there; for everything but a wrong type zod's own words do. */
const expectation: z.core.$ZodErrorMap = (issue) =>
  issue.code === 'invalid_type' ? `expected ${issue.expected}` : undefined;
