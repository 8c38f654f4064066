// The command-line commands for matching: backtests with another version of the rules, and the limit on unpaid buys.
import {
  type Backtest,
  type BacktestDifference,
  type BacktestOutcome,
  backtestRules,
} from '../../app/matching/backtest-rules.ts';
import { CURRENT_MATCHING_RULES, MATCHING_RULE_VERSIONS } from '../../domain/matching/rules.ts';
import { parseInstant } from '../../domain/values/calendar.ts';
import { MODES } from '../../domain/values/mode.ts';
import {
  type Command,
  defineCommand,
  isoTimeText,
  MODE,
  printTable,
  REQUIRED_MODE,
  type Terminal,
} from '../command.ts';
import { CommandError, UsageError } from '../terminal/command-error.ts';
import { toJson } from '../terminal/json.ts';
import { requestSettingChange } from './decision-words.ts';

const MOST_LISTED = 1_000;

const backtestCommand = defineCommand({
  name: 'matching backtest',
  summary:
    'Match stored credits again with another version of the rules and the claims of that time, and show the differences. Changes nothing.',
  options: {
    rules: {
      value: 'NUMBER',
      needed: true,
      about: `the version to compare with: ${MATCHING_RULE_VERSIONS.join(', ')}; the current one is ${CURRENT_MATCHING_RULES.version}`,
    },
    mode: MODE,
    from: { value: 'DATE', about: 'credits received at or after this day, for example 2026-11-01' },
    to: { value: 'DATE', about: 'credits received before this day' },
  },
  run: (terminal, { options }) =>
    terminal.withFoundation(async ({ matchHistory, banks: directory, clock }) => {
      const { policies } = terminal.config;
      const listed: BacktestDifference[] = [];
      const asked = {
        version: versionOption(options.rules),
        mode: options.mode,
        fromMs: timeOption(options.from, '--from') ?? 0,
        toMs: timeOption(options.to, '--to') ?? clock.now() + 1,
      };
      const result = await backtestRules({ matchHistory, policies, directory }, asked, {
        difference: (found) => {
          if (listed.length < MOST_LISTED) listed.push(found);
        },
        page: (credits) => terminal.note(`${credits} credits matched again`),
      });
      if (!result.ok) {
        const { code, message } = result.error;
        throw code === 'unavailable' ? new CommandError(message, 'unreachable') : new UsageError(message);
      }
      printBacktest(terminal, result.value, listed);
      return toJson({ ...result.value, listed });
    }),
});

function printBacktest(
  terminal: Terminal,
  { version, currentVersion, ...found }: Backtest,
  listed: readonly BacktestDifference[],
) {
  terminal.print(
    `${found.credits} credits; version ${version} decides ${found.differences} of them differently from version ${currentVersion}. ` +
      `For ${found.replayed} credits, the rules of that time give the recorded decision again.`,
  );
  if (found.unknown > 0)
    terminal.print(
      `${found.unknown} credits were decided with a version of the rules that this installation does not have.`,
    );
  if (found.differences === 0) return;
  const counts = found.kinds.map(({ before, now, count }) => [before, now, String(count)]);
  printTable(terminal, [[`VERSION ${version}`, `VERSION ${currentVersion}`, 'CREDITS'], ...counts]);
  terminal.print('');
  const rows = listed.map((each) => [
    ...[each.creditId, each.mode, isoTimeText(each.decidedAtMs)],
    ...[outcomeText(each.recorded), outcomeText(each.before), outcomeText(each.now)],
  ]);
  const head = ['CREDIT', 'MODE', 'DECIDED', 'RECORDED', `VERSION ${version}`, `VERSION ${currentVersion}`];
  printTable(terminal, [head, ...rows]);
  const left = found.differences - listed.length;
  if (left > 0) terminal.print(`${left} more are counted above but not listed: choose a shorter period.`);
}

function outcomeText({ kind, transactionIds }: BacktestOutcome): string {
  return [kind, ...transactionIds.slice(0, 3), ...(transactionIds.length > 3 ? ['…'] : [])].join(' ');
}

function versionOption(value: string): number {
  if (/^[0-9]{1,6}$/.test(value)) return Number(value);
  throw new UsageError('--rules must be a version number, for example 1.');
}

function timeOption(value: string | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  const timeMs = parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T00:00:00+01:00` : value);
  if (timeMs !== undefined) return timeMs;
  throw new UsageError(`${name} must be a day such as 2026-11-01, or a time such as 2026-11-01T08:00:00Z.`);
}

const limitsCommand = defineCommand({
  name: 'matching limits',
  summary: 'List the businesses at or above half their limit of unpaid buys.',
  options: { mode: MODE },
  run: (terminal, { options: { mode } }) =>
    terminal.withFoundation(async ({ claimLimits, clock }) => {
      const { most, windowMs } = terminal.config.unmatchedClaims;
      const hours = windowMs / 3_600_000;
      const modes = mode === undefined ? MODES : [mode];
      const found = await Promise.all(
        modes.map(async (each) =>
          (await claimLimits.nearLimit(each, clock.now())).map((row) => ({ mode: each, ...row })),
        ),
      );
      const rows = found.flat();
      terminal.print(most === 0 ? 'There is no limit.' : `The limit is ${most} in ${hours} hours.`);
      if (rows.length > 0)
        printTable(terminal, [
          ['BUSINESS', 'MODE', 'UNPAID BUYS'],
          ...rows.map(({ businessId, mode: of, count }) => [businessId, of, String(count)]),
        ]);
      return toJson({ most, hours, businesses: rows });
    }),
});

const liftCommand = defineCommand({
  name: 'matching lift-limit',
  summary:
    'Reset the count of unpaid buys of a business, so that it can buy again. In live mode another person must approve.',
  options: {
    business: { value: 'ID', needed: true, about: 'the business' },
    mode: REQUIRED_MODE,
    reason: { value: 'TEXT', needed: true, about: 'the reason, which is recorded' },
  },
  run: (terminal, { options: { business: businessId, mode, reason } }) =>
    terminal.withFoundation(async (foundation) => {
      const request = { setting: 'claim_limit_lifted', businessId, mode, reason } as const;
      const { write, json } = await requestSettingChange(terminal, foundation, request);
      if (write !== undefined) terminal.print(`${businessId} can buy again in ${mode} mode.`);
      return json;
    }),
});

export const matchingCommands: readonly Command[] = [backtestCommand, limitsCommand, liftCommand];
