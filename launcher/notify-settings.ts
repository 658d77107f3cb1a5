import { z } from 'zod';
import { webhookAddressFault } from '../adapters/notify/webhook-address.ts';
import { apiAddress, flag } from './setting-kinds.ts';

const secrets = z
  .string()
  .transform((value) => value.split(',').map((item) => item.trim()))
  .refine(
    (items) => items.every(isSecret),
    'must be whsec_ and 24 to 64 bytes in base64, as from: echo "whsec_$(openssl rand -base64 32)"; two with a comma between them while it is changed',
  )
  .optional();

const publicUrl = apiAddress
  .refine(
    (url) => url === undefined || !URL.canParse(url) || !/[?#]/.test(url),
    'must have nothing after its path: links are made by adding to it',
  )
  .transform((url) => url?.replace(/\/+$/, ''));

/** The variables of what is told to people outside of the runs. */
export const notifyVariables = {
  PLUMBLINE_WEBHOOK_URL: apiAddress,
  PLUMBLINE_WEBHOOK_SECRET: secrets,
  PLUMBLINE_WEBHOOK_ALLOW_HTTP: flag,
  PLUMBLINE_PUBLIC_URL: publicUrl,
};
type NotifyVariables = z.infer<z.ZodObject<typeof notifyVariables>>;

export type NotifySettings = {
  notify: {
    webhook: { url: string; secrets: string[] } | null;
    /** Where people reach the API, without a slash at its end. */
    publicUrl: string | null;
  };
};

/** What is wrong between the variables, as issues of the settings' schema. */
export function checkNotifyVariables(e: NotifyVariables, context: z.RefinementCtx): void {
  const { PLUMBLINE_WEBHOOK_URL: url, PLUMBLINE_WEBHOOK_SECRET: given } = e;
  const wrong = (name: keyof NotifyVariables, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message });
  if (url !== undefined && given === undefined)
    wrong('PLUMBLINE_WEBHOOK_URL', 'needs PLUMBLINE_WEBHOOK_SECRET too: no message goes unsigned');
  if (url === undefined && given !== undefined) wrong('PLUMBLINE_WEBHOOK_SECRET', 'needs PLUMBLINE_WEBHOOK_URL too');
  // What is no address has its own issue by now.
  if (url === undefined || !URL.canParse(url)) return;
  const fault = webhookAddressFault(url, { plainHttp: e.PLUMBLINE_WEBHOOK_ALLOW_HTTP === true });
  if (fault !== null) wrong('PLUMBLINE_WEBHOOK_URL', fault);
}

export function notifySettings(e: NotifyVariables): NotifySettings {
  const { PLUMBLINE_WEBHOOK_URL: url, PLUMBLINE_WEBHOOK_SECRET: given } = e;
  const webhook = url === undefined || given === undefined ? null : { url, secrets: given };
  return { notify: { webhook, publicUrl: e.PLUMBLINE_PUBLIC_URL ?? null } };
}

/** Lengths as the specification of Standard Webhooks has them. */
function isSecret(text: string): boolean {
  const encoded = /^whsec_([A-Za-z0-9+/]+=*)$/.exec(text)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.toString('base64') === encoded && bytes.length >= 24 && bytes.length <= 64;
}
