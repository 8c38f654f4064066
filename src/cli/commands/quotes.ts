// `quotes list`: the quotes of all businesses, for operators.
import { listAllQuotes } from '../../app/quotes/read-quotes.ts';
import { computeNetAmount, QUOTE_STATES, quoteStateOf } from '../../domain/quotes/quote.ts';
import { formatDecimal, formatNaira } from '../../domain/values/money.ts';
import type { QuoteWithExpiry } from '../../ports/quotes.ts';
import { type Command, defineCommand, isoTimeText, MODE, printTable } from '../command.ts';
import { UsageError } from '../terminal/command-error.ts';
import { rateText } from './rates/words.ts';

const listCommand = defineCommand({
  name: 'quotes list',
  summary: 'List quotes of all businesses, newest first.',
  options: {
    mode: MODE,
    business: { value: 'ID', about: 'only this business' },
    state: { choices: QUOTE_STATES, about: 'only in this state' },
    limit: { value: 'NUMBER', about: 'maximum number of results, up to 100 (default: 25)' },
  },
  run: (terminal, { options: { mode, business, state, limit } }) =>
    terminal.withFoundation(async ({ quotes }) => {
      const of = {
        ...(mode !== undefined && { mode }),
        ...(business !== undefined && { businessId: business }),
      };
      const page = await listAllQuotes(quotes, of, { state, limit });
      if (!page.ok) throw new UsageError(`--${page.error.message}`);
      const found = page.value.quotes;
      if (found.length === 0) terminal.print('No matching quotes.');
      else
        printTable(terminal, [
          ['ID', 'BUSINESS', 'MODE', 'SIDE', 'AMOUNT', 'RATE', 'NAIRA', 'FEE', 'STATE', 'EXPIRES'],
          ...found.map(rowOf),
        ]);
      if (page.value.nextCursor !== null) terminal.note('There are more quotes: use --limit NUMBER');
      return found.map(toJson);
    }),
});

function rowOf({ quote, expired }: QuoteWithExpiry): string[] {
  return [
    ...[quote.id, quote.businessId, quote.mode, quote.side],
    ...[`${formatDecimal(quote.amountMinor, 2)} ${quote.currency}`, rateText(quote.rateE4)],
    ...[formatNaira(quote.nairaMinor), formatNaira(quote.feeMinor)],
    ...[quoteStateOf(quote, expired), isoTimeText(quote.expiresAtMs)],
  ];
}

function toJson({ quote, expired }: QuoteWithExpiry) {
  return {
    ...{ quote_id: quote.id, business_id: quote.businessId, mode: quote.mode, side: quote.side },
    ...{ amount: formatDecimal(quote.amountMinor, 2), currency: quote.currency, network: quote.network },
    ...{ naira_amount: formatDecimal(quote.nairaMinor, 2), fee: formatDecimal(quote.feeMinor, 2) },
    ...{ net_amount: formatDecimal(computeNetAmount(quote), 2), asset: 'NGN', rate: rateText(quote.rateE4) },
    sources: quote.sources.map(({ name, valueE4, asOfMs }) => ({
      ...{ name, rate: rateText(valueE4), as_of: isoTimeText(asOfMs) },
    })),
    ...{ decision_id: quote.decisionId, state: quoteStateOf(quote, expired) },
    transaction_id: quote.transactionId,
    ...{ created_at: isoTimeText(quote.createdAtMs), expires_at: isoTimeText(quote.expiresAtMs) },
  };
}

export const quoteCommands: readonly Command[] = [listCommand];
