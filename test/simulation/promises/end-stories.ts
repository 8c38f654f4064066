// A customer who paid exactly as requested, and has no other problem, must get what they paid for, despite all faults.
import { parseBankReference } from '../../../src/domain/records/movement.ts';
import type { Transaction } from '../../../src/domain/records/transaction.ts';
import type { Clients } from '../people/clients.ts';
import type { Errand } from '../people/errands.ts';
import { namesakeOf } from '../world/places.ts';
import type { Setting } from '../world/setting.ts';

export function paidAsAsked(setting: Setting, clients: Clients, errands: readonly Errand[]): void {
  const { company, model, outside } = setting;
  for (const errand of errands) {
    const id = clients.accepted.get(errand.reference);
    const transaction = id === undefined ? undefined : model.tables.transactions.get(id);
    if (transaction === undefined || !isPlain(setting, errand, errands)) continue;
    if (wasFrozen(setting, transaction)) continue;
    if (transaction.type === 'buy' && peopleWereFaster(setting, errand)) continue;
    if (wordBroken(setting, transaction)) continue;
    if (transaction.type === 'sell' && (tokensGone(setting, transaction) || sentLate(setting, transaction)))
      continue;
    // After a restore, the books may not contain a payout that the bank refused before the restore. The service then pays it
    // again.
    const refusedByBank = outside.happened.payouts.some(
      ({ about, fate, fault, reference }) =>
        about === transaction.id &&
        fate === 'fails' &&
        fault === 'payout' &&
        model.tables.movements.has(parseBankReference(reference)),
    );
    // The clocks of processes differ. So a payment close to the expiry may or may not count as late.
    const lateByMs = errand.type === 'buy' ? paidAfterMs(setting, errand, transaction) : 0;
    if (errand.type === 'buy' && Math.abs(lateByMs) < SKEW_MS) continue;
    const late = errand.type === 'sell' ? errand.how === 'late' : lateByMs > 0;
    const goesBack =
      refusedByBank || (late && (errand.type === 'sell' || company.policy.lateCredit === 'refund'));
    const fits = goesBack ? wentBack(setting, transaction) : transaction.state === 'completed';
    if (!fits)
      setting.broken(
        'who pays as asked gets what was paid for',
        `${errand.reference} (${errand.how}) as ${transaction.id} is ${transaction.state} ${transaction.exception ?? ''}`,
        transaction.id,
      );
  }
}

const PLAIN: ReadonlySet<string> = new Set(['exact', 'early', 'reported_twice', 'masked', 'late']);

/** Some payments of these kinds come from the account of another person with the same name. */
const FROM_ANOTHER: ReadonlySet<string> = new Set(['masked_namesake', 'by_reference']);

/** The maximum difference between the clocks of two processes. */
const SKEW_MS = 45_000;

/** True if people need not decide: no other errand has an equal claim, and no screening list, limit or cancellation applies. */
function isPlain({ company }: Setting, errand: Errand, errands: readonly Errand[]): boolean {
  if (!PLAIN.has(errand.how) || errand.wallet === null || errand.cancelAfterMs !== null) return false;
  if (company.listedAccounts.has(errand.accountNumber) || company.listedWallets.has(errand.wallet))
    return false;
  if (company.limits.some(({ businessId }) => businessId === company.keys[errand.business]!.business.id))
    return false;
  if (errand.how === 'late' && errand.type === 'sell' && company.policy.lateDeposit !== 'refund')
    return false;
  return errands.every(
    (other) =>
      other === errand ||
      other.type !== errand.type ||
      (other.accountNumber !== errand.accountNumber &&
        other.amountMinor !== errand.amountMinor &&
        // The visible digits of the other payer's account number are the same as those of this account number.
        !(FROM_ANOTHER.has(other.how) && namesakeOf(other.accountNumber) === errand.accountNumber)),
  );
}

function wasFrozen({ model }: Setting, { id }: Transaction): boolean {
  return (model.tables.timeline.get(id) ?? []).some(({ reason }) => reason === 'business_frozen');
}

/** The payment arrived long before the claim, and people have already returned, kept or split it. */
function peopleWereFaster({ model }: Setting, { reference }: Errand): boolean {
  return [...model.tables.credits.values()].some(
    ({ id, sourceId, state }) =>
      sourceId === `pay-${reference}` &&
      (state === 'written_off' ||
        state === 'split' ||
        [...model.tables.proposals.values()].some(({ request }) => request.subjectId === id)),
  );
}

/**
 * The time between the expiry of the transaction and its payment. A business may repeat a request, so the function uses the
 * expiry of the stored transaction.
 */
function paidAfterMs({ outside }: Setting, { reference }: Errand, { expiresAtMs }: Transaction): number {
  const paid = outside.happened.lines.find(
    ({ line }) => line.kind === 'credit' && line.sourceId === `pay-${reference}`,
  );
  return paid?.line.kind === 'credit' ? paid.line.valueAtMs - expiresAtMs : Number.NEGATIVE_INFINITY;
}

/** True if a network removed some of the tokens. The customer of this sell then did not pay as requested. */
function tokensGone({ outside, model }: Setting, { id }: Transaction): boolean {
  const own = [...model.tables.deposits.values()].filter(({ transactionId }) => transactionId === id);
  const gone = new Set(
    outside.happened.arrivals.filter(({ fate }) => fate === 'gone').map(({ txHash }) => txHash),
  );
  return own.some(({ txHash }) => gone.has(txHash));
}

/**
 * Compares the network's own time of the deposit with the expiry, because this time does not depend on the observer. A deposit
 * with an unknown or impossible time also counts as late.
 */
function sentLate({ model }: Setting, { id, createdAtMs, expiresAtMs }: Transaction): boolean {
  return [...model.tables.deposits.values()].some(
    ({ transactionId, chainAtMs }) =>
      transactionId === id && (chainAtMs === null || chainAtMs >= expiresAtMs || chainAtMs < createdAtMs),
  );
}

/** If partial payments add up to the full amount, the transaction must not wait for people. */
export function partsPay({ model, broken }: Setting): void {
  const { transactions, credits } = model.tables;
  for (const { id, type, state, exception, amountMinor, receivedMinor } of transactions.values()) {
    if (type !== 'buy' || state !== 'on_hold' || exception !== 'paid_partial' || receivedMinor > 0n) continue;
    const parts = [...credits.values()].filter(
      (credit) =>
        credit.transactionId === id && credit.state === 'review' && credit.exception === 'paid_partial',
    );
    const sumMinor = parts.reduce((sum, part) => sum + part.amountMinor, 0n);
    if (sumMinor === amountMinor)
      broken('parts that are the whole pay for it', `${id}: ${parts.map((part) => part.id).join()}`, id);
  }
}

function wordBroken({ outside }: Setting, { id }: Transaction): boolean {
  return outside.happened.payouts.some(({ about, word }) => about === id && word !== 'kept');
}

function wentBack({ model }: Setting, { id, state }: Transaction): boolean {
  const refunds = [...model.tables.movements.values()].filter(
    ({ kind, transactionId }) => kind === 'refund' && transactionId === id,
  );
  return state !== 'completed' && refunds.length > 0;
}
