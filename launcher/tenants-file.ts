import { TenantRulesError } from '../adapters/store/port.ts';
import { createTenantRules } from '../adapters/store/tenant-rules/file.ts';
import type { Finding } from './doctor-finding.ts';
import { LauncherError } from './errors.ts';
import type { Settings } from './settings.ts';

const remedy =
  'Correct the file that PLUMBLINE_TENANTS names, or its path; unset it where no tenant has rules of its own.';

/** Whoever starts with a wrong file takes tenants for closed that are not. @throws LauncherError `Settings.Invalid` */
export async function requireTenantRules(settings: Settings): Promise<void> {
  const why = await faultOf(settings);
  if (why !== null) throw new LauncherError('Settings.Invalid', why, { remedy });
}

/** The file of what tenants allow, as the doctor sees it; nothing where none is named. */
export async function tenantFindings(settings: Settings): Promise<Finding[]> {
  const { tenantsFile } = settings.web;
  if (tenantsFile === null) return [];
  const why = await faultOf(settings);
  const check = 'Rules of tenants';
  return [why === null ? { check, ok: true, detail: tenantsFile } : { check, ok: false, detail: why, remedy }];
}

async function faultOf({ web }: Settings): Promise<string | null> {
  try {
    await createTenantRules(web.tenantsFile).web('');
    return null;
  } catch (error) {
    if (error instanceof TenantRulesError) return error.message;
    throw error;
  }
}
