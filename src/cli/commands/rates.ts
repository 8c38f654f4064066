// Rates on the command line.
import { setRates } from '../../app/back-office/set-rates.ts';
import {
  CURRENCIES,
  quoteBook,
  RATE_PRODUCTS,
  type RateBook,
  type RateProduct,
} from '../../domain/catalogue/rates.ts';
import { MODES } from '../../domain/values/mode.ts';
import {
  ANY_WORDS,
  type Command,
  CommandError,
  durationOption,
  modeOption,
  readOptions,
  required,
  type Terminal,
  table,
} from '../command.ts';

export const rateCommands: readonly Command[] = [
  {
    name: 'rates show',
    usage: '[--mode live|test]',
    summary: 'Show the rates, the spread and what is quoted to businesses.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { mode: 'text' });
      const modes = options.mode === undefined ? MODES : [modeOption(options.mode)];
      return terminal.withFoundation(async ({ backOffice, clock }) => {
        for (const mode of modes) {
          for (const product of RATE_PRODUCTS) {
            const book = await backOffice.readRateBook(mode, product);
            if (book === undefined)
              terminal.print(
                `${mode} ${product}: not set, so the API answers 503. To set it: bin/sliproad rates set --help`,
              );
            else printBook(terminal, `${mode} ${product}`, book, clock.now());
          }
        }
      });
    },
  },
  {
    name: 'rates set',
    usage: '--mode live|test --product otc_buy|usdc_ngnc [--spread BPS] [--valid-for 24h] CODE=VALUE …',
    summary:
      'Set rates in naira per unit of each currency. Currencies left out keep their rate; all are quoted for --valid-for, then the API answers 503.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(
        args,
        {
          mode: 'text',
          product: 'text',
          spread: 'text',
          'valid-for': 'text',
        },
        ANY_WORDS,
      );
      const mode = modeOption(options.mode);
      const product = productOption(options.product);
      const values = Object.fromEntries(rest.map(readPair));
      const validForMs = durationOption(options['valid-for'] ?? '24h', '--valid-for');
      return terminal.withFoundation(async (foundation) => {
        const set = await setRates(foundation, {
          mode,
          product,
          values,
          validForMs,
          ...(options.spread !== undefined && { spreadBps: spreadOption(options.spread) }),
        });
        if (!set.ok) throw new CommandError(set.error);
        terminal.print(`${mode} ${product} set; quoted until ${iso(set.value.validUntilMs!)}.`);
      });
    },
  },
];

function printBook(terminal: Terminal, title: string, book: RateBook, nowMs: number): void {
  const ends = book.validUntilMs;
  const age =
    ends === null
      ? 'quoted without an end'
      : ends <= nowMs
        ? `expired ${iso(ends)}, not quoted`
        : `quoted until ${iso(ends)}`;
  terminal.print(`${title}: spread ${book.spreadBps} bps, set ${iso(book.updatedAtMs)}, ${age}`);
  const quotes = quoteBook(book);
  const rows = CURRENCIES.map((code) => [code, decimals(book.valuesE4[code]), String(quotes[code])]);
  terminal.print(`${table([['CODE', 'VALUE', 'QUOTED'], ...rows])}\n`);
}

function spreadOption(value: string): number {
  if (/^\d{1,5}$/.test(value)) return Number(value);
  throw new CommandError('--spread must be a whole number of basis points, for example 50 for 0.5 %.');
}

function productOption(value: string | undefined): RateProduct {
  const product = RATE_PRODUCTS.find((each) => each === required(value, '--product'));
  if (product !== undefined) return product;
  throw new CommandError(`--product must be one of ${RATE_PRODUCTS.join(', ')}.`);
}

function readPair(text: string): [string, string] {
  const match = /^([A-Za-z]{3})=(\S+)$/.exec(text);
  if (match === null)
    throw new CommandError(`"${text}" must have the form CODE=VALUE, for example USD=1361.5.`);
  return [match[1]!.toUpperCase(), match[2]!];
}

function decimals(valueE4: bigint): string {
  const digits = valueE4.toString().padStart(5, '0');
  return `${digits.slice(0, -4)}.${digits.slice(-4)}`;
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
