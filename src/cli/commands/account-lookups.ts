// Shows the answers of banks about the accounts of sells, and the Travel-Rule records. Only operators may see both, because
// they contain names of people.
import { recordAction } from '../../app/audit/record-actions.ts';
import {
  listTravelRuleRecords,
  streamTravelRuleRecords,
  TRAVEL_RULE_CSV_HEAD,
  travelRuleCsvRow,
} from '../../app/travel-rule/list-travel-rule-records.ts';
import { ACCOUNT_LOOKUP_VERDICTS } from '../../domain/records/account-lookup.ts';
import type { TravelRuleRecord } from '../../domain/travel-rule/travel-rule.ts';
import { parseInstant } from '../../domain/values/calendar.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { openExportFile } from '../client/export-file.ts';
import { type Command, defineCommand, isoTimeText, MODE, printTable } from '../command.ts';
import { UsageError } from '../terminal/command-error.ts';
import { toJson } from '../terminal/json.ts';

const LIMIT = '50';
const MOST = 1_000;

const LIMIT_OPTION = {
  value: 'NUMBER',
  about: `maximum number of results, up to ${MOST} (default: ${LIMIT})`,
};

const accountLookupsCommand = defineCommand({
  name: 'enquiries list',
  summary: "List the banks' answers about the accounts of accepted sells, newest first.",
  options: {
    transaction: { value: 'ID', about: 'only this sell' },
    verdict: { choices: ACCOUNT_LOOKUP_VERDICTS, about: 'only this outcome' },
    limit: LIMIT_OPTION,
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async ({ enquiries }) => {
      const { transaction: transactionId, verdict } = options;
      const found = await enquiries.list({ transactionId, verdict, limit: limitOption(options.limit) });
      const rows = found.map((each) => [
        ...[each.transactionId, each.verdict, each.score === null ? '-' : String(each.score)],
        ...[printable(each.bankSays), each.rail, isoTimeText(each.atMs)],
      ]);
      if (rows.length === 0) terminal.print('No matching answers of banks.');
      else printTable(terminal, [['SELL', 'VERDICT', 'SCORE', 'BANK SAYS', 'RAIL', 'ASKED'], ...rows]);
      return toJson(found);
    }),
});

const TRAVEL_RULE_OPTIONS = {
  mode: MODE,
  business: { value: 'ID', about: 'only this business' },
  from: { value: 'TIME', about: 'start, for example 2026-11-01 or 2026-11-01T00:00:00Z' },
  to: { value: 'TIME', about: 'end (exclusive)' },
} as const;

const travelRuleListCommand = defineCommand({
  name: 'travel-rule list',
  summary: 'List Travel-Rule records, oldest first: who sent tokens to whom.',
  options: { ...TRAVEL_RULE_OPTIONS, limit: LIMIT_OPTION },
  run: (terminal, { options }) =>
    terminal.withFoundation(async ({ travelRule, people: { box } }) => {
      const filter = { ...filterOf(options), limit: limitOption(options.limit) };
      const found = await listTravelRuleRecords({ travelRule, box }, filter);
      if (found.length === 0) terminal.print('No matching records.');
      else
        printTable(terminal, [
          ['AT', 'KIND', 'MODE', 'NAIRA', 'NETWORK', 'HASH', 'FROM', 'TO', 'TRANSACTION'],
          ...found.map(rowOf),
        ]);
      return toJson(found);
    }),
});

const travelRuleExportCommand = defineCommand({
  name: 'travel-rule export',
  summary: 'Write all Travel-Rule records to a CSV file for spreadsheets, oldest first.',
  options: { ...TRAVEL_RULE_OPTIONS, output: { value: 'FILE', needed: true, about: 'output file' } },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      const { output } = options;
      const filter = filterOf(options);
      await recordAction(foundation, 'travel_rule.exported', null, { ...filter });
      const out = await openExportFile(output);
      try {
        await out.write(TRAVEL_RULE_CSV_HEAD);
        let count = 0;
        const { travelRule, people } = foundation;
        for await (const record of streamTravelRuleRecords({ travelRule, box: people.box }, filter)) {
          await out.write(travelRuleCsvRow(record));
          count++;
        }
        await out.keep();
        terminal.print(`Wrote ${count} records to ${output}`);
        return { file: output, records: count };
      } catch (error) {
        await out.discard();
        throw error;
      }
    }),
});

export const accountLookupCommands: readonly Command[] = [
  accountLookupsCommand,
  travelRuleListCommand,
  travelRuleExportCommand,
];

function filterOf(options: {
  readonly mode: 'live' | 'test' | undefined;
  readonly business: string | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}) {
  return {
    ...{ mode: options.mode, businessId: options.business },
    ...{ fromMs: timeOption(options.from, '--from'), toMs: timeOption(options.to, '--to') },
  };
}

function timeOption(value: string | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  const timeMs = parseInstant(value);
  if (timeMs !== undefined) return timeMs;
  throw new UsageError(`${name} must be a time such as 2026-11-01 or 2026-11-01T00:00:00Z.`);
}

function limitOption(value = LIMIT): number {
  if (/^[1-9]\d{0,3}$/.test(value) && Number(value) <= MOST) return Number(value);
  throw new UsageError(`--limit must be a whole number from 1 to ${MOST}.`);
}

function rowOf({ atMs, kind, mode, nairaMinor, network, txHash, ...record }: TravelRuleRecord): string[] {
  const { originator, beneficiary, transactionId } = record;
  return [
    ...[isoTimeText(atMs), kind, mode, formatNaira(nairaMinor), network, txHash],
    ...[printable(originator.name), printable(beneficiary.name), transactionId],
  ];
}

/** Replaces control characters, because a name can contain them and a terminal would execute them. */
function printable(text: string | null): string {
  return text === null ? '-' : text.replaceAll(/\p{Cc}/gu, '?');
}
