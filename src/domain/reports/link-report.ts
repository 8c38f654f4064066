// Which credit a report of another source is about. A session id that both have decides. Otherwise account, amount, day, payer and
// running balance must not contradict each other, and a credit has one report of each source.
import { compareNames, type ReadName, readName } from '../matching/name-match.ts';
import { compareAccounts, compareBanks } from '../matching/payer.ts';
import { type BankCredit, type CreditReport, sessionKeyOf } from '../records/credit.ts';
import { isErased } from '../values/erased.ts';

/** The facts of a report, stored or not. */
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

/** A credit, and the report about it that each of the other sources has, if it has one. */
export interface ReportedCredit {
  readonly credit: BankCredit;
  readonly reportedBy: readonly Pick<CreditReport, 'source' | 'sourceId' | 'sessionId'>[];
}

export type Disagreement = 'account' | 'amount' | 'payer';

export type LinkDecision =
  | { readonly kind: 'linked'; readonly creditId: string; readonly isRepeat: boolean }
  /** Its session id says so, and a report of the same source without it has been taken for it: that one is about something else. */
  | { readonly kind: 'displaces'; readonly creditId: string; readonly sourceId: string }
  /** The two may be the same: nothing contradicts it, and only account, amount and day support it. */
  | { readonly kind: 'alike'; readonly creditId: string }
  /** One transfer by its session id, and two stories about it. */
  | { readonly kind: 'disagree'; readonly creditId: string; readonly on: Disagreement }
  | { readonly kind: 'none' };

const DAY_MS = 86_400_000;
/** A value date may be the next banking day, and a report of a date has no hour. */
export const LINK_DAYS = 4;

export function linkReport(reported: ReportFacts, known: readonly ReportedCredit[]): LinkDecision {
  const report = readFacts(reported);
  const credits = known.map((each) => ({ ...each, credit: readFacts(each.credit) }));
  const key = sessionKeyOf(report);
  const named = key === null ? undefined : credits.find(({ credit }) => sessionKeyOf(credit) === key);
  if (named !== undefined) {
    const on = disagreement(report, named.credit);
    return on === null ? placeOf(report, named) : { kind: 'disagree', creditId: named.credit.id, on };
  }
  const [best] = credits
    .filter((each) => mayBe(report, each))
    .map(({ credit }) => ({ credit, weight: weigh(report, credit) }))
    .sort((a, b) => b.weight - a.weight || oldestFirst(a.credit, b.credit));
  if (best === undefined) return { kind: 'none' };
  const { credit, weight } = best;
  return weight >= PAYER_AGREES
    ? { kind: 'linked', creditId: credit.id, isRepeat: false }
    : { kind: 'alike', creditId: credit.id };
}

/** Facts with the payer's name parsed once. */
type Read<Facts> = Facts & { readonly payer: ReadName };

/** What was erased says nothing any more: neither that they are the same, nor that they differ. */
function readFacts<Facts extends Pick<ReportFacts, 'payerAccount' | 'payerName' | 'narration'>>(
  facts: Facts,
): Read<Facts> {
  const left = (text: string | null) => (isErased(text) ? null : text);
  const { payerAccount, payerName, narration } = facts;
  return {
    ...{ ...facts, payerAccount: left(payerAccount), narration: left(narration) },
    payer: readName(payerName),
  };
}

/** A credit has one report of each source. Of its own source that is the line it was made of. */
function placeOf({ source, sessionId }: ReportFacts, { credit, reportedBy }: ReportedCredit): LinkDecision {
  const holder = reportedBy.find((each) => each.source === source);
  const { id: creditId } = credit;
  if (holder !== undefined && holder.sessionId !== sessionId)
    return { kind: 'displaces', creditId, sourceId: holder.sourceId };
  return { kind: 'linked', creditId, isRepeat: holder !== undefined || credit.source === source };
}

function disagreement(report: Read<ReportFacts>, credit: Read<BankCredit>): Disagreement | null {
  if (!sameAccount(report, credit)) return 'account';
  if (report.amountMinor !== credit.amountMinor) return 'amount';
  return payerDiffers(report, credit) ? 'payer' : null;
}

