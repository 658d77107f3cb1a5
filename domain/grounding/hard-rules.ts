import { checkCalendar } from './calendar.ts';
import { checkCommonGround } from './common-ground.ts';
import { checkCodes } from './codes.ts';
import { checkCountedNouns } from './counted-nouns.ts';
import { checkDirections } from './directions.ts';
import { checkFigures } from './figures.ts';
import { checkLinks } from './links.ts';
import { checkModality } from './modality.ts';
import { checkNames } from './names.ts';
import { checkMovedValues, checkNearCopy } from './near-copy.ts';
import { checkOrders } from './orders.ts';
import { checkPairing } from './pairing.ts';
import { checkPolarity } from './polarity.ts';
import type { Rule } from './rule.ts';

const common: readonly Rule[] = [
  checkLinks,
  checkOrders,
  checkCodes,
  checkCalendar,
  checkFigures,
  checkCountedNouns,
  checkPairing,
  checkPolarity,
  checkModality,
  checkDirections,
  checkNames,
];

/** The rules that no share of common words makes up for, in the order in which a person would object: first what can be checked to the letter. */
export const hardRules: readonly Rule[] = [...common, checkNearCopy];

/**
 * Those that hold whoever judges: a model's word is taken for a paraphrase, never for another figure, code, date, name or negation, nor for what
 * has little to do with its source.
 */
export const finalRules: readonly Rule[] = [...common, checkMovedValues, checkCommonGround];
