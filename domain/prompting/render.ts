import type { Prompt } from '../contracts/models.ts';

const placeholder = /\{\{([a-zA-Z]+)\}\}/g;

/** Names of the placeholders of a template, without repeats, in order. */
export function placeholdersOf(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map(([, name = '']) => name))];
}

/**
 * The user part of a prompt with its values put in. One pass: what looks like a placeholder inside a value stays as it is.
 * @throws RangeError for a placeholder without a value and for a value without a placeholder
 */
export function renderUser(prompt: Prompt, values: Readonly<Record<string, string>>): string {
  const wanted = placeholdersOf(prompt.user);
  const unused = Object.keys(values).filter((name) => !wanted.includes(name));
  if (unused.length > 0) throw new RangeError(`prompt ${prompt.name} has no placeholder for: ${unused.join(', ')}`);
  return prompt.user.replace(placeholder, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) throw new RangeError(`prompt ${prompt.name} needs a value for: ${name}`);
    return value;
  });
}
