// Finds the credit that a report of another source describes. If both have a session id, the session id decides. Otherwise
// account, amount, day, payer and running balance must not contradict each other. A credit has at most one report of each
// source.
import { compareNames, type ParsedName, parseName } from '../matching/name-match.ts';
import { compareAccounts, compareBanks } from '../matching/payer.ts';
import { type BankCredit, type CreditReport, sessionKeyOf } from '../records/credit.ts';
import { isErased } from '../values/erased.ts';
import { areOtherSessions } from '../values/session-id.ts';

export type ReportFacts = Pick<
  CreditReport,
  | 'mode'
  | 'source'
  | 'businessId'
  | 'accountNumber'
  | 'accountBankCode'
  | 'amountMinor'
  | 'payerAccount'
  | 'payerName'
  | 'payerBankCode'
  | 'narration'
  | 'sessionId'
  | 'balanceMinor'
  | 'valueAtMs'
>;

export interface ReportedCredit {
  readonly credit: BankCredit;
  readonly reportedBy: readonly Pick<CreditReport, 'source' | 'sourceId' | 'sessionId'>[];
}

export type ReportDisagreement = 'account' | 'amount' | 'payer';

export type LinkDecision =
  | { readonly kind: 'linked'; readonly creditId: string; readonly isRepeat: boolean }
  /**
   * The session id proves the link. The same source has already linked an earlier report without a session id to the credit,
   * and that earlier report describes another transfer.
   */
  | { readonly kind: 'displaces'; readonly creditId: string; readonly sourceId: string }
  /**
   * The report and the credit may be the same transfer. Nothing contradicts this, but only account, amount and day support it.
   */
  | { readonly kind: 'alike'; readonly creditId: string }
  /** The report and the credit have the same session id, but other facts contradict each other. */
  | { readonly kind: 'disagree'; readonly creditId: string; readonly on: ReportDisagreement }
  | { readonly kind: 'none' };

const DAY_MS = 86_400_000;
/**
 * The report and the credit may be some days apart. A value date may be the next banking day, and a report with only a date has
 * no hour.
 */
export const LINK_DAYS = 4;

export function linkReport(reported: ReportFacts, known: readonly ReportedCredit[]): LinkDecision {
  const report = parsePayer(reported);
  const credits = known.map((each) => ({ ...each, credit: parsePayer(each.credit) }));
  const key = sessionKeyOf(report);
  const named = key === null ? undefined : credits.find(({ credit }) => sessionKeyOf(credit) === key);
  if (named !== undefined) {
    const on = findDisagreement(report, named.credit);
    return on === null ? decideLink(report, named) : { kind: 'disagree', creditId: named.credit.id, on };
  }
  const [best] = credits
    .filter((each) => mayBeSameTransfer(report, each))
    .map(({ credit }) => ({ credit, weight: weighLink(report, credit) }))
    .sort((a, b) => b.weight - a.weight || oldestFirst(a.credit, b.credit));
  if (best === undefined) return { kind: 'none' };
  const { credit, weight } = best;
  return weight >= MIN_LINK_WEIGHT
    ? { kind: 'linked', creditId: credit.id, isRepeat: false }
    : { kind: 'alike', creditId: credit.id };
}

type WithParsedPayer<Facts> = Facts & { readonly payer: ParsedName };

/** An erased value counts as unknown: it neither agrees nor differs. */
function parsePayer<Facts extends Pick<ReportFacts, 'payerAccount' | 'payerName' | 'narration'>>(
  facts: Facts,
): WithParsedPayer<Facts> {
  const left = (text: string | null) => (isErased(text) ? null : text);
  const { payerAccount, payerName, narration } = facts;
  return {
    ...{ ...facts, payerAccount: left(payerAccount), narration: left(narration) },
    payer: parseName(payerName),
  };
}

/** A credit has one report of each source. The report of the credit's own source is the line that the credit was made from. */
function decideLink(
  { source, sessionId }: ReportFacts,
  { credit, reportedBy }: ReportedCredit,
): LinkDecision {
  const holder = reportedBy.find((each) => each.source === source);
  const { id: creditId } = credit;
  if (holder !== undefined && holder.sessionId !== sessionId)
    return { kind: 'displaces', creditId, sourceId: holder.sourceId };
  return { kind: 'linked', creditId, isRepeat: holder !== undefined || credit.source === source };
}

function findDisagreement(
  report: WithParsedPayer<ReportFacts>,
  credit: WithParsedPayer<BankCredit>,
): ReportDisagreement | null {
  if (!isSameAccount(report, credit)) return 'account';
  if (report.amountMinor !== credit.amountMinor) return 'amount';
  return isOtherPayer(report, credit) ? 'payer' : null;
}

