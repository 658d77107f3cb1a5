import type { z } from 'zod';
import { documentMetadataSchema, metadataOverridesSchema } from '../../domain/contracts/document.ts';
import type { DocumentMetadata, MetadataOverrides } from '../../domain/contracts/document.ts';
import { DocumentRefusal } from './refusal.ts';

/** Metadata as found, and where, for messages. */
export interface MetadataLayer {
  origin: string;
  values: Record<string, unknown>;
  /** Front matter may hold keys of other programs; a sidecar and a call may not. */
  foreignKeys: 'ignored' | 'refused';
}

/** What the file itself and its place say, where no layer does. */
interface MetadataDefaults {
  title: string;
  uri: string;
  language: string | null;
}

const known: readonly string[] = Object.keys(metadataOverridesSchema.shape);
const strict = metadataOverridesSchema.strict();
const dateFields = ['effectiveFrom', 'effectiveTo'];

/** Layers in rising order of weight. @throws DocumentRefusal `Document.BadMetadata`, naming layer and field: rights are never guessed. */
export function resolveMetadata(
  layers: MetadataLayer[],
  defaults: MetadataDefaults,
): { id: string | null; metadata: DocumentMetadata } {
  const { id = null, ...given } = layers.reduce<MetadataOverrides>(
    (merged, layer) => ({ ...merged, ...checkLayer(layer) }),
    {},
  );
  const metadata = {
    status: 'active',
    authority: 50,
    effectiveFrom: null,
    effectiveTo: null,
    supersedes: null,
    groups: [],
    tags: [],
    ...defaults,
    ...given,
  };
  const checked = documentMetadataSchema.safeParse(metadata);
  if (!checked.success) throw badMetadata('the document', checked.error);
  const { effectiveFrom, effectiveTo } = checked.data;
  if (effectiveFrom !== null && effectiveTo !== null && effectiveFrom > effectiveTo) {
    throw new DocumentRefusal(
      'Document.BadMetadata',
      `effectiveTo: ${effectiveTo} is before effectiveFrom ${effectiveFrom}`,
    );
  }
  return { id, metadata: checked.data };
}

function checkLayer({ origin, values, foreignKeys }: MetadataLayer): MetadataOverrides {
  for (const key of Object.keys(values)) {
    const meant = known.includes(key) ? undefined : known.find((name) => loosely(name) === loosely(key));
    if (meant) throw new DocumentRefusal('Document.BadMetadata', `${origin}: ${key}: unknown; is ${meant} meant?`);
  }
  const own = Object.entries(values).filter(([key]) => foreignKeys === 'refused' || known.includes(key));
  const dated = own.map(([key, value]) => [key, dateFields.includes(key) ? asDay(value) : value]);
  const checked = strict.safeParse(Object.fromEntries(dated));
  if (!checked.success) throw badMetadata(origin, checked.error);
  return checked.data;
}

/** "Group" or "effective_from" would otherwise be passed over, and with it a right or a date. */
function loosely(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/s$/, '');
}

/** YAML readers give dates as Date or as a full timestamp at midnight. */
function asDay(value: unknown): unknown {
  const text = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
  return typeof text === 'string' ? text.replace(/T00:00:00(?:\.0+)?Z$/, '') : text;
}

function badMetadata(origin: string, error: z.ZodError): DocumentRefusal {
  const issue = error.issues[0];
  const field = issue?.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue?.path.join('.');
  return new DocumentRefusal('Document.BadMetadata', `${origin}: ${field}: ${issue?.message ?? 'invalid'}`);
}
