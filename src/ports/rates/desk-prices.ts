// What operators add to the rates: prices of the desk, and spreads. Both are append-only, and each addition is recorded with who
// made it, in the same commit.
import type { Doing } from '../back-office.ts';
import type { DeskPrice, StoredSpread } from './rate-store.ts';

export interface DeskWrites {
  addDeskPrices(prices: readonly DeskPrice[], doing: Doing): Promise<void>;
  addSpread(spread: StoredSpread, doing: Doing): Promise<void>;
}
