// Checks that the service applies three things exactly as stated and only once: decisions of people, returns that a bank
// reports, and sequence numbers of a wallet.
import type { Change } from '../../../src/domain/records/change.ts';
import { parseBankReference } from '../../../src/domain/records/movement.ts';
import type { Tables } from '../model/tables.ts';

export interface DecisionWatch {
  applied(change: Change): void;
  restored(): void;
}

export function makeDecisionWatch({
  tables,
  broken,
}: {
  readonly tables: () => Tables;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}): DecisionWatch {
  const booked = new Map<string, string>();
  const places = new Set<string>();

  /** The service must refund exactly the amount that two people approved. */
  const asProposed = ({ decision, newMovements = [] }: Change) => {
    const proposal = decision?.approved === true ? tables().proposals.get(decision.proposalId) : undefined;
    if (proposal?.request.action !== 'refund' || newMovements.length === 0) return;
    const minor = newMovements.reduce((sum, { nairaMinor }) => sum + nairaMinor, 0n);
    if (minor !== proposal.amountMinor)
      broken(
        'what is approved is what was proposed',
        `${proposal.id}: ${minor} for ${proposal.amountMinor}`,
        proposal.request.subjectId,
      );
  };
  /** The service returns a payout only once and reverses a credit only once, however often a bank reports it. */
  const onceGone = ({ notices = [], entries = [], decision }: Change) => {
    if (decision !== undefined || entries.length === 0) return;
    for (const { after } of notices) {
      if (after.state !== 'done') continue;
      const name = `${after.source} ${after.kind} ${after.about}`;
      const before = booked.get(name);
      if (before !== undefined)
        broken(
          'what came back is booked once',
          `${name} by ${before} and ${after.id}`,
          parseBankReference(after.about),
        );
      booked.set(name, after.id);
    }
  };
  /** If a wallet skipped a sequence number, its later network transactions would be blocked forever. */
  const withoutGap = ({ attempts = [] }: Change) => {
    for (const { network, source, sequence, index, movementId } of attempts) {
      if (sequence === null || index > 0) continue;
      const at = BigInt(sequence);
      if (
        at > 1n &&
        !places.has(`${network} ${source} ${at - 1n}`) &&
        !places.has(`${network} ${source} ${at}`)
      )
        broken('no place in a wallet’s order is skipped', `${network} ${sequence}`, movementId);
      places.add(`${network} ${source} ${at}`);
    }
  };
  return {
    applied: (change) => {
      asProposed(change);
      onceGone(change);
      withoutGap(change);
    },
    restored: () => {
      for (const [name, id] of booked) if (tables().notices.get(id)?.state !== 'done') booked.delete(name);
      places.clear();
      for (const attempts of tables().attempts.values())
        for (const { network, source, sequence } of attempts) places.add(`${network} ${source} ${sequence}`);
    },
  };
}
