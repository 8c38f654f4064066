// The command-line commands for limits.
import type { LimitRule } from '../../domain/catalogue/limits.ts';
import { formatNaira } from '../../domain/values/money.ts';
import {
  type Command,
  defineCommand,
  nairaOption,
  printTable,
  REQUIRED_MODE,
  type Terminal,
} from '../command.ts';
import { toJson } from '../terminal/json.ts';
import { requestSettingChange } from './decision-words.ts';

export const limitCommands: readonly Command[] = [
  defineCommand({
    name: 'limits list',
    summary: 'List the amount limits. The general limits apply to a business without its own.',
    run: (terminal) =>
      terminal.withFoundation(async ({ backOffice }) => {
        const limits = await backOffice.listLimits();
        if (limits.length > 0) printLimits(terminal, limits);
        else terminal.print('No limits are set. To set one: bin/sliproad limits set --help');
        return toJson(limits);
      }),
  }),
  defineCommand({
    name: 'limits set',
    summary:
      'Set amount limits; transactions above them go on hold for review. Days and months are in Lagos time; "none" removes a limit. Live limits need the approval of another person.',
    options: {
      mode: REQUIRED_MODE,
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
        const { write, json } = await requestSettingChange(terminal, foundation, {
          setting: 'limit_set',
          limit: given,
        });
        if (write?.setting === 'limit_set') printLimits(terminal, [write.limit]);
        return json;
      });
    },
  }),
];

function printLimits(terminal: Terminal, limits: readonly LimitRule[]): void {
  const amount = (minor: bigint | null) => (minor === null ? 'none' : formatNaira(minor));
  const rows = limits.map((limit) => [
    ...[limit.mode, limit.businessId ?? 'all', amount(limit.perTransactionMinor)],
    ...[amount(limit.perDayMinor), amount(limit.perMonthMinor)],
  ]);
  printTable(terminal, [['MODE', 'BUSINESS', 'PER TRANSACTION', 'PER DAY', 'PER MONTH'], ...rows]);
}

/** Undefined: the option was not given. Null: the command removes the limit. */
function limitOption(value: string | undefined, name: string): bigint | null | undefined {
  if (value === undefined) return undefined;
  return value === 'none' ? null : nairaOption(value, name);
}
