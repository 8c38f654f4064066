// The command `reconcile` compares the books with the statements, by day and account, and lists the differences. The exit code
// is 1 if a difference is unexplained, so that a script notices it.
import {
  lastWholeDay,
  listAccountsToReconcile,
  reconcileAccount,
} from '../../../app/reconciliation/reconcile-account.ts';
import { RECONCILED_DAY_STATES } from '../../../domain/reconciliation/reconcile.ts';
import { daysBetween } from '../../../domain/reconciliation/working-days.ts';
import { parseDay } from '../../../domain/values/calendar.ts';
import { MODES } from '../../../domain/values/mode.ts';
import { formatNaira } from '../../../domain/values/money.ts';
import type { ReconciledDay } from '../../../ports/reconciliation.ts';
import { renderDifference, renderReconciledDay } from '../../../renderings/reconciliation.ts';
import type { DescribedFoundation } from '../../../wire/foundation.ts';
import { type Command, defineCommand, MODE, printTable, type Terminal } from '../../command.ts';
import { CommandError, UsageError } from '../../terminal/command-error.ts';
import type { Json } from '../../terminal/json.ts';
import { countText } from '../../terminal/table.ts';
import { dayTable, differenceLines, STATE_WORDS } from './words.ts';

const ACCOUNT = { value: 'BANK:NUMBER', about: 'only this bank account (naira accounts)' } as const;
const MOST_SHOWN = 1_000;

const reconcileCommand = defineCommand({
  name: 'reconcile',
  summary:
    'Compare the books of each bank account with its statement, day by day. Exit code 1: a difference is unexplained.',
  options: {
    date: { value: 'DAY', needed: true, about: 'day in Lagos time, for example 2026-11-16' },
    to: { value: 'DAY', about: 'last day (inclusive)' },
    account: ACCOUNT,
    mode: MODE,
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async (foundation) => {
      const from = dayOption(options.date, '--date');
      const to = options.to === undefined ? from : dayOption(options.to, '--to');
      const last = lastWholeDay(foundation.clock.now());
      if (to < from) throw new UsageError('--to must not be before --date.');
      if (to > last)
        throw new UsageError(
          `${to} has not ended. The last complete day is ${last}; a day is complete ten minutes after midnight.`,
        );
      const accounts = await findAccounts(foundation, options.mode, options.account);
      for (const { mode, account } of accounts)
        await reconcileAccount(foundation, { mode, account }, to, {
          onDay: ({ of, done, days }) => terminal.progress(`${of.account} ${of.day}: day ${done} of ${days}`),
        });
      terminal.progress('');
      return showDays(terminal, foundation, accounts, daysBetween(from, to));
    }),
});

const showCommand = defineCommand({
  name: 'reconcile show',
  summary: 'List reconciled days, newest first.',
  options: {
    mode: MODE,
    account: ACCOUNT,
    from: { value: 'DAY', about: 'first day' },
    to: { value: 'DAY', about: 'last day (inclusive)' },
    state: { choices: RECONCILED_DAY_STATES, about: 'only in this state' },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async ({ reconciliation }) => {
      const { state = null, account = null } = options;
      const from = options.from === undefined ? null : dayOption(options.from, '--from');
      const to = options.to === undefined ? null : dayOption(options.to, '--to');
      const filter = { account, from, to, state, after: null, limit: MOST_SHOWN };
      const modes = options.mode === undefined ? MODES : [options.mode];
      const days = (await Promise.all(modes.map((mode) => reconciliation.list({ ...filter, mode })))).flat();
      if (days.length === 0)
        terminal.print('No matching day is reconciled. To reconcile one: bin/sliproad reconcile --date DAY');
      else printTable(terminal, [HEADINGS, ...days.map(rowOf)]);
      return { days: days.map(renderReconciledDay) };
    }),
});

export const reconcileCommands: readonly Command[] = [reconcileCommand, showCommand];

const HEADINGS = ['DAY', 'MODE', 'ACCOUNT', 'STATE', 'BOOKS', 'STATEMENT', 'EXPLAINED', 'UNEXPLAINED'];

function rowOf(day: ReconciledDay): string[] {
  return [
    ...[day.day, day.mode, day.account, day.state, formatNaira(day.books.closingMinor)],
    day.statement === null ? '-' : formatNaira(day.statement.closingMinor),
    ...[formatNaira(day.explainedMinor), formatNaira(day.unexplainedMinor)],
  ];
}

type ReconcileAccounts = Awaited<ReturnType<typeof listAccountsToReconcile>>;

async function findAccounts(
  foundation: DescribedFoundation,
  mode: 'live' | 'test' | undefined,
  account: string | undefined,
): Promise<ReconcileAccounts> {
  const modes = mode === undefined ? MODES : [mode];
  const all = await listAccountsToReconcile(foundation, modes);
  if (account === undefined) return all;
  const found = (await Promise.all(modes.map((each) => foundation.reconciliation.accounts(each))))
    .flat()
    .filter((each) => each.account === account);
  if (found.length > 0) return found;
  throw new CommandError(
    `The books have no bank account ${account}. To list them: bin/sliproad naira accounts`,
    'not_found',
  );
}

async function showDays(
  terminal: Terminal,
  { reconciliation }: Pick<DescribedFoundation, 'reconciliation'>,
  accounts: ReconcileAccounts,
  days: readonly string[],
): Promise<Json> {
  const reconciled: Json[] = [];
  let unexplained = 0;
  for (const { mode, account, vendor } of accounts)
    for (const day of days) {
      const found = await reconciliation.find({ mode, account, day });
      if (found === undefined) continue;
      const differences = await reconciliation.differences({ mode, account, day });
      terminal.print(
        `${day}  ${mode}  ${account}${vendor === null ? '' : `  ${vendor}`}: ${STATE_WORDS[found.state]}`,
      );
      printTable(terminal, dayTable(found));
      for (const line of differences.flatMap(differenceLines)) terminal.print(line);
      terminal.print('');
      unexplained += found.unexplained;
      reconciled.push({ day: renderReconciledDay(found), differences: differences.map(renderDifference) });
    }
  if (accounts.length === 0) terminal.print('There is no bank account to reconcile.');
  if (unexplained === 0) return { reconciled };
  throw new CommandError(
    `${countText(unexplained, 'difference is', 'differences are')} unexplained. Each has a case: bin/sliproad cases list`,
    'failed',
    { reconciled },
  );
}

function dayOption(value: string, name: string): string {
  const day = parseDay(value);
  if (day !== undefined) return day;
  throw new UsageError(`${name} must be a day such as 2026-11-16.`);
}
