import { readFileSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/client';
import { LauncherError } from './errors.ts';
import type { Settings } from './settings.ts';

export type TemporalConnectionOptions = { address: string; apiKey?: string; tls?: TLSConfig };

/**
 * What both `Connection.connect` and the worker's `NativeConnection.connect` need to reach the server, embedded or external.
 * @throws LauncherError `Settings.Invalid` when a certificate file cannot be read
 */
export function temporalConnectionOptions({ temporal }: Settings): TemporalConnectionOptions {
  const { address, apiKey, tls } = temporal;
  return { address, ...(apiKey === null ? {} : { apiKey }), ...(tls === null ? {} : { tls: tlsConfig(tls) }) };
}

function tlsConfig(tls: NonNullable<Settings['temporal']['tls']>): TLSConfig {
  const config: TLSConfig = {};
  if (tls.serverName !== null) config.serverNameOverride = tls.serverName;
  if (tls.serverCaPath !== null) {
    config.serverRootCACertificate = certificate('TEMPORAL_TLS_SERVER_CA_CERT_PATH', tls.serverCaPath);
  }
  if (tls.clientCertPath !== null && tls.clientKeyPath !== null) {
    config.clientCertPair = {
      crt: certificate('TEMPORAL_TLS_CLIENT_CERT_PATH', tls.clientCertPath),
      key: certificate('TEMPORAL_TLS_CLIENT_KEY_PATH', tls.clientKeyPath),
    };
  }
  return config;
}

function certificate(setting: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new LauncherError('Settings.Invalid', `${setting} names a file that cannot be read: ${path}.`, {
      remedy: `Correct or unset ${setting}.`,
      cause: error,
    });
  }
}
