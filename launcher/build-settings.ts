import { z } from 'zod';

export const buildVariables = {
  PLUMBLINE_BUILD_ID: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$/, 'must be up to 100 letters, digits and . _ + -, as a commit or a date')
    .optional(),
  PLUMBLINE_DEPLOYMENT: z
    .string()
    // Temporal joins it to the build with a dot or a colon.
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/, 'must be up to 100 letters, digits, _ and -')
    .default('plumbline'),
};

/** What a worker is a build of, for Temporal. */
export interface WorkerBuild {
  deploymentName: string;
  buildId: string;
}

export interface BuildSettings {
  /** Null: the worker is not versioned, and takes any run. */
  build: WorkerBuild | null;
}

export function buildSettings(env: z.infer<z.ZodObject<typeof buildVariables>>): BuildSettings {
  const { PLUMBLINE_BUILD_ID: buildId, PLUMBLINE_DEPLOYMENT: deploymentName } = env;
  return { build: buildId === undefined ? null : { deploymentName, buildId } };
}
