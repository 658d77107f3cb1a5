import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import type { Prompt } from '../domain/contracts/models.ts';
import { promptNames, type Prompts } from '../domain/prompting/prompts.ts';
import { placeholdersOf } from '../domain/prompting/render.ts';

/** A prompt file that cannot be used; the message starts with the file. */
export class PromptFileError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'PromptFileError';
  }
}

const headSchema = z.strictObject({
  name: z.enum(promptNames),
  version: z.string().regex(/^\d+\.\d+\.\d+$/, 'a version is three numbers: 1.0.0'),
});

/** Front matter, then the two parts under their headings. */
const layout = /^---\r?\n([\s\S]*?)\r?\n---\r?\n\s*# system\r?\n([\s\S]*?)\r?\n# user\r?\n([\s\S]*)$/;

/**
 * Reads the prompts shipped with the package.
 * @throws PromptFileError for a missing file, another layout, a wrong name or version, or a placeholder in the system part
 */
export async function loadPrompts(dir: string = import.meta.dirname): Promise<Prompts> {
  const entries = await Promise.all(
    promptNames.map(async (name) => [name, parsePrompt(`${name}.md`, await read(dir, `${name}.md`))] as const),
  );
  return Object.fromEntries(entries) as unknown as Prompts;
}

async function read(dir: string, file: string): Promise<string> {
  try {
    return await readFile(join(dir, file), 'utf8');
  } catch (error) {
    throw new PromptFileError(`${file}: cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** @throws PromptFileError */
export function parsePrompt(file: string, content: string): Prompt {
  const match = layout.exec(content);
  if (!match) throw new PromptFileError(`${file}: expected front matter, then "# system" and "# user"`);
  const [, front = '', system = '', user = ''] = match;
  const head = headSchema.safeParse(frontMatter(file, front));
  if (!head.success) {
    const wrong = head.error.issues.map((issue) => `${file}: ${issue.path.join('.')}: ${issue.message}`);
    throw new PromptFileError(wrong.join('\n'), { cause: head.error });
  }
  if (`${head.data.name}.md` !== file)
    throw new PromptFileError(`${file}: name: "${head.data.name}" is another file's`);
  const prompt = { ...head.data, system: system.trim(), user: user.trim() };
  if (prompt.system === '' || prompt.user === '') throw new PromptFileError(`${file}: a part is empty`);
  if (placeholdersOf(prompt.system).length > 0)
    throw new PromptFileError(`${file}: the system part is the same for every call: no placeholders there`);
  return prompt;
}

function frontMatter(file: string, yaml: string): unknown {
  try {
    return parseYaml(yaml);
  } catch (error) {
    throw new PromptFileError(`${file}: front matter is not YAML`, { cause: error });
  }
}
