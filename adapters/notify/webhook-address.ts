const loopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * Why notifications must not be sent to an http or https address; null: they may. They are signed, not encrypted: plain http reaches this machine
 * only, unless `plainHttp` allows it.
 */
export function webhookAddressFault(address: string, { plainHttp }: { plainHttp: boolean }): string | null {
  const { protocol, hostname } = new URL(address);
  if (protocol === 'https:' || plainHttp || loopback.test(hostname)) return null;
  return 'must be https; http is for this machine only, unless PLUMBLINE_WEBHOOK_ALLOW_HTTP=true';
}
