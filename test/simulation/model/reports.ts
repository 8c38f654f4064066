// Models which source credits a bank account, and the reports of other sources. It keeps the rules that database triggers
// enforce, and answers the reads.
import { accountDetail } from '../../../src/domain/ledger/chart-of-accounts.ts';
import {
  type CreditReport,
  type CreditSource,
  type NewCredit,
  STATEMENTS_SOURCE,
  sessionKeyOf,
} from '../../../src/domain/records/credit.ts';
import { LINK_DAYS, type ReportedCredit, type ReportFacts } from '../../../src/domain/reports/link-report.ts';
import type { Mode } from '../../../src/domain/values/mode.ts';
import { type Journal, putNoted, setNoted, type Write } from './journal.ts';
import { byId, idsIn, plain } from './table.ts';
import { joined, type Memory } from './tables.ts';

const DAY_MS = 86_400_000;

export const sourceOfReport = ({ mode, source, sourceId }: CreditReport) =>
  joined('report', mode, source, sourceId);

/** Credits to one account with the same amount have the same key. */
export const likeOf = (number: string, amountMinor: bigint) => joined(number, amountMinor.toString());

/** Returns the rule that a new credit violates. If the account has no source yet, the credit's source becomes its source. */
export function judgeSource(memory: Memory, credit: NewCredit, journal: Journal): string | null {
  if (credit.parentId !== null) return null;
  const { creditSources, reports, sources } = memory;
  const { mode, source, sourceId, sourceVersion } = credit;
  const name = joined(mode, accountDetail(credit.accountBankCode, credit.accountNumber));
  if (!creditSources.has(name) && source !== STATEMENTS_SOURCE)
    setNoted(journal, creditSources, name, { source, others: false, version: 1 });
  const rule = creditSources.get(name);
  const report = reports.rows.get(sources.get(joined('report', mode, source, sourceId)) ?? '');
  if (report !== undefined && report.state !== 'case' && report.creditId !== credit.id)
    return 'bank_credits_reported';
  if (report === undefined)
    return rule?.source === source && (sourceVersion ?? rule.version) === rule.version
      ? null
      : 'bank_credits_source';
  if (fitsAnother(memory, credit)) return 'bank_credits_counted_once';
  if (rule !== undefined)
    setNoted(journal, creditSources, name, { ...rule, others: true, version: rule.version + 1 });
  return null;
}

function fitsAnother({ credits, reports, groups }: Memory, credit: NewCredit): boolean {
  for (const id of idsIn(groups.likeCredits, likeOf(credit.accountNumber, credit.amountMinor))) {
    const other = credits.rows.get(id)!;
    if (other.mode !== credit.mode || other.source === credit.source) continue;
    if (other.accountBankCode !== credit.accountBankCode) continue;
    if (Math.abs(other.valueAtMs - credit.valueAtMs) > LINK_DAYS * DAY_MS) continue;
    const linked = [...idsIn(groups.reportsOf, id)].map((each) => reports.rows.get(each)!);
    if (!linked.some(({ source, state }) => source === credit.source && state === 'linked')) return true;
  }
  return false;
}

export const addReports: Write = ({ reports, credits: _, sources }, changes, journal) => {
  const rows = changes.flatMap(({ newReports }) => newReports ?? []);
  for (const each of rows.toSorted((a, b) => (sourceOfReport(a) < sourceOfReport(b) ? -1 : 1))) {
    const { mode, source, sourceId, id } = each;
    if (sources.has(joined('credit', mode, source, sourceId))) return 'credit_reports_credited';
    if (each.amountMinor <= 0n) return 'credit_reports_amount_minor_check';
    if (reports.rows.has(id)) return 'credit_reports_pkey';
    if (sources.has(sourceOfReport(each))) return 'credit_reports_once';
    setNoted(journal, sources, sourceOfReport(each), id);
    const fresh = { state: 'waiting', creditId: null, isRepeat: false, version: 1, tries: 0 } as const;
    putNoted(journal, reports, id, { ...each, raw: plain(each.raw ?? {}), ...fresh });
  }
  return null;
};

export const moveReports: Write = ({ reports, groups }, changes, journal) => {
  for (const change of changes) {
    for (const { version, after } of change.reports ?? []) {
      const { id, state, creditId, isRepeat, tries, dueAtMs } = after;
      if (creditId === null && (state === 'linked' || state === 'counted')) return 'credit_reports_sound';
      const next = {
        ...reports.rows.get(id)!,
        ...{ state, creditId, isRepeat, tries, dueAtMs, version: version + 1 },
      };
      const others = creditId === null ? [] : [...idsIn(groups.reportsOf, creditId)];
      const isOne = (each: CreditReport) => each.state === 'linked' && !each.isRepeat;
      if (isOne(next) && others.some((other) => other !== id && isTwin(next, reports.rows.get(other)!)))
        return 'credit_reports_one_each';
      putNoted(journal, reports, id, next);
    }
  }
  return null;
};

function isTwin(one: CreditReport, other: CreditReport): boolean {
  return other.state === 'linked' && !other.isRepeat && other.source === one.source;
}

/** Two people change the source. From then on the other source credits the account. */
export function setSource(
  { creditSources: rules, credits }: Memory,
  mode: Mode,
  account: string,
  source: string,
): boolean {
  const name = joined(mode, account);
  const before = rules.get(name);
  if (before?.source === source) return false;
  const others = [...credits.rows.values()].some(
    (each) =>
      each.mode === mode &&
      each.parentId === null &&
      each.source !== source &&
      accountDetail(each.accountBankCode, each.accountNumber) === account,
  );
  rules.set(name, { source, others, version: (before?.version ?? 0) + 1 });
  return true;
}

export function creditSources(
  memory: Memory,
  mode: Mode,
  accounts: readonly string[],
): Map<string, CreditSource> {
  return new Map(
    accounts.flatMap((account) => {
      const rule = memory.creditSources.get(joined(mode, account));
      return rule === undefined ? [] : [[account, rule] as const];
    }),
  );
}

export function creditsLike(
  memory: Memory,
  reported: readonly (ReportFacts & { readonly id: string })[],
): Map<string, ReportedCredit[]> {
  const found = new Map<string, ReportedCredit[]>();
  const { credits, groups, reports, sessions } = memory;
  for (const each of reported) {
    const key = sessionKeyOf(each);
    const named = key === null ? undefined : sessions.get(joined(each.mode, key));
    const ids = new Set(named === undefined ? [] : [named]);
    for (const id of idsIn(groups.likeCredits, likeOf(each.accountNumber, each.amountMinor))) {
      const { mode, valueAtMs } = credits.rows.get(id)!;
      if (mode === each.mode && Math.abs(valueAtMs - each.valueAtMs) <= LINK_DAYS * DAY_MS) ids.add(id);
    }
    const rows = [...ids].map((id) => credits.rows.get(id)!).sort(byId);
    const reportedBy = (id: string) =>
      [...idsIn(groups.reportsOf, id)]
        .map((other) => reports.rows.get(other)!)
        .filter(({ state, isRepeat }) => state === 'linked' && !isRepeat)
        .map(({ source, sourceId, sessionId }) => ({ source, sourceId, sessionId }))
        .toSorted((a, b) => (a.source < b.source ? -1 : 1));
    if (rows.length > 0)
      found.set(
        each.id,
        rows.map((credit) => ({ credit, reportedBy: reportedBy(credit.id) })),
      );
  }
  return found;
}
