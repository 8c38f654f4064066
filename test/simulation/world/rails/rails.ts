// The bank rails of a seed: simulated banks, each with a separate account and separate books. One rail fails for a while now
// and then, and another rail contradicts itself. Either may pay a repeated order again. A payout is only in the books of the
// rail that made it.
import { makeSimulatedBank, type SimulatedBank } from '../../../../src/adapters/rails/simulated/bank.ts';
import type { WorldStatementRow } from '../../../../src/adapters/simulation/simulated-world.ts';
import type { Simulation } from '../../../../src/adapters/simulation/simulation.ts';
import { type RailTerms, SIMULATED_TERMS } from '../../../../src/domain/rails/terms.ts';
import type { RailAccount } from '../../../../src/ports/rails/rail.ts';
import type { PayoutStatus } from '../../../../src/ports/rails/rail-payouts.ts';
import { type Dice, makeDice } from '../../../support/dice.ts';
import { makeMemoryWorld } from '../../../support/memory-world.ts';
import { quickChance } from '../faults.ts';
import { knowingOwners } from '../places.ts';
import { openBooks } from './books.ts';
import { makeRailLog, type RailLog } from './log.ts';
import { FICKLE, type RailOptions, saysOf } from './options.ts';

const SICK = 'second';
export const RAIL_NAMES = [FICKLE, SICK] as const;
const ACCOUNTS: Readonly<Record<string, RailAccount | null>> = {
  [FICKLE]: null,
  [SICK]: { bankCode: '035', number: '9900000002' },
};

export interface BankRail extends SimulatedBank {
  readonly log: RailLog;
  /** Whether a call leaves the machine of the process. This method is called once for each call. */
  isReachable(reference: string): boolean;
  report(row: WorldStatementRow): void;
  putIn(amountMinor: bigint): void;
  /** The balance in the rail's own books after the rail has made all payouts in progress. */
  balanceMinor(): bigint;
  calm(): void;
}

/** Returns the rails in the order of the configuration. */
export function makeRails(options: RailOptions): readonly BankRail[] {
  const dice = makeDice(`${options.seed} rails`);
  const rails = [makeRail(options, FICKLE, () => options.troublePercent), makeSickRail(options, dice)];
  return dice.percent(50) ? rails : rails.toReversed();
}

/**
 * Clocks differ by less than the time in which the service confirms a refusal. The fickle rail often contradicts itself within
 * that time.
 */
const TERMS: RailTerms = { ...SIMULATED_TERMS, confirmAfterMs: 60_000, confirmAgainMs: 90_000 };

const PAYS_AGAIN_PERCENT = 25;

/** What the rail promises about a reference that it receives twice. The rail keeps exactly this promise. */
function repeatsOf(seed: string, name: string): RailTerms['repeats'] {
  return makeDice(`${seed} repeats of ${name}`).percent(PAYS_AGAIN_PERCENT) ? 'not_promised' : 'paid_once';
}

const SPELL_FROM_MS = 60_000;
const SPELL_MS = [20_000, 150_000] as const;
const SICK_PERCENT = 85;

function makeSickRail(options: RailOptions, dice: Dice): BankRail {
  const { agenda, troublePercent } = options;
  const spells = Array.from({ length: dice.pick([0, 1, 1, 2]) }, () => {
    const fromMs = agenda.now() + dice.below(SPELL_FROM_MS);
    return { fromMs, toMs: fromMs + dice.between(...SPELL_MS) };
  });
  const isSick = () => spells.some(({ fromMs, toMs }) => agenda.now() >= fromMs && agenda.now() < toMs);
  return makeRail(options, SICK, () => (isSick() ? SICK_PERCENT : troublePercent));
}

function makeRail(options: RailOptions, name: string, percentNow: () => number): BankRail {
  const { seed, agenda, paceMs, plays } = options;
  const chance = quickChance(name === FICKLE ? seed : `${seed} ${name}`, percentNow);
  const terms: RailTerms = { ...TERMS, repeats: repeatsOf(seed, name) };
  const books = openBooks(options, { rail: name, repeats: terms.repeats }, chance);
  const world = { ...makeMemoryWorld(), plays, payouts: books.payouts, statement: books.statement };
  const simulation: Simulation = { world, clock: agenda, chance, paceMs };
  const bank = knowingOwners({ ...makeSimulatedBank(simulation), name, account: ACCOUNTS[name]! });
  const inTrouble = (what: string, about: string) => chance.trouble(what, about, [what]) !== undefined;
  const log = makeRailLog(terms.repeats);
  const says = (reference: string, status: PayoutStatus) => {
    const row = books.rows.get(reference);
    return row === undefined ? status : saysOf(row, books.deedsOf(reference), status, agenda.now());
  };
  const ask = async (reference: string): Promise<PayoutStatus> => {
    const status = says(reference, await bank.payouts.ask(reference));
    if (status.kind === 'pending' && inTrouble('forgets', reference)) return { kind: 'not_found' };
    return inTrouble('new code', reference)
      ? { kind: 'unknown', reason: 'the answer has a code that is in no table (X7)' }
      : status;
  };
  return {
    ...bank,
    log,
    terms,
    payouts: {
      ...bank.payouts,
      pay: async (order) => {
        const status = says(order.reference, await bank.payouts.pay(order));
        log.said(order.reference, 'pay', status, agenda.now());
        return status;
      },
      ask: async (reference) => {
        const status = await ask(reference);
        log.said(reference, 'ask', status, agenda.now());
        return status;
      },
      balance: async () =>
        inTrouble('balance', name)
          ? { kind: 'unknown', reason: 'no answer came' }
          : { kind: 'known', availableMinor: books.balanceMinor() },
    },
    returnPayout: async (reference) => {
      const isBack = books.giveBack(reference);
      if (isBack) await bank.returnPayout(reference);
      return isBack;
    },
    isReachable: (reference) => !inTrouble('reach', reference),
    report: (row) => void books.statement.put(row),
    putIn: books.putIn,
    balanceMinor: books.balanceMinor,
    calm: chance.calm,
  };
}
