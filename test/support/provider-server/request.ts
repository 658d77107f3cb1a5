import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

export type Protocol = 'openai' | 'anthropic' | 'embeddings' | 'tavily';

const text = z.union([z.string(), z.array(z.looseObject({ text: z.string().optional() }))]);
const jsonSchema = z.record(z.string(), z.unknown());
const bodySchema = z.looseObject({
  model: z.string().optional(),
  stream: z.boolean().nullish(),
  system: text.optional(),
  messages: z.array(z.looseObject({ role: z.string(), content: text })).optional(),
  response_format: z
    .looseObject({ json_schema: z.looseObject({ name: z.string(), schema: jsonSchema }).optional() })
    .optional(),
  output_config: z.looseObject({ format: z.looseObject({ schema: jsonSchema }).nullish() }).optional(),
  input: z.union([z.string(), z.array(z.string())]).optional(),
  query: z.string().optional(),
});

/** One call as the server understood it. */
export interface ProviderRequest {
  protocol: Protocol;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it came. */
  body: Record<string, unknown>;
  model: string;
  stream: boolean;
  /** Name of the schema that the answer is to have: `json_schema.name` for OpenAI, the schema's title for Anthropic. */
  schemaName: string | null;
  schema: Record<string, unknown> | null;
  system: string;
  user: string;
  /** Texts to embed. */
  inputs: string[];
  /** Web query. */
  query: string;
  /** 1 for the first call that the server got, counted over all protocols. */
  call: number;
}

const routes: [RegExp, Protocol][] = [
  [/\/chat\/completions$/, 'openai'],
  [/\/messages$/, 'anthropic'],
  [/\/embeddings$/, 'embeddings'],
  [/\/search$/, 'tavily'],
];

export function protocolOf(path: string): Protocol | null {
  return routes.find(([pattern]) => pattern.test(path))?.[1] ?? null;
}

export function readRequest(
  protocol: Protocol,
  http: { path: string; headers: IncomingHttpHeaders; body: string; call: number },
): ProviderRequest {
  const body = bodySchema.parse(JSON.parse(http.body));
  const openAi = body.response_format?.json_schema;
  const anthropic = body.output_config?.format?.schema;
  const messages = body.messages ?? [];
  const said = (...roles: string[]) =>
    messages
      .filter(({ role }) => roles.includes(role))
      .map(({ content }) => flat(content))
      .join('\n');
  return {
    protocol,
    path: http.path,
    headers: http.headers,
    body,
    model: body.model ?? '',
    stream: body.stream ?? false,
    schemaName: openAi?.name ?? (typeof anthropic?.['title'] === 'string' ? anthropic['title'] : null),
    schema: openAi?.schema ?? anthropic ?? null,
    system: body.system === undefined ? said('system', 'developer') : flat(body.system),
    user: said('user'),
    inputs: typeof body.input === 'string' ? [body.input] : (body.input ?? []),
    query: body.query ?? '',
    call: http.call,
  };
}

function flat(content: z.infer<typeof text>): string {
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n');
}