/** A report that names no business, such as a row of a statement file, may be about a payment that a tester made. */
function mayBe(
  report: Read<ReportFacts>,
  { credit, reportedBy }: ReportedCredit & { readonly credit: Read<BankCredit> },
): boolean {
  const { sessionId, balanceMinor, valueAtMs } = report;
  const otherSession = sessionId !== null && credit.sessionId !== null && sessionId !== credit.sessionId;
  const otherBalance =
    balanceMinor !== null && credit.balanceMinor !== null && balanceMinor !== credit.balanceMinor;
  return (
    credit.source !== report.source &&
    !reportedBy.some((each) => each.source === report.source) &&
    (report.businessId === null || credit.businessId === report.businessId) &&
    sameAccount(report, credit) &&
    credit.amountMinor === report.amountMinor &&
    Math.abs(credit.valueAtMs - valueAtMs) <= LINK_DAYS * DAY_MS &&
    !otherSession &&
    !otherBalance &&
    !payerDiffers(report, credit)
  );
}

/** A source that does not name the bank says nothing against it. */
function sameAccount(report: ReportFacts, credit: BankCredit): boolean {
  if (report.accountNumber !== credit.accountNumber) return false;
  const [said, known] = [report.accountBankCode, credit.accountBankCode];
  return said === null || known === null || said === known;
}

type Payer = Pick<Read<ReportFacts>, 'payerAccount' | 'payer' | 'payerBankCode'>;

function payerDiffers(one: Payer, other: Payer): boolean {
  return (
    accountsOf(one, other) === 'different' ||
    namesOf(one, other) === 'different' ||
    compareBanks(one.payerBankCode, other.payerBankCode) === 'different'
  );
}

/** A masked number that fits agrees. */
function accountsOf(one: Payer, other: Payer): 'equal' | 'different' | 'unknown' {
  const [a, b] = [one.payerAccount, other.payerAccount];
  if (a === null || b === null) return 'unknown';
  const link = WHOLE.test(b) ? compareAccounts(a, b) : WHOLE.test(a) ? compareAccounts(b, a) : masked(a, b);
  return link === 'suffix' ? 'equal' : link;
}

const WHOLE = /^[0-9]{10}$/;

/** Two masked numbers: as many digits at the end as both show. */
function masked(a: string, b: string): 'equal' | 'different' | 'unknown' {
  const [left, right] = [endOf(a), endOf(b)];
  const length = Math.min(left.length, right.length);
  if (length < 3) return 'unknown';
  return left.slice(-length) === right.slice(-length) ? 'equal' : 'different';
}

function endOf(account: string): string {
  return /[0-9]+$/.exec(account.replace(/[\s-]/g, ''))?.[0] ?? '';
}

function namesOf({ payer: one }: Payer, { payer: other }: Payer): 'equal' | 'different' | 'unknown' {
  if (!one.isGiven || !other.isGiven) return 'unknown';
  const { verdict } = compareNames(one, other);
  return verdict === 'strong' ? 'equal' : verdict === 'different' ? 'different' : 'unknown';
}

/** The weight from which more than account, amount and day agrees. */
const PAYER_AGREES = 4;

function weigh(report: Read<ReportFacts>, credit: Read<BankCredit>): number {
  const sameBalance = report.balanceMinor !== null && report.balanceMinor === credit.balanceMinor;
  const sameWords = plain(report.narration) !== '' && plain(report.narration) === plain(credit.narration);
  return (
    (accountsOf(report, credit) === 'equal' ? 8 : 0) +
    (namesOf(report, credit) === 'equal' ? 8 : 0) +
    (sameBalance ? 8 : 0) +
    (sameWords ? 4 : 0) +
    (Math.abs(report.valueAtMs - credit.valueAtMs) <= DAY_MS ? 1 : 0)
  );
}

function plain(narration: string | null): string {
  return (narration ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
}

function oldestFirst(a: BankCredit, b: BankCredit): number {
  return a.valueAtMs - b.valueAtMs || (a.id < b.id ? -1 : 1);
}
