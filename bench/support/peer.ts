import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const packageRoot = resolve(import.meta.dirname, '..', '..');

/** The folder with the scripted provider server and the LangGraph.js peer, PLUMBLINE_PEER: it lies outside the project. */
const peerFolder = resolve(packageRoot, process.env['PLUMBLINE_PEER'] || '../shared/tools/peer');
const installed = join(homedir(), '.cache', 'plumbline', 'bench', 'peer');

/** What one variant of the peer took for one kind of question; times in milliseconds. */
export interface PeerRuns {
  p50: number;
  ttft50: number | null;
  calls: Record<string, number>;
  /** Wall time less the scripted waits. */
  ovh50?: number;
  runsPerS?: number;
}

export interface ScriptedQuestion {
  kind: string;
  text: string;
}

export interface PeerScenario {
  documents: { id: string; title: string; text: string }[];
  questions: ScriptedQuestion[];
  timing: Record<string, Record<string, number>>;
}

export interface ServerStats {
  llmCalls: number;
  webCalls: number;
  calls: Record<string, number>;
  /** Sum of the scripted waits of all calls. */
  nominalMs: number;
  aborted: number;
}

/** Installs the peer into the user's cache; null where its folder is not there. */
export function installPeer(note: (line: string) => void): string | null {
  if (!existsSync(join(peerFolder, 'peer.mjs'))) return null;
  if (existsSync(join(installed, 'node_modules'))) return installed;
  note('installing the peer (once)');
  mkdirSync(installed, { recursive: true });
  cpSync(peerFolder, installed, { recursive: true });
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: installed, stdio: 'ignore' });
  if (status !== 0) throw new Error('the peer could not be installed with npm ci');
  return installed;
}

/** The provider server with set waits, in a process of its own. */
export class ScriptedProvider {
  readonly url: string;
  private readonly stopServer: () => void;

  private constructor(url: string, stopServer: () => void) {
    this.url = url;
    this.stopServer = stopServer;
  }

  static async start(peer: string): Promise<ScriptedProvider> {
    const child = spawn(process.execPath, [join(peer, 'mock.mjs'), '--port', '0', '--scenario', scenarioFile(peer)]);
    for await (const line of createInterface(child.stdout)) {
      const { listening } = JSON.parse(line) as { listening: number };
      return new ScriptedProvider(`http://127.0.0.1:${listening}`, () => child.kill());
    }
    throw new Error('the scripted provider did not start');
  }

  /** Forgets all counts; takes another scenario file when one is named. */
  async reset(scenario?: string): Promise<void> {
    await fetch(`${this.url}/reset`, { method: 'POST', body: JSON.stringify({ scale: 1, scenario }) });
  }

  async stats(): Promise<ServerStats> {
    return (await (await fetch(`${this.url}/stats`)).json()) as ServerStats;
  }

  stop(): void {
    this.stopServer();
  }
}

export function scenarioFile(peer: string): string {
  return join(peer, 'scenario.json');
}

/** One line of figures a variant and kind, from the peer's own benchmark against the same server. */
export async function runPeer(
  peer: string,
  { variant, kind, server, flags }: { variant: string; kind: string; server: ScriptedProvider; flags: string[] },
): Promise<PeerRuns> {
  const args = ['bench.mjs', '--variant', variant, '--kinds', kind, '--mock', server.url, ...flags];
  const child = spawn(process.execPath, args, { cwd: peer, stdio: ['ignore', 'pipe', 'inherit'] });
  let figures: PeerRuns | null = null;
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('{')) figures = JSON.parse(line) as PeerRuns;
  }
  if (figures === null) throw new Error(`the peer's variant ${variant} printed no figures`);
  return figures;
}
