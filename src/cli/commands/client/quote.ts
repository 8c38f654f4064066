// `quote`: requests a price for one buy or sell. The price is valid until the quote expires.
import { QUOTE_CURRENCIES } from '../../../app/quotes/quote-currency.ts';
import { minorToWire } from '../../../domain/values/money.ts';
import { defineClientCommand } from '../../client/client-command.ts';
import { asJson, nairaText, timeText } from '../../client/show.ts';
import { type Command, nairaOption } from '../../command.ts';
import { formatPairs } from '../../terminal/table.ts';

export const quoteCommand: Command = defineClientCommand({
  name: 'quote',
  summary: 'Request a quote: the naira amount at the current rate, and the fee, valid until it expires.',
  options: {
    side: { choices: ['buy', 'sell'], needed: true, about: 'buy or sell' },
    amount: { value: 'AMOUNT', needed: true, about: 'amount in the currency, for example 100 or 15000.50' },
    currency: {
      choices: QUOTE_CURRENCIES,
      about: 'currency of the amount (default: NGN); a sell is quoted only in NGN',
    },
    network: { value: 'NAME', about: 'restrict the quote to this network' },
  },
  run: async (terminal, { client }, { options: { side, amount, currency, network } }) => {
    const quote = await client.quotes.create({
      side,
      amount: minorToWire(nairaOption(amount, '--amount')),
      ...(currency !== undefined && { currency }),
      ...(network !== undefined && { network }),
    });
    terminal.print(
      formatPairs(
        [
          ['id', quote.quote_id],
          ['side', quote.side],
          ['amount', `${quote.amount} ${quote.currency}`],
          ...(quote.network === null ? [] : [['network', quote.network]]),
          ['rate', String(quote.rate)],
          ['naira', nairaText(quote.naira_amount)],
          ...quote.fees.map(({ name, amount: fee }) => [name.replaceAll('_', ' '), nairaText(fee)]),
          ['net', nairaText(quote.net_amount)],
          ['expires', timeText(quote.expires_at)],
        ],
        terminal.paint,
      ),
    );
    terminal.print(`\nTo use it: bin/sliproad ${quote.side} ${quote.naira_amount} --quote ${quote.quote_id}`);
    return asJson(quote);
  },
});
