// Compares the service's books with the books of the outside world: the tokens on the networks, the naira at the banks, and
// every payment by its id.
import { payoutAccountOf } from '../../../src/app/movements/payouts/choose-rail.ts';
import {
  type LedgerAccountName,
  ledgerKey,
  parseLedgerKey,
} from '../../../src/domain/ledger/chart-of-accounts.ts';
import { parseBankReference } from '../../../src/domain/records/movement.ts';
import type { BankNotice, NoticeKind } from '../../../src/domain/records/notice.ts';
import { NAIRA, tokenAsset } from '../../../src/domain/values/money.ts';
import { MODE } from '../people/company.ts';
import { transferOf } from '../people/second-source.ts';
import { isMade, type PaidRow } from '../world/rails/options.ts';
import type { Setting } from '../world/setting.ts';
import { countedMinor } from './reports.ts';
import type { Watch } from './watch.ts';

export function balanceOf({ model }: Setting, asset: string, name: LedgerAccountName): bigint {
  return model.tables.accounts.get(ledgerKey(MODE, asset, name)) ?? 0n;
}

export async function booksAreTheWorld(setting: Setting, watch: Watch): Promise<void> {
  const { outside, model, agenda } = setting;
  const { tables } = model;
  const equal = (what: string, ours: bigint, theirs: bigint) => {
    if (ours !== theirs)
      setting.broken(
        'the books agree with the outside world',
        `${what}: ${ours} here, ${theirs} there`,
        null,
      );
  };
  for (const { name, asset } of outside.networks) {
    const token = tokenAsset(asset.code, name);
    const funded = -balanceOf(setting, token, 'capital');
    const settled = await outside.world.settledMinor(name, agenda.now());
    equal(`tokens on ${name}`, balanceOf(setting, token, 'treasury'), funded + settled.in - settled.out);
  }
  const once = new Map(
    outside.happened.lines.map(({ line, rail }) => [`${rail} ${line.kind} ${line.sourceId}`, line]),
  );
  let cameIn = countedMinor(setting);
  const gone = new Set<string>();
  for (const line of once.values()) {
    if (line.kind === 'credit' && transferOf(line.sourceId) === line.sourceId) cameIn += line.amountMinor;
    // A reversal takes money only once, however often the bank reports it and under whatever ids.
    if (line.kind !== 'credit_reversed' || gone.has(line.about)) continue;
    if (booked(setting, ({ sourceId }) => sourceId === line.sourceId) === undefined) continue;
    gone.add(line.about);
    cameIn -= line.amountMinor;
  }
  let bankIn = 0n;
  for (const [account, balance] of tables.accounts)
    if (parseLedgerKey(account).name === 'bank_in') bankIn += balance;
  equal('naira that came in', bankIn, cameIn);
  for (const rail of outside.rails) {
    const account = ledgerKey(MODE, NAIRA, 'bank_out', payoutAccountOf(rail));
    const theirs =
      rail.balanceMinor() +
      unbookedMinor(setting, rail.name) +
      unchargedMinor(setting, rail.name) +
      recoveredMinor(setting, account);
    equal(`naira at ${rail.name}`, tables.accounts.get(account) ?? 0n, theirs);
  }
  whatIsDoneWasPaid(setting, watch);
}

/**
 * By the banks' own books, each payout must be paid exactly once. If a rail contradicted itself and paid again, a case must
 * contain the additional payment.
 */
function whatIsDoneWasPaid(setting: Setting, watch: Watch): void {
  const { cases, closedCases, movements } = setting.model.tables;
  const { payouts, returned, late } = setting.outside.happened;
  const counts = [
    ...cases.values(),
    ...[...closedCases.values()].filter(({ outcome }) => outcome !== 'counted'),
  ];
  for (const { id, network, state, nairaMinor } of movements.values()) {
    const of = (rows: readonly PaidRow[]) =>
      rows.filter(({ reference }) => parseBankReference(reference) === id);
    const leftMinor = total(of(payouts.filter(isMade))) + total(of(late)) - total(of(returned));
    const unbooked = of(late).some((row) => unbookedOf(setting, 'payout_paid_late', row) !== 0n);
    const besides = counts.filter(({ kind, movementId }) => kind === 'payout_paid_late' && movementId === id);
    const isRight =
      network !== null
        ? (state === 'done') === watch.paid.has(id)
        : unbooked || leftMinor === (state === 'done' ? nairaMinor : 0n) + total(besides);
    if (!isRight) setting.broken('what is done is what was paid', `${id} is ${state}: ${leftMinor} left`, id);
  }
}

