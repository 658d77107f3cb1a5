export { costUsd, priceOf } from './cost.ts';
export { loadPrices, PriceFileError, type Price } from './price-list.ts';
