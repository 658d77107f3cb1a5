import { PriceFileError } from '../adapters/models/pricing/index.ts';
import { LauncherError } from './errors.ts';

/** @throws LauncherError `Settings.Invalid` with the remedy for a price file that cannot be used; anything else as it is */
export function tellPrices(error: unknown): never {
  if (!(error instanceof PriceFileError)) throw error;
  throw new LauncherError('Settings.Invalid', `The price file cannot be used: ${error.message}`, {
    remedy: 'Correct the file that PLUMBLINE_PRICES names, as docs/providers.md shows it, or unset PLUMBLINE_PRICES.',
    cause: error,
  });
}
