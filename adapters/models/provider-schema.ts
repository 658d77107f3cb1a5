type Json = Record<string, unknown>;

/** What every provider's structured output takes. */
const structural = new Set(['type', 'enum', 'description', '$ref']);
/** Says which dialect, and constrains nothing. */
const silent = new Set(['$schema', '$id', 'title', 'default']);

/**
 * A JSON schema in the strictest subset that the providers share: objects closed and all their properties required, unions as `anyOf`, no
 * bounds, lengths or patterns, which Anthropic and several compatible servers refuse. What is left out goes into the description, where the
 * model reads it; answers are checked against the whole schema on our side.
 */
export function toProviderSchema(schema: Json): Json {
  const kept: Json = {};
  const left: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (structural.has(keyword)) kept[keyword] = value;
    else if (keyword === 'const') kept['enum'] = [value];
    else if (keyword === 'properties' || keyword === '$defs') kept[keyword] = each(value as Record<string, Json>);
    else if (keyword === 'items') kept['items'] = toProviderSchema(value as Json);
    else if (keyword === 'anyOf' || keyword === 'oneOf') kept['anyOf'] = (value as Json[]).map(toProviderSchema);
    else if (
      keyword !== 'required' &&
      keyword !== 'additionalProperties' &&
      !silent.has(keyword) &&
      !unbounded(keyword, value)
    )
      left.push(`${keyword}: ${JSON.stringify(value)}`);
  }
  if (kept['type'] === 'object') {
    kept['properties'] ??= {};
    kept['required'] = Object.keys(kept['properties'] as Json);
    kept['additionalProperties'] = false;
  }
  if (left.length > 0) {
    kept['description'] = [kept['description'], `(${left.join(', ')})`].filter(Boolean).join(' ');
  }
  return kept;
}

function each(schemas: Record<string, Json>): Json {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toProviderSchema(schema)]));
}

/** zod gives every integer the bounds of a double: no news for a model. */
function unbounded(keyword: string, value: unknown): boolean {
  return (
    (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) ||
    (keyword === 'minimum' && value === Number.MIN_SAFE_INTEGER)
  );
}
