// Parts of random changes beside the records: freezes, idempotency keys, match decisions and naira bookings.

import type { MatchRecord } from '../../../../src/domain/records/change.ts';
import {
  type BookedAccount,
  CHARGE_KINDS,
  NAIRA_MOVE_KINDS,
  type NairaMove,
} from '../../../../src/domain/records/naira-move.ts';
import { decided } from './drafts.ts';
import { AMOUNTS, anyOf, BUSINESSES, idOf, modeOf, type Part, type World } from './world.ts';

export const frozen: Part = (world, draft) => {
  const { random } = world;
  draft.freeze = { businessId: random.pick(BUSINESSES), mode: modeOf(world), reason: random.text(3) };
};

export const keyBound: Part = (world, draft) => {
  const { random, tables } = world;
  draft.idempotency = {
    businessId: random.pick(BUSINESSES),
    mode: modeOf(world),
    key: random.chance(0.5) ? random.text(5) : `key ${random.below(4)}`,
    requestHash: random.pick(['body', 'other']),
    transactionId: anyOf(world, tables.transactions)?.id ?? 'txn_none',
  };
};

// Makes the match decisions that a change writes: a decision about one credit, sometimes with a decision about another credit.

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

// Makes random naira bookings by two people. There are few references and ids, so that statement lines repeat.

const ACCOUNTS: readonly BookedAccount[] = [
  { name: 'bank_out', detail: null },
  { name: 'bank_out', detail: '058:1' },
  { name: 'bank_in', detail: 'p:1' },
];

export function nairaMoveOf(world: World): NairaMove {
  const { random } = world;
  const kind = random.pick(NAIRA_MOVE_KINDS);
  return {
    id: random.chance(0.25) ? idOf(world, 'nai') : `nai_${random.below(2)}`,
    mode: modeOf(world),
    kind,
    charge: kind === 'charge_seen' ? random.pick(CHARGE_KINDS) : null,
    account: random.pick(ACCOUNTS),
    to: kind === 'moved' ? random.pick(ACCOUNTS) : null,
    nairaMinor: random.chance(0.12) ? 0n : random.pick(AMOUNTS),
    day: random.pick(['2026-11-14', '2026-11-15']),
    reference: `line ${random.below(9)}`,
  };
}

export const nairaBooked: Part = (world, draft) => {
  if (draft.decision === undefined) decided(world, draft);
  draft.nairaMove = nairaMoveOf(world);
};
