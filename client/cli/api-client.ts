import { EventSourceParserStream } from 'eventsource-parser/stream';
import { CliError, RefusedError } from './cli-error.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';

interface Problem {
  title?: string;
  detail?: string;
  code?: string;
}

/** The HTTP API as the commands need it. Every method throws CliError. */
export class ApiClient {
  readonly baseUrl: string;
  private readonly token: string;

  constructor(baseUrl: string, token: string) {
    this.baseUrl = baseUrl;
    this.token = token;
  }

  async get<T>(path: string): Promise<T> {
    return (await this.send('GET', path)).json() as Promise<T>;
  }

  /** @param body a form, or what is sent as JSON */
  async post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
    const init =
      body instanceof FormData
        ? { body, headers }
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json', ...headers } };
    return (await this.send('POST', path, init)).json() as Promise<T>;
  }

  async delete(path: string): Promise<void> {
    await (await this.send('DELETE', path)).body?.cancel();
  }

  /** Server-sent events with their data parsed. Comes back after a lost connection, with the last numbered event it has seen. */
  async *events<T extends object>(path: string): AsyncGenerator<T> {
    let last: string | null = null;
    for (let lost = 0; lost < 5; lost++) {
      const response = await this.send('GET', path, { headers: last === null ? {} : { 'Last-Event-ID': last } });
      if (response.status === 204 || response.body === null) return;
      const messages = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      try {
        for await (const { id, data } of messages) {
          const event = JSON.parse(data) as T;
          if (id) last = id;
          lost = 0;
          yield event;
        }
        return;
      } catch (error) {
        // undici's word for a connection that ended in the middle of a body.
        if (!(error instanceof TypeError)) throw error;
      }
    }
    throw new CliError(exitCodes.unreachable, 'The connection to Plumbline was lost again and again.');
  }

  private async send(
    method: string,
    path: string,
    init: { body?: string | FormData; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const headers = { Authorization: `Bearer ${this.token}`, ...init.headers };
    const response = await fetch(this.baseUrl + path, { ...init, method, headers }).catch((error: unknown) => {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
      throw new CliError(
        exitCodes.unreachable,
        `Plumbline does not answer at ${this.baseUrl}: ${cause}`,
        'Start it with: npm start',
      );
    });
    if (response.ok) return response;
    throw failureOf(response, await problemOf(response));
  }
}

/** Null for a body that is no problem, such as a proxy's page. */
async function problemOf(response: Response): Promise<Problem | null> {
  const type = response.headers.get('Content-Type') ?? '';
  return type.startsWith('application/problem+json') ? ((await response.json()) as Problem) : null;
}

function failureOf({ status, statusText }: Response, problem: Problem | null): CliError {
  const message = problem?.title ?? `HTTP ${status} ${statusText}`;
  const remedy =
    status === 401 ? 'Set PLUMBLINE_TOKEN to a token that this Plumbline knows.' : (problem?.detail ?? null);
  return new RefusedError(problem?.code ?? null, new CliError(codeOf(status), `${message}.`, remedy));
}

function codeOf(status: number): ExitCode {
  if (status === 502 || status === 503 || status === 504) return exitCodes.unreachable;
  return status >= 500 ? exitCodes.failed : exitCodes.usage;
}
