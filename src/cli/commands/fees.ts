// The command-line commands for fees.
import { TRANSACTION_TYPES } from '../../domain/records/states.ts';
import { parseInstant } from '../../domain/values/calendar.ts';
import { formatNaira } from '../../domain/values/money.ts';
import type { StoredFee } from '../../ports/back-office.ts';
import {
  bpsOption,
  type Command,
  defineCommand,
  isoTimeText,
  nairaOption,
  printTable,
  REQUIRED_MODE,
} from '../command.ts';
import { UsageError } from '../terminal/command-error.ts';
import { toJson } from '../terminal/json.ts';
import { requestSettingChange } from './decision-words.ts';

export const feeCommands: readonly Command[] = [
  defineCommand({
    name: 'fees list',
    summary:
      'List every fee that was ever set, oldest first. The newest fee whose start time has passed applies.',
    run: (terminal) =>
      terminal.withFoundation(async ({ backOffice }) => {
        const fees = await backOffice.listFees();
        const rows = fees.map((fee) => [
          ...[fee.mode, fee.product, fee.businessId ?? 'all', formatNaira(fee.flatMinor)],
          ...[
            String(fee.feeBps),
            fee.capMinor === null ? '-' : formatNaira(fee.capMinor),
            isoTimeText(fee.fromMs),
          ],
        ]);
        if (rows.length > 0)
          printTable(terminal, [['MODE', 'PRODUCT', 'BUSINESS', 'FLAT', 'BPS', 'CAP', 'FROM'], ...rows]);
        else
          terminal.print(
            'No fees are set, so buys and sells are free. To set one: bin/sliproad fees set --help',
          );
        return toJson(fees);
      }),
  }),
  defineCommand({
    name: 'fees set',
    summary:
      'Set the fee of new transactions. A fee for one business replaces the general fee. A live fee needs the approval of another person.',
    options: {
      product: { choices: TRANSACTION_TYPES, needed: true, about: 'buy or sell' },
      mode: REQUIRED_MODE,
      business: { value: 'ID', about: 'only for this business' },
      flat: { value: 'NAIRA', about: 'fixed amount' },
      bps: { value: 'N', about: 'basis points of the amount: 50 is 0.5 %' },
      cap: { value: 'NAIRA', about: 'maximum fee' },
      from: { value: 'TIME', about: 'start time, for example 2026-11-14T09:30:00Z (default: now)' },
    },
    run: async (terminal, { options }) => {
      if (options.flat === undefined && options.bps === undefined)
        throw new UsageError('The fee is missing: use --flat, --bps or both; --flat 0 means no fee.');
      const given = {
        product: options.product,
        mode: options.mode,
        businessId: options.business ?? null,
        flatMinor: nairaOption(options.flat ?? '0', '--flat'),
        feeBps: bpsOption(options.bps ?? '0', '--bps'),
        capMinor: options.cap === undefined ? null : nairaOption(options.cap, '--cap'),
        fromMs: options.from === undefined ? null : timeOption(options.from),
      };
      return terminal.withFoundation(async (foundation) => {
        const { write, json } = await requestSettingChange(terminal, foundation, {
          setting: 'fee_set',
          fee: given,
        });
        if (write?.setting === 'fee_set') terminal.print(describeFee(write.fee));
        return json;
      });
    },
  }),
];

function describeFee(fee: StoredFee): string {
  const cap = fee.capMinor === null ? '' : `, at most ${formatNaira(fee.capMinor)}`;
  const who = fee.businessId ?? 'all businesses without a fee of their own';
  return `A ${fee.mode} ${fee.product} costs ${formatNaira(fee.flatMinor)} and ${fee.feeBps} bps${cap} from ${isoTimeText(fee.fromMs)}, for ${who}.`;
}

function timeOption(value: string): number {
  const timeMs = parseInstant(value);
  if (timeMs !== undefined) return timeMs;
  throw new UsageError('--from must be a time such as 2026-11-14T09:30:00Z.');
}
