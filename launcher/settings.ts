import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { buildSettings, buildVariables, type BuildSettings } from './build-settings.ts';
import { LauncherError } from './errors.ts';
import { modelSettings, modelVariables, type ModelSettings } from './model-settings.ts';
import { checkNotifyVariables, notifySettings, notifyVariables, type NotifySettings } from './notify-settings.ts';
import { webSettings, webVariables, type WebSettings } from './web-settings.ts';
import { flag, key, pathOf, text, webAddress } from './setting-kinds.ts';

type Env = Record<string, string | undefined>;

const packageRoot = resolve(import.meta.dirname, '..');

const port = (lowest: 0 | 1) =>
  z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number')
    .transform(Number)
    .pipe(z.number().min(lowest, `must be ${lowest} or more`).max(65535, 'must be 65535 or less'));
const address = z
  .string()
  .regex(
    /^[^\s/:]+:\d{1,5}$|^\[[0-9a-fA-F:]+\]:\d{1,5}$/,
    'must look like host:port, for example temporal.example.com:7233',
  )
  .optional();
const redisAddress = z
  .url({ protocol: /^rediss?$/, error: 'must be a redis or rediss address, for example redis://:password@redis:6379' })
  .optional();

const schema = z
  .object({
    PLUMBLINE_HOST: z.string().default('127.0.0.1'),
    PLUMBLINE_PORT: port(0).default(8080),
    PLUMBLINE_DATA_DIR: text,
    PLUMBLINE_AUDIT_DIR: text,
    PLUMBLINE_CACHE_DIR: text,
    PLUMBLINE_PRINCIPALS: text,
    PLUMBLINE_MODEL_DIR: text,
    PLUMBLINE_MAVEN_URL: webAddress,
    PLUMBLINE_TEMPORAL_PORT: port(1).default(7233),
    PLUMBLINE_TEMPORAL_UI_PORT: port(1).default(8233),
    PLUMBLINE_TEMPORAL_UI_URL: webAddress,
    PLUMBLINE_WORKER_PORT: port(1).optional(),
    TEMPORAL_CLI_PATH: text,
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'must be a namespace name (letters, digits, dot, hyphen, underscore)')
      .default('default'),
    TEMPORAL_API_KEY: key,
    TEMPORAL_TLS: flag,
    TEMPORAL_TLS_SERVER_NAME: text,
    TEMPORAL_TLS_SERVER_CA_CERT_PATH: text,
    TEMPORAL_TLS_CLIENT_CERT_PATH: text,
    TEMPORAL_TLS_CLIENT_KEY_PATH: text,
    ELASTICSEARCH_URL: webAddress,
    ELASTICSEARCH_API_KEY: key,
    ELASTICSEARCH_CA: text,
    ELASTICSEARCH_INDEX_PREFIX: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens')
      .default('plumbline'),
    REDIS_URL: redisAddress,
    ...modelVariables,
    ...webVariables,
    ...notifyVariables,
    ...buildVariables,
  })
  .refine((env) => !env.TEMPORAL_TLS_CLIENT_CERT_PATH === !env.TEMPORAL_TLS_CLIENT_KEY_PATH, {
    path: ['TEMPORAL_TLS_CLIENT_CERT_PATH'],
    error: 'needs TEMPORAL_TLS_CLIENT_KEY_PATH too (and the other way round)',
  })
  .refine(
    (env) => new Set([env.PLUMBLINE_PORT, env.PLUMBLINE_TEMPORAL_PORT, env.PLUMBLINE_TEMPORAL_UI_PORT]).size === 3,
    {
      path: ['PLUMBLINE_PORT'],
      error: 'must differ from PLUMBLINE_TEMPORAL_PORT and PLUMBLINE_TEMPORAL_UI_PORT, and these from each other',
    },
  )
  .superRefine(checkNotifyVariables);

/** Every environment variable that is read here. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

export type Settings = ModelSettings &
  WebSettings &
  NotifySettings &
  BuildSettings & {
    /** Address and port of the API; port 0 takes any free one. */
    host: string;
    port: number;
    /** Where `plumbline worker` tells its health, if anywhere. */
    workerPort: number | null;
    dataDir: string;
    /** Who tried what on reviews; shared by all APIs. */
    auditDir: string;
    /** Fetched artifacts; shared by all copies of Plumbline of one user. */
    cacheDir: string;
    /** File with more principals than the one made at first start. */
    principalsPath: string | null;
    /** Folder with model.onnx and tokenizer.json, used in place of the fetched model. */
    modelDir: string | null;
    /** Address of a Maven repository for machines without `mvn`. */
    mavenUrl: string | null;
    temporal: {
      /** True when TEMPORAL_ADDRESS names a cluster: then no server is started here. */
      external: boolean;
      /** host:port of the frontend, embedded or external. */
      address: string;
      namespace: string;
      /** Ports of the embedded server. */
      port: number;
      uiPort: number;
      /** Base address of Temporal's UI, for links to runs; null when that of an external cluster is not told. */
      uiUrl: string | null;
      cliPath: string | null;
      apiKey: string | null;
      tls: TemporalTls | null;
    };
    elasticsearch: { url: string; apiKey: string | null; caPath: string | null; indexPrefix: string } | null;
    /** Carries live events between processes; null: within one process only. */
    redisUrl: string | null;
  };

