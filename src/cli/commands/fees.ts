// Fees on the command line.
import { TRANSACTION_TYPES, type TransactionType } from '../../domain/records/states.ts';
import { parseInstant } from '../../domain/values/calendar.ts';
import { formatNaira } from '../../domain/values/money.ts';
import type { StoredFee } from '../../ports/back-office.ts';
import {
  type Command,
  CommandError,
  modeOption,
  nairaOption,
  readOptions,
  required,
  table,
} from '../command.ts';
import { change } from './setting-words.ts';

export const feeCommands: readonly Command[] = [
  {
    name: 'fees list',
    usage: '',
    summary:
      'List every fee that was ever set, oldest first. The newest fee whose start time has passed applies.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation(async ({ backOffice }) => {
        const fees = await backOffice.listFees();
        if (fees.length === 0)
          return terminal.print(
            'No fees are set, so buys and sells are free. To set one: bin/sliproad fees set --help',
          );
        const rows = fees.map((fee) => [
          ...[fee.mode, fee.product, fee.businessId ?? 'all', formatNaira(fee.flatMinor)],
          ...[String(fee.feeBps), fee.capMinor === null ? '-' : formatNaira(fee.capMinor), from(fee)],
        ]);
        terminal.print(table([['MODE', 'PRODUCT', 'BUSINESS', 'FLAT', 'BPS', 'CAP', 'FROM'], ...rows]));
      });
    },
  },
  {
    name: 'fees set',
    usage:
      '--product buy|sell --mode live|test [--business ID] [--flat NAIRA] [--bps N] [--cap NAIRA] [--from TIME]',
    summary:
      'Set the fee of new transactions, from now or from a time such as 2026-11-14T09:30:00Z. The fee of one business replaces the general fee. A live fee needs the approval of another person.',
    run: (terminal, args) => {
      const { options } = readOptions(args, {
        ...({ product: 'text', mode: 'text', business: 'text', flat: 'text' } as const),
        ...({ bps: 'text', cap: 'text', from: 'text' } as const),
      });
      if (options.flat === undefined && options.bps === undefined) {
        throw new CommandError('The fee is missing: give --flat, --bps or both; --flat 0 for no fee.');
      }
      const given = {
        product: productOption(options.product),
        mode: modeOption(options.mode),
        businessId: options.business === undefined ? null : required(options.business, '--business'),
        flatMinor: nairaOption(options.flat ?? '0', '--flat'),
        feeBps: bpsOption(options.bps ?? '0'),
        capMinor: options.cap === undefined ? null : nairaOption(options.cap, '--cap'),
        fromMs: options.from === undefined ? null : timeOption(options.from),
      };
      return terminal.withFoundation(async (foundation) => {
        const write = await change(terminal, foundation, { setting: 'fee_set', fee: given });
        if (write?.setting === 'fee_set') terminal.print(describe(write.fee));
      });
    },
  },
];

function describe(fee: StoredFee): string {
  const cap = fee.capMinor === null ? '' : `, at most ${formatNaira(fee.capMinor)}`;
  const who = fee.businessId ?? 'all businesses without a fee of their own';
  return `A ${fee.mode} ${fee.product} costs ${formatNaira(fee.flatMinor)} and ${fee.feeBps} bps${cap} from ${from(fee)}, for ${who}.`;
}

function from({ fromMs }: StoredFee): string {
  return new Date(fromMs).toISOString();
}

function productOption(value: string | undefined): TransactionType {
  const product = TRANSACTION_TYPES.find((each) => each === required(value, '--product'));
  if (product !== undefined) return product;
  throw new CommandError(`--product must be one of ${TRANSACTION_TYPES.join(', ')}.`);
}

function bpsOption(value: string): number {
  if (/^\d{1,5}$/.test(value)) return Number(value);
  throw new CommandError('--bps must be a whole number of basis points, for example 50 for 0.5 %.');
}

function timeOption(value: string): number {
  const timeMs = parseInstant(value);
  if (timeMs !== undefined) return timeMs;
  throw new CommandError('--from must be a time such as 2026-11-14T09:30:00Z.');
}
