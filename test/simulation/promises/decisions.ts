// Decisions of people, returns that a bank reports, and sequence numbers of a wallet: each is applied as stated, and only once.
import type { Change } from '../../../src/domain/records/change.ts';
import { parseBankReference } from '../../../src/domain/records/movement.ts';
import type { Tables } from '../model/tables.ts';

export interface DecisionWatch {
  applied(change: Change): void;
  /** The store was restored to an earlier state. */
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

  /** The returned amount is exactly the one that two people approved. */
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
  /** A movement is returned only once, and a credit is reversed only once, however often a bank reports it. */
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
  /** A skipped sequence number would block the wallet forever. */
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
