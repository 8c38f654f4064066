// Match decisions that a change writes: one about a credit, sometimes with one about another credit.
import type { MatchRecord } from '../../../../src/domain/records/change.ts';
import { anyOf, type Part } from './world.ts';

const DOUBTS = ['ambiguous', 'other_account'] as const;

export const matchWritten: Part = (world, draft) => {
  const { random, tables } = world;
  const credit = anyOf(world, tables.credits);
  if (credit === undefined) return;
  const meant = anyOf(world, tables.transactions)?.id ?? 'txn_x';
  const known = tables.matches.get(credit.id)?.length ?? 0;
  const verdict: MatchRecord['verdict'] = random.chance(0.5)
    ? { kind: 'review', exception: DOUBTS[known % 2]!, transactionIds: [meant, 'txn_y'] }
    : { kind: 'matched', transactionId: meant, exception: null };
  draft.match = {
    creditId: credit.id,
    version: known + 1 - (random.chance(0.15) ? 1 : 0),
    transactionId: random.chance(0.6) ? meant : null,
    actor: 'matching',
    ruleVersion: 1,
    candidates: random.pick([[], [{ transactionId: meant, score: 3, reasons: ['amount'] }]]),
    verdict,
  };
  const part = [...tables.credits.values()].at(-1)!;
  if (part.id === credit.id || known === 0) return;
  const version = (tables.matches.get(part.id)?.length ?? 0) + 1;
  draft.partMatches = [{ ...draft.match, creditId: part.id, version }];
};
