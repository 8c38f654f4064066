// Checks payouts over several rails. Another rail gets a payout only if the first rail's books do not contain it, and no rail
// exceeds its cap. The reserved amount in each of the operator's bank accounts equals the payouts in progress there.
import { ledgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import { usageKey } from '../../../src/domain/rails/settings.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import type { Attempt, Movement } from '../../../src/domain/records/movement.ts';
import { NAIRA } from '../../../src/domain/values/money.ts';
import type { Tables } from '../model/tables.ts';
import { MODE } from '../people/company.ts';
import type { Happened } from '../world/outside.ts';
import type { RailMemory } from '../world/rails/desk.ts';
import { isMade } from '../world/rails/options.ts';
import type { BankRail } from '../world/rails/rails.ts';

/** The maximum time between the cap check of a step and its commit. */
const STEP_MS = 120_000;

export interface RailWatchParts {
  readonly tables: () => Tables;
  readonly happened: () => Happened;
  readonly rails: () => RailMemory;
  readonly now: () => number;
  readonly banks: () => readonly BankRail[];
  readonly isRestored: () => boolean;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}

export interface RailWatch {
  applied(change: Change): void;
  restored(): void;
}

export function makeRailWatch(parts: RailWatchParts): RailWatch {
  const { tables, broken } = parts;
  const known = new Set<string>();
  const caps = watchCaps(parts);
  let isLooking = false;
  const notSent = ({ movementId, no, rail, reference }: Attempt) => {
    for (const earlier of tables().attempts.get(movementId) ?? []) {
      if (earlier.no >= no) continue;
      if (earlier.rail === rail && earlier.reference === reference)
        broken('a rail gets what it refused under another reference', `${movementId} on ${rail}`, movementId);
      const made = parts
        .happened()
        .payouts.find(
          (row) => row.rail === earlier.rail && row.reference === earlier.reference && isMade(row),
        );
      if (made !== undefined)
        broken(
          'another rail gets only what the first does not pay',
          `${movementId} on ${rail}: ${earlier.rail} pays it`,
          movementId,
        );
    }
  };
  /** The check runs after the whole commit, like the check of balances. */
  const reservesAgree = () => {
    isLooking = false;
    const underWay = new Map<string, bigint>();
    for (const movement of tables().movements.values()) {
      if (!isReserved(movement)) continue;
      const account = ledgerKey(MODE, NAIRA, 'bank_reserved', movement.bankAccount);
      underWay.set(account, (underWay.get(account) ?? 0n) + movement.nairaMinor);
    }
    for (const [account, balance] of tables().accounts)
      if (account.includes('/bank_reserved') && balance !== (underWay.get(account) ?? 0n))
        broken(
          'what is reserved in a bank account is in progress there',
          `${account}: ${balance} reserved, ${underWay.get(account) ?? 0n} in progress`,
          null,
        );
  };
  return {
    restored: () => {
      known.clear();
      for (const attempt of [...tables().attempts.values()].flat()) known.add(nameOf(attempt));
      caps.restored();
    },
    applied: (change) => {
      notGivenUp(parts, change);
      isMeant(parts, change);
      for (const attempt of change.attempts ?? []) {
        if (attempt.rail === null || known.has(nameOf(attempt))) continue;
        known.add(nameOf(attempt));
        notSent(attempt);
        caps.opened(attempt, change);
      }
      const isBank = ({ network }: Movement) => network === null;
      const touches =
        change.newMovements?.some(isBank) || change.movements?.some(({ after }) => isBank(after));
      if (!touches || isLooking) return;
      isLooking = true;
      queueMicrotask(reservesAgree);
    },
  };
}

/** If a rail has no money or stops responding, the service must not cancel a customer's payout. */
function notGivenUp({ happened, broken }: RailWatchParts, { movements = [], attempts = [] }: Change): void {
  for (const { after } of movements) {
    if (after.kind !== 'payout' || after.state !== 'failed') continue;
    const ended = attempts.find((each) => each.movementId === after.id && each.state === 'failed');
    const row = happened().payouts.find(
      (each) => each.rail === ended?.rail && each.reference === ended.reference,
    );
    if (row?.fault === 'rail')
      broken('no payout is given up by fault of a rail', `${after.id} on ${row.rail}`, after.id);
  }
}

/** The maximum difference between the clocks of two processes. */
const SKEW_MS = 45_000;

/**
 * One refusal of a rail is not enough. The service must query the rail twice more, late enough, before it acts on the refusal.
 */
function isMeant({ banks, isRestored, broken }: RailWatchParts, { attempts = [], decision }: Change): void {
  if (decision !== undefined || isRestored()) return;
  for (const { rail: name, reference, state, movementId } of attempts) {
    if (name === null || state !== 'failed') continue;
    const rail = banks().find((each) => each.name === name)!;
    const { confirmAfterMs, confirmAgainMs } = rail.terms;
    if (!rail.log.isMeant(reference, confirmAfterMs + confirmAgainMs - SKEW_MS))
      broken('a refusal counts when the rail means it', `${movementId} on ${name}`, movementId);
  }
}

function nameOf({ movementId, no }: Attempt): string {
  return `${movementId} ${no}`;
}

function isReserved({ network, state }: Movement): boolean {
  return network === null && (state === 'sending' || state === 'unknown');
}

/** If payouts were made while their rail had a cap, their sum on a Lagos day must not exceed that cap. */
function watchCaps({ tables, rails, now, broken }: RailWatchParts) {
  const used = new Map<string, bigint>();
  /** Returns the recent caps of a rail, because a step may have read a cap that the operator has removed since. */
  const lately = (rail: string): readonly (bigint | null)[] => {
    const { capsSince } = rails();
    const from = capsSince.findLastIndex(({ atMs }) => atMs < now() - STEP_MS);
    return capsSince
      .slice(from)
      .map(({ caps }) => caps.find((each) => each.rail === rail)?.perDayMinor ?? null);
  };
  return {
    restored: () => used.clear(),
    opened: ({ movementId, rail }: Attempt, { usage }: Change) => {
      const limits = lately(rail!);
      const own = usage?.find(({ businessId }) => businessId === usageKey(rail!));
      if (own === undefined) {
        if (limits.every((limit) => limit !== null))
          broken('caps of rails hold', `${movementId} does not count on ${rail}`, movementId);
        return;
      }
      const { nairaMinor } = tables().movements.get(movementId)!;
      if (own.amountMinor !== nairaMinor)
        broken('caps of rails hold', `${movementId} counts as ${own.amountMinor}`, movementId);
      const name = `${rail} ${own.period}`;
      const usedMinor = (used.get(name) ?? 0n) + nairaMinor;
      used.set(name, usedMinor);
      const highest = limits.reduce((most, each) =>
        most === null || each === null || each > most ? each : most,
      );
      if (highest !== null && usedMinor > highest)
        broken('caps of rails hold', `${rail}: ${usedMinor} of ${highest} on ${own.period}`, movementId);
    },
  };
}
