// Makes random ledger entries. There is little money, so accounts run out of money, and sometimes an entry does not balance. It
// also makes random conditions, many of which fail.
import { type LedgerAccountName, ledgerKey } from '../../../../src/domain/ledger/chart-of-accounts.ts';
import {
  type Entry,
  entryOf,
  LEDGER_EVENTS,
  type LedgerEvent,
} from '../../../../src/domain/ledger/ledger.ts';
import { withdrawalAccounts } from '../../../../src/domain/review/withdrawal.ts';
import { NAIRA } from '../../../../src/domain/values/money.ts';
import { AMOUNTS, ASSETS, anyOf, type Draft, modeOf, type Part, VENDORS, type World } from './world.ts';

const EVENT_NAMES = Object.keys(LEDGER_EVENTS) as LedgerEvent[];
const BRINGING: readonly LedgerEvent[] = ['credit_received', 'treasury_funded', 'float_funded'];

export const entryWritten: Part = (world, draft) => {
  const { random } = world;
  const event = random.chance(0.4) ? random.pick(BRINGING) : random.pick(EVENT_NAMES);
  add(draft, odd(world, soundEntry(world, event, random.pick(AMOUNTS))));
};

export const conditionSet: Part = (world, draft) => {
  const { random } = world;
  const [mode, asset] = [modeOf(world), random.pick(ASSETS)];
  const key = (name: LedgerAccountName) => ledgerKey(mode, asset, name);
  const naira = (name: LedgerAccountName) => ledgerKey(mode, NAIRA, name);
  const notNegative = random.weighted<readonly string[]>([
    [4, withdrawalAccounts(mode, asset)],
    [2, [key('treasury'), key('received')]],
    [2, [naira('bank_out'), naira('suspense')]],
    [1, [key('treasury'), key('treasury'), key('capital')]],
    [1, [naira('fees')]],
    [1, []],
  ]);
  draft.conditions = [...(draft.conditions ?? []), { notNegative }];
};

function add(draft: Draft, entry: Entry): void {
  draft.entries = [...(draft.entries ?? []), entry];
}

function soundEntry(world: World, event: LedgerEvent, amount: bigint): Entry {
  const { random, tables } = world;
  return entryOf(event, {
    mode: modeOf(world),
    subjectId: anyOf(world, tables.transactions)?.id ?? 'no-subject',
    asset: random.pick(ASSETS),
    bankAccount: `p:${random.pick(VENDORS)}`,
    payoutAccount: random.pick([null, 'x:0123456789']),
    amounts: { amount, tokens: amount, dust: random.pick([0n, 1n]), fee: random.pick([0n, 1n]) },
  });
}

function odd({ random }: World, entry: Entry): Entry {
  const { postings } = entry;
  const [first, second] = postings;
  if (first === undefined || second === undefined || random.chance(0.75)) return entry;
  const elsewhere = ledgerKey(entry.mode, 'OTHER@1', 'treasury');
  return {
    ...entry,
    postings: random.pick([
      [],
      [first],
      [{ ...first, amountMinor: first.amountMinor + 1n }, ...postings.slice(1)],
      [...postings, { account: elsewhere, amountMinor: 0n }],
      [...postings, { account: elsewhere, amountMinor: 3n }],
      [...postings, first],
    ]),
  };
}
