// The books of a rail: the payouts that it made, returned and made late, and the balance of the operator's account there. A
// rail that contradicts itself does so here, at times of the seed's clock. words.ts contains what the rail reports.
import { isPaid } from '../../../../src/adapters/rails/simulated/payouts.ts';
import type { SimulatedWorld, WorldPayout } from '../../../../src/adapters/simulation/simulated-world.ts';
import type { RepeatPromise } from '../../../../src/domain/rails/terms.ts';
import type { Fault } from '../../../../src/ports/rails/rail-payouts.ts';
import type { NoticeLine } from '../../../../src/ports/rails/rail-statement.ts';
import { type Dice, makeDice } from '../../../support/dice.ts';
import { makeMemoryWorld } from '../../../support/memory-world.ts';
import type { QuickChance } from '../faults.ts';
import {
  BROKEN_WORDS,
  type Deeds,
  FICKLE,
  isMade,
  type PaidRow,
  type RailOptions,
  type Word,
} from './options.ts';

export interface RailBooks {
  readonly payouts: SimulatedWorld['payouts'];
  readonly statement: SimulatedWorld['statement'];
  readonly rows: ReadonlyMap<string, PaidRow>;
  deedsOf(reference: string): Deeds;
  /** Returns the money of the payout. The result is true if the rail returned it now or earlier. */
  giveBack(reference: string): boolean;
  putIn(amountMinor: bigint): void;
  balanceMinor(): bigint;
}

/** A rail that contradicts itself does so within this time, and the service queries it again afterwards. */
const WORD_MS = [5_000, 230_000] as const;

export function openBooks(
  options: RailOptions,
  { rail, repeats }: { readonly rail: string; readonly repeats: RepeatPromise },
  chance: QuickChance,
): RailBooks {
  const { agenda, seed, witness } = options;
  const memory = makeMemoryWorld();
  const dice = makeDice(`${seed} words of ${rail}`);
  const statement = watchedStatement(options, rail, memory.statement);
  const rows = new Map<string, PaidRow>();
  const deeds = new Map<string, Deeds>();
  let balanceMinor = 0n;
  const deedsOf = (reference: string): Deeds => {
    const known = deeds.get(reference) ?? {};
    deeds.set(reference, known);
    return known;
  };
  const giveBack = (reference: string): boolean => {
    const row = rows.get(reference);
    if (row === undefined || row.word === 'failed_then_paid' || !isPaid(row, agenda.now())) return false;
    const deed = deedsOf(reference);
    if (deed.lateAtMs !== undefined) return false;
    if (deed.returnedAtMs !== undefined) return true;
    deed.returnedAtMs = agenda.now();
    balanceMinor += row.amountMinor;
    witness.returned(row);
    return true;
  };
  const payLate = (row: PaidRow) => {
    deedsOf(row.reference).lateAtMs = agenda.now();
    // The rail already charged a returned payout when it first made the payout.
    balanceMinor -= row.amountMinor + (row.word === 'failed_then_paid' ? row.chargeMinor : 0n);
    witness.late(row);
  };
  /** The service repeated the order, and this rail treats it as another payment. */
  const payAgain = (row: PaidRow) => {
    if (!isMade(row)) return;
    balanceMinor -= row.amountMinor + row.chargeMinor;
    witness.payout(row);
  };
  const breakWord = makeWordBreaker({ ...{ dice, agenda, statement, giveBack, payLate } });
  const payouts: SimulatedWorld['payouts'] = {
    ...memory.payouts,
    put: async (given) => {
      const stored = await memory.payouts.put(given);
      if (stored.tries > 1) {
        if (repeats === 'not_promised') payAgain(rows.get(given.reference)!);
        return stored;
      }
      const row = {
        ...given,
        rail,
        word: brokenWordOf(options, rail, given, dice),
        fault: faultOf(options, chance, given),
      };
      rows.set(row.reference, row);
      if (isMade(row)) balanceMinor -= row.amountMinor + row.chargeMinor;
      witness.payout(row);
      breakWord(row);
      return stored;
    },
  };
  const putIn = (amountMinor: bigint) => {
    balanceMinor += amountMinor;
  };
  return { payouts, statement, rows, deedsOf, giveBack, putIn, balanceMinor: () => balanceMinor };
}

function watchedStatement(
  { witness, onLine }: RailOptions,
  rail: string,
  memory: SimulatedWorld['statement'],
): SimulatedWorld['statement'] {
  return {
    ...memory,
    put: async (row) => {
      const stored = await memory.put(row);
      if (stored.tries === 1) {
        witness.line({ ...row, rail });
        onLine(rail, (stored as unknown as { position: number }).position, row.reportedAtMs);
      }
      return stored;
    },
  };
}

/** Some contradictions appear on the statement. The rail reports the others only when the service queries it. */
function makeWordBreaker({
  dice,
  agenda,
  statement,
  giveBack,
  payLate,
}: Pick<RailOptions, 'agenda'> &
  Pick<RailBooks, 'statement' | 'giveBack'> & {
    readonly dice: Dice;
    readonly payLate: (row: PaidRow) => void;
  }): (row: PaidRow) => void {
  const later = (afterMs: number, run: () => void) => agenda.at(afterMs + dice.between(...WORD_MS), run);
  const makeLate = (row: PaidRow, isReported: boolean) => {
    payLate(row);
    if (isReported) report(statement, 'payout_paid_late', row, agenda.now());
  };
  return (row) => {
    const isReported = dice.percent(50);
    if (row.word === 'failed_then_paid') return later(row.settledAtMs, () => makeLate(row, isReported));
    if (row.word === 'kept') return;
    const isPaidAgain = row.word === 'returned_then_paid';
    later(row.settledAtMs, () => {
      if (!giveBack(row.reference)) return;
      if (isReported || isPaidAgain) report(statement, 'payout_returned', row, agenda.now());
      if (isPaidAgain) later(agenda.now(), () => makeLate(row, true));
    });
  };
}

function brokenWordOf(
  { brokenPercent, scenarioOf }: RailOptions,
  rail: string,
  { about, fate }: WorldPayout,
  dice: Dice,
): Word {
  const isPlain = fate === 'pays' && (about === null || scenarioOf(about) === undefined);
  return rail === FICKLE && isPlain && dice.percent(brokenPercent) ? dice.pick(BROKEN_WORDS) : 'kept';
}

function faultOf({ scenarioOf }: RailOptions, chance: QuickChance, { about, reference }: WorldPayout): Fault {
  const isStory = about !== null && scenarioOf(about) === 'payout_fails';
  return !isStory && chance.between(`fault ${reference}`, 0, 1) === 1 ? 'rail' : 'payout';
}

function report(
  statement: SimulatedWorld['statement'],
  kind: NoticeLine['kind'],
  { reference, amountMinor, chargeMinor }: PaidRow,
  reportedAtMs: number,
): void {
  const line: NoticeLine = {
    ...{ kind, sourceId: `${kind}:${reference}`, about: reference, amountMinor },
    raw: { about: reference, charge_minor: `${chargeMinor}` },
  };
  statement.put({ copy: 1, reportedAtMs, line });
}
