// When the sources have recovered and all trades have ended, every process serves all rates again without help, and quotes and
// their transactions refer to each other.
import { servedRates } from '../../../../src/domain/rates/board.ts';
import { MODE } from '../../people/company.ts';
import type { Keeper } from '../keepers.ts';
import type { TradeStage } from '../stage.ts';

export function checkServed({ setting }: TradeStage, keepers: readonly Keeper[]): void {
  const { agenda, broken } = setting;
  const atMs = agenda.now();
  for (const keeper of keepers) {
    const board = keeper.board();
    for (const product of ['otc_buy', 'usdc_ngnc'] as const) {
      const served = board && servedRates(board, { mode: MODE, product, tier: 'standard', atMs });
      if (served?.ok) continue;
      const missing = served?.error.map(({ currency, why }) => `${currency} ${why}`).join(', ');
      broken('rates are served again by themselves', `${keeper.name}: ${product} ${missing}`, null);
    }
  }
}

export function checkQuotes({ setting }: TradeStage): void {
  const { model, broken } = setting;
  const { quotes, transactions } = model.tables;
  for (const { id, quoteId } of transactions.values())
    if (quoteId !== null && quotes.get(quoteId)?.transactionId !== id)
      broken('a quote and its transaction name each other', `${id} on ${quoteId}`, id);
  for (const { id, transactionId } of quotes.values())
    if (transactionId !== null && transactions.get(transactionId)?.quoteId !== id)
      broken('a quote and its transaction name each other', `${id} for ${transactionId}`, transactionId);
}
