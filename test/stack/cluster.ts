import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDataDir } from '../../launcher/data-dir.ts';
import { freePort } from '../../launcher/ports.ts';
import { loadSettings } from '../../launcher/settings.ts';
import { ensureTemporalCli, type TemporalCli } from '../../launcher/temporal-binary.ts';
import { startTemporalServer, type TemporalServer } from '../../launcher/temporal-server.ts';

/** A Temporal server that stands for a cluster elsewhere: nobody has told it of Plumbline, and it keeps its port and data over restarts. */
export class Cluster {
  readonly port: number;
  private readonly uiPort: number;
  private readonly cli: TemporalCli;
  private readonly folder = mkdtempSync(join(tmpdir(), 'plumbline-cluster-'));
  private server: TemporalServer | null = null;

  private constructor(cli: TemporalCli, ports: { port: number; uiPort: number }) {
    this.cli = cli;
    this.port = ports.port;
    this.uiPort = ports.uiPort;
  }

  static async start(): Promise<Cluster> {
    const cli = await ensureTemporalCli(loadSettings(process.env));
    const cluster = new Cluster(cli, { port: await freePort(), uiPort: await freePort() });
    await cluster.resume();
    return cluster;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  async resume(): Promise<void> {
    prepareDataDir(this.folder);
    this.server = await startTemporalServer({
      cli: this.cli,
      dataDir: this.folder,
      port: this.port,
      uiPort: this.uiPort,
      namespace: 'default',
      searchAttributes: {},
      onExit: () => undefined,
    });
  }

  async stop(): Promise<void> {
    await this.server?.stop(2000);
    this.server = null;
  }

  /** kill -9; `resume` starts it again on the same data. */
  async kill(): Promise<void> {
    if (this.server === null) return;
    process.kill(this.server.pid, 'SIGKILL');
    // Resolves when the process is gone.
    await this.stop();
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
