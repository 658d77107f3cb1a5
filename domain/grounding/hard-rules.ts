import { checkCalendar } from './calendar.ts';
import { checkCodes } from './codes.ts';
import { checkCountedNouns } from './counted-nouns.ts';
import { checkDirections } from './directions.ts';
import { checkFigures } from './figures.ts';
import { checkModality } from './modality.ts';
import { checkNames } from './names.ts';
import { checkNearCopy } from './near-copy.ts';
import { checkPairing } from './pairing.ts';
import { checkPolarity } from './polarity.ts';
import type { Rule } from './rule.ts';

/** The rules that no share of common words makes up for, in the order in which a person would object: first what can be checked to the letter. */
export const hardRules: readonly Rule[] = [
  checkCodes,
  checkCalendar,
  checkFigures,
  checkCountedNouns,
  checkPairing,
  checkPolarity,
  checkModality,
  checkDirections,
  checkNames,
  checkNearCopy,
];