/** Paths, not contents: whoever connects reads the files. */
export type TemporalTls = {
  serverName: string | null;
  serverCaPath: string | null;
  clientCertPath: string | null;
  clientKeyPath: string | null;
};

/**
 * Reads all settings from environment variables; an empty value counts as not set. Relative paths are taken from the working folder.
 * @throws LauncherError `Settings.Invalid` naming every variable that is wrong.
 */
export function loadSettings(env: Env): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
    throw new LauncherError('Settings.Invalid', `Wrong setting: ${wrong.join('; ')}.`, {
      remedy: 'Correct or unset the environment variable and start again.',
      cause: parsed.error,
    });
  }
  const e = parsed.data;
  const dataDir = pathOf(e.PLUMBLINE_DATA_DIR) ?? join(packageRoot, '.plumbline');
  return {
    host: e.PLUMBLINE_HOST,
    port: e.PLUMBLINE_PORT,
    workerPort: e.PLUMBLINE_WORKER_PORT ?? null,
    dataDir,
    auditDir: pathOf(e.PLUMBLINE_AUDIT_DIR) ?? join(dataDir, 'audit'),
    cacheDir: pathOf(e.PLUMBLINE_CACHE_DIR) ?? defaultCacheDir(env),
    principalsPath: pathOf(e.PLUMBLINE_PRINCIPALS),
    modelDir: pathOf(e.PLUMBLINE_MODEL_DIR),
    mavenUrl: e.PLUMBLINE_MAVEN_URL ?? null,
    temporal: {
      external: e.TEMPORAL_ADDRESS !== undefined,
      address: e.TEMPORAL_ADDRESS ?? `127.0.0.1:${e.PLUMBLINE_TEMPORAL_PORT}`,
      namespace: e.TEMPORAL_NAMESPACE,
      port: e.PLUMBLINE_TEMPORAL_PORT,
      uiPort: e.PLUMBLINE_TEMPORAL_UI_PORT,
      uiUrl: temporalUiUrl(e),
      cliPath: pathOf(e.TEMPORAL_CLI_PATH),
      apiKey: e.TEMPORAL_API_KEY ?? null,
      tls: temporalTls(e),
    },
    elasticsearch:
      e.ELASTICSEARCH_URL === undefined
        ? null
        : {
            url: e.ELASTICSEARCH_URL,
            apiKey: e.ELASTICSEARCH_API_KEY ?? null,
            caPath: pathOf(e.ELASTICSEARCH_CA),
            indexPrefix: e.ELASTICSEARCH_INDEX_PREFIX,
          },
    redisUrl: e.REDIS_URL ?? null,
    ...modelSettings(e),
    ...webSettings(e),
    ...notifySettings(e),
    ...buildSettings(e),
  };
}

function temporalUiUrl(e: z.infer<typeof schema>): string | null {
  if (e.PLUMBLINE_TEMPORAL_UI_URL !== undefined) return e.PLUMBLINE_TEMPORAL_UI_URL.replace(/\/+$/, '');
  return e.TEMPORAL_ADDRESS === undefined ? `http://127.0.0.1:${e.PLUMBLINE_TEMPORAL_UI_PORT}` : null;
}

function temporalTls(e: z.infer<typeof schema>): TemporalTls | null {
  if (e.TEMPORAL_ADDRESS === undefined || e.TEMPORAL_TLS === false) return null;
  const tls: TemporalTls = {
    serverName: e.TEMPORAL_TLS_SERVER_NAME ?? null,
    serverCaPath: e.TEMPORAL_TLS_SERVER_CA_CERT_PATH ?? null,
    clientCertPath: e.TEMPORAL_TLS_CLIENT_CERT_PATH ?? null,
    clientKeyPath: e.TEMPORAL_TLS_CLIENT_KEY_PATH ?? null,
  };
  // An API key must not travel in the clear, so it turns TLS on unless TEMPORAL_TLS says otherwise, as in Temporal's own clients.
  const wanted =
    e.TEMPORAL_TLS === true || e.TEMPORAL_API_KEY !== undefined || Object.values(tls).some((v) => v !== null);
  return wanted ? tls : null;
}

function defaultCacheDir(env: Env): string {
  const home = env['HOME'] || homedir();
  if (env['XDG_CACHE_HOME']) return join(resolve(env['XDG_CACHE_HOME']), 'plumbline');
  if (process.platform === 'darwin') return join(home, 'Library', 'Caches', 'plumbline');
  if (process.platform === 'win32')
    return join(env['LOCALAPPDATA'] || join(home, 'AppData', 'Local'), 'plumbline', 'cache');
  return join(home, '.cache', 'plumbline');
}
