// Limits on the command line.
import type { LimitRule } from '../../domain/catalogue/limits.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { type Command, command, NEEDED_MODE, nairaOption, printTable, type Terminal } from '../command.ts';
import { toJson } from '../terminal/json.ts';
import { change } from './decision-words.ts';

export const limitCommands: readonly Command[] = [
  command({
    name: 'limits list',
    summary: 'List the amount limits. The general limits apply to a business without its own.',
    run: (terminal) =>
      terminal.withFoundation(async ({ backOffice }) => {
        const limits = await backOffice.listLimits();
        if (limits.length > 0) print(terminal, limits);
        else terminal.print('No limits are set. To set one: bin/sliproad limits set --help');
        return toJson(limits);
      }),
  }),
  command({
    name: 'limits set',
    summary:
      'Set amount limits; transactions above them go on hold for review. Days and months are in Lagos time; "none" removes a limit. Live limits need the approval of another person.',
    options: {
      mode: NEEDED_MODE,
      business: { value: 'ID', about: 'only for this business' },
      'per-transaction': { value: 'NAIRA', about: 'maximum per transaction, or none' },
      'per-day': { value: 'NAIRA', about: 'maximum per day, or none' },
      'per-month': { value: 'NAIRA', about: 'maximum per month, or none' },
    },
    run: async (terminal, { options }) => {
      const perTransactionMinor = limitOption(options['per-transaction'], '--per-transaction');
      const perDayMinor = limitOption(options['per-day'], '--per-day');
      const perMonthMinor = limitOption(options['per-month'], '--per-month');
      const given = {
        mode: options.mode,
        businessId: options.business ?? null,
        ...(perTransactionMinor !== undefined && { perTransactionMinor }),
        ...(perDayMinor !== undefined && { perDayMinor }),
        ...(perMonthMinor !== undefined && { perMonthMinor }),
      };
      return terminal.withFoundation(async (foundation) => {
        const { write, json } = await change(terminal, foundation, { setting: 'limit_set', limit: given });
        if (write?.setting === 'limit_set') print(terminal, [write.limit]);
        return json;
      });
    },
  }),
];

function print(terminal: Terminal, limits: readonly LimitRule[]): void {
  const amount = (minor: bigint | null) => (minor === null ? 'none' : formatNaira(minor));
  const rows = limits.map((limit) => [
    ...[limit.mode, limit.businessId ?? 'all', amount(limit.perTransactionMinor)],
    ...[amount(limit.perDayMinor), amount(limit.perMonthMinor)],
  ]);
  printTable(terminal, [['MODE', 'BUSINESS', 'PER TRANSACTION', 'PER DAY', 'PER MONTH'], ...rows]);
}

/** Undefined: the option is absent. Null: the limit is removed. */
function limitOption(value: string | undefined, name: string): bigint | null | undefined {
  if (value === undefined) return undefined;
  return value === 'none' ? null : nairaOption(value, name);
}
