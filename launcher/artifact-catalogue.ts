import { z } from 'zod';
import artifacts from './artifacts.json' with { type: 'json' };

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const fileSchema = z.strictObject({
  name: z.string().regex(/^[\w.-]+$/),
  /** Path inside the archive. */
  member: z.string(),
  bytes: z.int().positive(),
  sha256,
  executable: z.boolean().default(false),
});

const sourceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('python'), requirement: z.string() }),
  z.strictObject({ kind: z.literal('maven'), group: z.string(), artifact: z.string(), version: z.string() }),
]);

const artifactSchema = z.strictObject({
  title: z.string(),
  version: z.string(),
  source: sourceSchema,
  platforms: z.record(
    z.string(),
    z.strictObject({
      /** Platform tag of the wheel. */
      tag: z.string().optional(),
      archive: z.strictObject({ bytes: z.int().positive(), sha256 }),
      files: z.array(fileSchema).min(1),
    }),
  ),
});

export type ArtifactFile = z.infer<typeof fileSchema>;
export type ArtifactSource = z.infer<typeof sourceSchema>;
export type ArtifactName = keyof typeof artifacts;

/** One artifact for this machine; `archive` is null where no build of it was pinned. */
export type ArtifactEntry = {
  name: ArtifactName;
  title: string;
  version: string;
  platform: string;
  source: ArtifactSource;
  tag: string | undefined;
  archive: { bytes: number; sha256: string } | null;
  files: ArtifactFile[];
};

const catalogue = z.record(z.string(), artifactSchema).parse(artifacts);

/** The pinned entry of an artifact for this platform (or for any platform, where it does not depend on one). */
export function artifactEntry(name: ArtifactName): ArtifactEntry {
  const found = catalogue[name];
  if (found === undefined) throw new TypeError(`no artifact ${name}`);
  const here = `${process.platform}-${process.arch}`;
  const platform = found.platforms[here] ? here : 'any';
  const build = found.platforms[platform];
  return {
    name,
    title: found.title,
    version: found.version,
    platform: build ? platform : here,
    source: found.source,
    tag: build?.tag,
    archive: build?.archive ?? null,
    files: build?.files ?? [],
  };
}
