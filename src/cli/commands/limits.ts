// Limits on the command line.
import type { LimitRule } from '../../domain/catalogue/limits.ts';
import { formatNaira } from '../../domain/values/money.ts';
import {
  type Command,
  modeOption,
  nairaOption,
  readOptions,
  required,
  type Terminal,
  table,
} from '../command.ts';
import { change } from './setting-words.ts';

export const limitCommands: readonly Command[] = [
  {
    name: 'limits list',
    usage: '',
    summary: 'List the limits on amounts. A business without limits of its own has the general limits.',
    run: async (terminal, args) => {
      readOptions(args, {});
      await terminal.withFoundation(async ({ backOffice }) => {
        const limits = await backOffice.listLimits();
        if (limits.length === 0)
          return terminal.print('No limits are set. To set one: bin/sliproad limits set --help');
        print(terminal, limits);
      });
    },
  },
  {
    name: 'limits set',
    usage: '--mode live|test [--business ID] [--per-transaction NAIRA] [--per-day NAIRA] [--per-month NAIRA]',
    summary:
      'Put transactions above an amount on hold for review. Days and months are those of Lagos; "none" removes a limit. Live limits need the approval of another person.',
    run: (terminal, args) => {
      const { options } = readOptions(args, {
        ...({ mode: 'text', business: 'text' } as const),
        ...({ 'per-transaction': 'text', 'per-day': 'text', 'per-month': 'text' } as const),
      });
      const perTransactionMinor = limitOption(options['per-transaction'], '--per-transaction');
      const perDayMinor = limitOption(options['per-day'], '--per-day');
      const perMonthMinor = limitOption(options['per-month'], '--per-month');
      const given = {
        mode: modeOption(options.mode),
        businessId: options.business === undefined ? null : required(options.business, '--business'),
        ...(perTransactionMinor !== undefined && { perTransactionMinor }),
        ...(perDayMinor !== undefined && { perDayMinor }),
        ...(perMonthMinor !== undefined && { perMonthMinor }),
      };
      return terminal.withFoundation(async (foundation) => {
        const write = await change(terminal, foundation, { setting: 'limit_set', limit: given });
        if (write?.setting === 'limit_set') print(terminal, [write.limit]);
      });
    },
  },
];

function print(terminal: Terminal, limits: readonly LimitRule[]): void {
  const amount = (minor: bigint | null) => (minor === null ? 'none' : formatNaira(minor));
  const rows = limits.map((limit) => [
    ...[limit.mode, limit.businessId ?? 'all', amount(limit.perTransactionMinor)],
    ...[amount(limit.perDayMinor), amount(limit.perMonthMinor)],
  ]);
  terminal.print(table([['MODE', 'BUSINESS', 'PER TRANSACTION', 'PER DAY', 'PER MONTH'], ...rows]));
}

/** Undefined: not given. Null: the limit is removed. */
function limitOption(value: string | undefined, name: string): bigint | null | undefined {
  if (value === undefined) return undefined;
  return value === 'none' ? null : nairaOption(value, name);
}
