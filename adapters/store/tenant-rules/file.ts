import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { tenantWebRulesSchema } from '../../../domain/contracts/web-policy.ts';
import { TenantRulesError, type TenantRules } from '../port.ts';

const fileSchema = z.record(z.string(), z.strictObject({ web: tenantWebRulesSchema.prefault({}) }));
const nothingForbidden = tenantWebRulesSchema.parse({});

/**
 * Rules of tenants in a JSON file, by tenant: `{ "alder": { "web": { "mode": "never" } } }`. A tenant that is not in it has none of its own. The file is
 * read at every question about it, so that a change holds at once.
 * @param file null: no tenant has rules of its own
 */
export function createTenantRules(file: string | null): TenantRules {
  return {
    async web(tenant) {
      if (file === null) return nothingForbidden;
      const tenants = await read(file);
      return Object.hasOwn(tenants, tenant) ? (tenants[tenant]?.web ?? nothingForbidden) : nothingForbidden;
    },
  };
}

async function read(file: string): Promise<z.infer<typeof fileSchema>> {
  try {
    return fileSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    const why =
      error instanceof z.ZodError
        ? error.issues.map(({ path, message }) => `${path.join('.') || '(whole file)'}: ${message}`).join('; ')
        : error instanceof Error
          ? error.message
          : String(error);
    throw new TenantRulesError(`The rules of tenants cannot be read from ${file}: ${why}`, { cause: error });
  }
}