/** A report that names no business, such as a row of a statement file, may describe a payment by a tester. */
function mayBeSameTransfer(
  report: WithParsedPayer<ReportFacts>,
  { credit, reportedBy }: ReportedCredit & { readonly credit: WithParsedPayer<BankCredit> },
): boolean {
  const { sessionId, balanceMinor, valueAtMs } = report;
  const otherSession = areOtherSessions(sessionId, credit.sessionId);
  const otherBalance =
    balanceMinor !== null && credit.balanceMinor !== null && balanceMinor !== credit.balanceMinor;
  return (
    credit.source !== report.source &&
    !reportedBy.some((each) => each.source === report.source) &&
    (report.businessId === null || credit.businessId === report.businessId) &&
    isSameAccount(report, credit) &&
    credit.amountMinor === report.amountMinor &&
    Math.abs(credit.valueAtMs - valueAtMs) <= LINK_DAYS * DAY_MS &&
    !otherSession &&
    !otherBalance &&
    !isOtherPayer(report, credit)
  );
}

/** A source that names no bank does not contradict the bank of the credit. */
function isSameAccount(report: ReportFacts, credit: BankCredit): boolean {
  if (report.accountNumber !== credit.accountNumber) return false;
  const [said, known] = [report.accountBankCode, credit.accountBankCode];
  return said === null || known === null || said === known;
}

type PayerFacts = Pick<WithParsedPayer<ReportFacts>, 'payerAccount' | 'payer' | 'payerBankCode'>;

function isOtherPayer(one: PayerFacts, other: PayerFacts): boolean {
  return (
    comparePayerAccounts(one, other) === 'different' ||
    comparePayerNames(one, other) === 'different' ||
    compareBanks(one.payerBankCode, other.payerBankCode) === 'different'
  );
}

function comparePayerAccounts(one: PayerFacts, other: PayerFacts): 'equal' | 'different' | 'unknown' {
  const [a, b] = [one.payerAccount, other.payerAccount];
  if (a === null || b === null) return 'unknown';
  const link = FULL_NUMBER.test(b)
    ? compareAccounts(a, b)
    : FULL_NUMBER.test(a)
      ? compareAccounts(b, a)
      : compareMaskedNumbers(a, b);
  return link === 'suffix' ? 'equal' : link;
}

const FULL_NUMBER = /^[0-9]{10}$/;

function compareMaskedNumbers(a: string, b: string): 'equal' | 'different' | 'unknown' {
  const [left, right] = [findTrailingDigits(a), findTrailingDigits(b)];
  const length = Math.min(left.length, right.length);
  if (length < 3) return 'unknown';
  return left.slice(-length) === right.slice(-length) ? 'equal' : 'different';
}

function findTrailingDigits(account: string): string {
  return /(?<![0-9])[0-9]+$/.exec(account.replace(/[\s-]/g, ''))?.[0] ?? '';
}

function comparePayerNames(
  { payer: one }: PayerFacts,
  { payer: other }: PayerFacts,
): 'equal' | 'different' | 'unknown' {
  if (!one.isGiven || !other.isGiven) return 'unknown';
  const { verdict } = compareNames(one, other);
  return verdict === 'strong' ? 'equal' : verdict === 'different' ? 'different' : 'unknown';
}

/** The minimum weight of a link. Account, amount and day alone do not reach it. */
const MIN_LINK_WEIGHT = 4;

function weighLink(report: WithParsedPayer<ReportFacts>, credit: WithParsedPayer<BankCredit>): number {
  const sameBalance = report.balanceMinor !== null && report.balanceMinor === credit.balanceMinor;
  const sameWords =
    normaliseWords(report.narration) !== '' &&
    normaliseWords(report.narration) === normaliseWords(credit.narration);
  return (
    (comparePayerAccounts(report, credit) === 'equal' ? 8 : 0) +
    (comparePayerNames(report, credit) === 'equal' ? 8 : 0) +
    (sameBalance ? 8 : 0) +
    (sameWords ? 4 : 0) +
    (Math.abs(report.valueAtMs - credit.valueAtMs) <= DAY_MS ? 1 : 0)
  );
}

function normaliseWords(narration: string | null): string {
  return (narration ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
}

function oldestFirst(a: BankCredit, b: BankCredit): number {
  return a.valueAtMs - b.valueAtMs || (a.id < b.id ? -1 : 1);
}