/**
 * The amounts that a rail moved after a payout had ended, and that the books do not contain yet. People review these amounts
 * before they book them, and may book another amount.
 */
function unbookedMinor(setting: Setting, rail: string): bigint {
  const { returned, late } = setting.outside.happened;
  const sum = (kind: NoticeKind, rows: readonly PaidRow[]) =>
    rows.reduce((minor, row) => minor + (row.rail === rail ? unbookedOf(setting, kind, row) : 0n), 0n);
  return sum('payout_paid_late', late) - sum('payout_returned', returned);
}

/** The rail's charges for payouts that people recorded as paid. People post these charges when the bank statement arrives. */
function unchargedMinor({ model, outside }: Setting, rail: string): bigint {
  const recorded = [...model.tables.attempts.values()]
    .flat()
    .filter(({ state, evidence }) => state === 'landed' && evidence?.recorded_by !== undefined);
  return outside.happened.payouts
    .filter(
      (row) =>
        row.rail === rail && recorded.some((each) => each.rail === rail && each.reference === row.reference),
    )
    .reduce((minor, { chargeMinor }) => minor + chargeMinor, 0n);
}

/**
 * Returns the part of the amount that the books do not contain. A notice about the payout must exist. It waits for people, or
 * people have booked or closed it.
 */
function unbookedOf(setting: Setting, kind: NoticeKind, row: PaidRow): bigint {
  if (wasNeverFailed(setting, row)) return 0n;
  const { rail, reference, amountMinor, chargeMinor, word } = row;
  const isMeant = (each: BankNotice) =>
    each.source === rail && each.kind === kind && each.about === reference;
  const { notices } = setting.model.tables;
  if (![...notices.values()].some(isMeant))
    setting.broken('what a rail does later is known', `${kind}: ${reference}`, parseBankReference(reference));
  const known = booked(setting, isMeant);
  // A movement has only one case of this kind. If its rail contradicts itself a second time, people see only the notice.
  const isOnly = setting.outside.happened.late.filter(isOfMovement(reference)).length === 1;
  if (kind === 'payout_paid_late' && known === undefined && isOnly)
    setting.broken('what a rail pays late is booked', reference, parseBankReference(reference));
  // If the rail refused a payout first and paid it later, it charges the payout when it pays. The books then get the charge
  // together with the payout.
  const isCharged = kind === 'payout_paid_late' && word === 'failed_then_paid' && known === undefined;
  return amountMinor - (known?.amountMinor ?? 0n) + (isCharged ? chargeMinor : 0n);
}

/** True if no response of the rail reported a failure: for the service, the rail paid on time. */
function wasNeverFailed({ model }: Setting, { rail, reference, word }: PaidRow): boolean {
  const attempts = model.tables.attempts.get(parseBankReference(reference)) ?? [];
  return (
    word === 'failed_then_paid' &&
    attempts.some((each) => each.rail === rail && each.reference === reference && each.state === 'landed')
  );
}

function recoveredMinor({ model }: Setting, account: string): bigint {
  const postings = model.tables.entries
    .filter(({ event }) => event === 'overpayment_recovered' || event === 'loss_recovered')
    .flatMap((entry) => entry.postings.filter((posting) => posting.account === account));
  return postings.reduce((minor, { amountMinor }) => minor + amountMinor, 0n);
}

/** Notices that wait for people are not in the books yet, and dismissed notices never will be. */
function booked({ model }: Setting, isMeant: (notice: BankNotice) => boolean): BankNotice | undefined {
  const { notices, proposals } = model.tables;
  const isDismissed = ({ id }: BankNotice) =>
    [...proposals.values()].some(
      ({ request, decision }) =>
        request.action === 'dismiss' && request.subjectId === id && decision?.approved === true,
    );
  return [...notices.values()].find(
    (notice) => notice.state === 'done' && isMeant(notice) && !isDismissed(notice),
  );
}

function isOfMovement(reference: string): (row: PaidRow) => boolean {
  return (row) => parseBankReference(row.reference) === parseBankReference(reference);
}

function total(records: readonly { readonly amountMinor: bigint }[]): bigint {
  return records.reduce((minor, { amountMinor }) => minor + amountMinor, 0n);
}
