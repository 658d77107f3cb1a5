import { freePorts } from './free-ports.ts';

/** The settings of a Plumbline with embedded parts, on free ports and this data folder, whatever the environment says. */
export async function embeddedEnv(dataDir: string) {
  const [api, temporal, ui] = await freePorts(3);
  return {
    ...process.env,
    PLUMBLINE_DATA_DIR: dataDir,
    PLUMBLINE_PORT: String(api),
    PLUMBLINE_TEMPORAL_PORT: String(temporal),
    PLUMBLINE_TEMPORAL_UI_PORT: String(ui),
    TEMPORAL_ADDRESS: '',
    ELASTICSEARCH_URL: '',
  };
}
