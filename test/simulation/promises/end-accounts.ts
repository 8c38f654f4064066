// Computes the expected balance of each ledger account when all work is finished. A record must explain every kobo of a
// balance.
import type { LedgerAccountName } from '../../../src/domain/ledger/chart-of-accounts.ts';
import { REFUND_DECIDED } from '../../../src/domain/records/exceptions.ts';
import type { Movement } from '../../../src/domain/records/movement.ts';
import { NAIRA, tokenAsset } from '../../../src/domain/values/money.ts';
import type { CaseInReview } from '../../../src/ports/review-store.ts';
import type { Setting } from '../world/setting.ts';
import { balanceOf } from './end-books.ts';

export function everyKoboIsExplained(setting: Setting): void {
  const { tables } = setting.model;
  const stands = (asset: string, name: LedgerAccountName, wanted: bigint) => {
    const balance = -balanceOf(setting, asset, name);
    if (balance !== wanted)
      setting.broken(
        'every kobo is explained',
        `${asset} ${name}: ${balance}, and ${wanted} by the records`,
        null,
      );
  };
  const transactions = [...tables.transactions.values()];
  const credits = [...tables.credits.values()];
  const deposits = [...tables.deposits.values()];
  const movements = [...tables.movements.values()];

  const undecided = credits.filter(({ state }) => state === 'unmatched' || state === 'review');
  stands(NAIRA, 'suspense', total(undecided));
  const holding = transactions.filter(
    ({ type, state, exception }) => type === 'buy' && state === 'on_hold' && exception !== REFUND_DECIDED,
  );
  stands(NAIRA, 'owed', sum(holding.map(({ receivedMinor }) => receivedMinor)));
  const applied = new Set(deposits.flatMap((each) => (each.state === 'applied' ? each.transactionId! : [])));
  const openOf = (kind: CaseInReview['kind']) =>
    [...tables.cases.values()].filter((each) => each.kind === kind);
  const back = openOf('payout_returned').flatMap(({ id, movementId }) => {
    const payout = movementId && tables.movements.get(movementId);
    if (!payout) setting.broken('every kobo is explained', `${id} is about no payout`, null);
    return payout || [];
  });
  const returned = new Set(back.flatMap((each) => (each.kind === 'payout' ? each.transactionId : [])));
  // When all work is finished, a transaction is still `paying_out` only if people ordered its payout and its business is
  // frozen.
  const promised = transactions.filter(
    ({ id, state }) =>
      (state === 'on_hold' || state === 'paying_out') && applied.has(id) && !returned.has(id),
  );
  stands(NAIRA, 'payouts_due', total(promised));
  const dueBack = movements.filter(isDueBack);
  const byBank = dueBack.filter(({ network }) => network === null);
  stands(NAIRA, 'refunds_due', total(byBank));
  const earned = transactions.filter(({ id, state }) => state === 'completed' || returned.has(id));
  stands(NAIRA, 'fees', sum(earned.map(({ feeMinor }) => feeMinor)));
  stands(NAIRA, 'recoveries', total(openOf('payout_returned')));
  stands(NAIRA, 'overpaid', -total(openOf('payout_paid_late')));
  for (const { name, asset } of setting.outside.networks) {
    const token = tokenAsset(asset.code, name);
    const unit = 10n ** BigInt(asset.decimals - 2);
    const kept = deposits.filter(
      (each) => each.network === name && each.state === 'suspense' && each.exception !== 'wrong_token',
    );
    stands(token, 'suspense', sum(kept.map(({ amountMinor }) => amountMinor - (amountMinor % unit))));
    const takenOut = movements.filter(
      (each) => each.kind === 'withdrawal' && each.network === name && each.state === 'done',
    );
    stands(token, 'withdrawn', -total(takenOut));
    stands(token, 'refunds_due', total(dueBack.filter(({ network }) => network === name)));
  }
}

/** A refund is due if it is pending, or if it failed and no person replaced or cancelled it. */
function isDueBack({ kind, state, reason }: Movement): boolean {
  if (kind !== 'refund') return false;
  if (state === 'pending') return true;
  return state === 'failed' && !reason?.startsWith('replaced by ') && reason !== 'credit_reversed';
}

function total(records: readonly { readonly amountMinor: bigint }[]): bigint {
  return sum(records.map(({ amountMinor }) => amountMinor));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((so, amount) => so + amount, 0n);
}
