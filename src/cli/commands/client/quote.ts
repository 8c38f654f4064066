// `quote`: a price that holds for one buy or sell until it expires.
import { QUOTE_CURRENCIES } from '../../../app/quotes/quote-currency.ts';
import { minorToWire } from '../../../domain/values/money.ts';
import { clientCommand } from '../../client/client-command.ts';
import { asJson, nairaText, timeText } from '../../client/show.ts';
import { type Command, nairaOption } from '../../command.ts';
import { pairs } from '../../terminal/table.ts';

export const quoteCommand: Command = clientCommand({
  name: 'quote',
  summary: 'Make a quote: the naira amount at the rate of this moment, and its fee, until it expires.',
  options: {
    side: { choices: ['buy', 'sell'], needed: true, about: 'what the quote is for' },
    amount: { value: 'AMOUNT', needed: true, about: 'in the currency, for example 100 or 15000.50' },
    currency: { choices: QUOTE_CURRENCIES, about: 'NGN unless given; a sell is quoted in NGN alone' },
    network: { value: 'NAME', about: 'the transaction must then use this network' },
  },
  run: async (terminal, { client }, { options: { side, amount, currency, network } }) => {
    const quote = await client.quotes.create({
      side,
      amount: minorToWire(nairaOption(amount, '--amount')),
      ...(currency !== undefined && { currency }),
      ...(network !== undefined && { network }),
    });
    terminal.print(
      pairs(
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
