// Checks the operator's withdrawals. Each approval of two people moves exactly the approved amount once, and never tokens that
// belong to another owner.
import { type LedgerAccountName, ledgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import type { Movement } from '../../../src/domain/records/movement.ts';
import type { Tables } from '../model/tables.ts';

export function makeWithdrawalWatch({
  tables,
  broken,
}: {
  readonly tables: () => Tables;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}): (change: Change) => void {
  const agreed = (movement: Movement, { decision }: Change) => {
    const request = tables().proposals.get(decision?.proposalId ?? '')?.request;
    const { id, network, destination, nairaMinor } = movement;
    const said =
      decision?.approved === true &&
      request?.action === 'withdraw' &&
      request.subjectId === id &&
      request.detail.network === network &&
      request.detail.nairaMinor === nairaMinor &&
      destination !== null &&
      'address' in destination &&
      destination.address === request.detail.address;
    if (!said) broken('what is taken out is what two people said', id, id);
  };
  const ours = ({ id, mode, asset, amountMinor }: Movement) => {
    const on = (name: LedgerAccountName) => {
      const balance = tables().accounts.get(ledgerKey(mode, asset, name)) ?? 0n;
      return balance < 0n ? -balance : balance;
    };
    // This check runs after the withdrawal was written, so the withdrawn amount is already reserved.
    const leftMinor = on('treasury') - on('suspense') - on('refunds_due') - on('dust');
    if (leftMinor < 0n)
      broken('no other owner’s tokens are taken out', `${amountMinor}, and ${-leftMinor} too many`, id);
  };
  return (change) => {
    for (const movement of change.newMovements ?? []) {
      if (movement.kind !== 'withdrawal') continue;
      agreed(movement, change);
      ours(movement);
    }
  };
}
