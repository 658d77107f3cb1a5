import type { ServerResponse } from 'node:http';
import { startProviderServer, type ProviderServer } from '../support/provider-server/start-provider-server.ts';
import type { Answer } from '../support/provider-server/answers.ts';
import type { ProviderRequest } from '../support/provider-server/request.ts';
import { startWebServer, type WebServer } from '../web/support/web-server.ts';

interface Told {
  type: string;
  data: { id: string; questionId: string; groups: string[] };
}

/** What a grading model is asked, and who is told of reviews. Both can be silent where a test wants a run to stay as it is: see `fallSilent`. */
export class OutsideWorld {
  private readonly provider: ProviderServer;
  private readonly webhook: WebServer;
  private readonly silence: Silence;

  private constructor(parts: { provider: ProviderServer; webhook: WebServer; silence: Silence }) {
    this.provider = parts.provider;
    this.webhook = parts.webhook;
    this.silence = parts.silence;
  }

  /** The model finds a passage relevant when it holds `fact`, and no other. */
  static async start(fact: string): Promise<OutsideWorld> {
    const silence = new Silence();
    const respond = async (request: ProviderRequest): Promise<Answer> => {
      if (request.user.includes(fact)) await silence.ofModel();
      return graded(request, fact);
    };
    const webhook = await startWebServer((request, response) => {
      const { groups } = (JSON.parse(request.body) as Told).data;
      if (groups.length > 0 && silence.waits(response)) return;
      response.writeHead(204).end();
    });
    return new OutsideWorld({ provider: await startProviderServer({ respond }), webhook, silence });
  }

  get modelUrl(): string {
    return this.provider.openaiUrl;
  }

  get webhookUrl(): string {
    return this.webhook.url;
  }

  /** From now on the model is silent about the fact, and notifications of reviews that are for a group are not taken. */
  fallSilent(): void {
    this.silence.begin();
  }

  /** Whether both are being waited for. */
  get awaited(): boolean {
    return this.silence.awaited;
  }

  modelSpeaks(): void {
    this.silence.endOfModel();
  }

  webhookSpeaks(): void {
    this.silence.endOfWebhook();
  }

  /** Notifications of a question, each once, however often it came. */
  told(questionId: string): string[] {
    const all = this.webhook.requests.map(({ body }) => JSON.parse(body) as Told);
    const ofIt = all.filter(({ data }) => data.questionId === questionId);
    return [...new Map(ofIt.map(({ type, data }) => [data.id, type])).values()];
  }

  async close(): Promise<void> {
    await Promise.all([this.provider.close(), this.webhook.close()]);
  }
}

class Silence {
  private model = Promise.withResolvers<void>();
  private asked = 0;
  private held: ServerResponse[] | null = null;

  constructor() {
    this.model.resolve();
  }

  begin(): void {
    this.model = Promise.withResolvers();
    this.asked = 0;
    this.held = [];
  }

  get awaited(): boolean {
    return this.asked > 0 && this.held !== null && this.held.length > 0;
  }

  ofModel(): Promise<void> {
    this.asked += 1;
    return this.model.promise;
  }

  waits(response: ServerResponse): boolean {
    this.held?.push(response);
    return this.held !== null;
  }

  endOfModel(): void {
    this.model.resolve();
  }

  endOfWebhook(): void {
    for (const response of this.held ?? []) response.writeHead(204).end();
    this.held = null;
  }
}

function graded({ user }: ProviderRequest, fact: string): Answer {
  const documents = [...user.matchAll(/<document-\w+ id="(\w+)">\n([\s\S]*?)\n<\/document-/g)];
  const grades = documents.map(([, id = '', text = '']) =>
    text.includes(fact)
      ? { id, score: 0.95, finding: 'full', aspects: ['a1'] }
      : { id, score: 0.05, finding: 'none', aspects: [] },
  );
  return { says: { grades } };
}
