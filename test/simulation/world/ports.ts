// The ports of one simulated process: the model store, and the simulated bank and networks. Each call passes a gate.
import { ConnectionLost } from '../../../src/adapters/simulation/simulation.ts';
import type { Change } from '../../../src/domain/records/change.ts';
import { NAIRA, tokenAsset } from '../../../src/domain/values/money.ts';
import type { AddressCheck, Network } from '../../../src/ports/networks/network.ts';
import type { QuoteStore } from '../../../src/ports/quotes.ts';
import type { Rail } from '../../../src/ports/rails/rail.ts';
import type { PayoutStatus } from '../../../src/ports/rails/rail-payouts.ts';
import type { ReviewStore } from '../../../src/ports/review-store.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import { type Store, StoreUnavailable } from '../../../src/ports/store/store.ts';
import type { Sync } from '../model/tables.ts';
import type { Fault } from './faults.ts';
import type { Gate } from './gate.ts';
import type { BankRail } from './rails/rails.ts';

export const WRITES: readonly Fault[] = [
  'crash_before',
  'crash_after',
  'pause',
  'database_away',
  'answer_lost',
  'commit_late',
];
const COMMITS: readonly Fault[] = [...WRITES, 'commit_partly'];
export const READS: readonly Fault[] = ['crash_before', 'pause', 'database_away'];
export const ORDERS: readonly Fault[] = [
  'crash_before',
  'crash_after',
  'pause',
  'call_lost',
  'call_answer_lost',
  'call_late',
  'call_doubled',
  'call_answer_late',
];
/**
 * The faults for a bank that pays a repeated order again. If the connection delivered one call twice, such a bank would pay
 * twice, whatever the service does.
 */
const ORDERS_ONCE = ORDERS.filter((fault) => fault !== 'call_doubled');
const QUESTIONS: readonly Fault[] = ['crash_before', 'pause', 'call_lost', 'call_answer_late'];

const STORE_WRITES = new Set<keyof Store>([
  'accept',
  'leaseTransactions',
  'leaseCredits',
  'leaseDeposits',
  'leaseMovements',
  'leaseNotices',
  'holdFeed',
  'hastenCredits',
  'hastenNotices',
  'hastenRefunds',
  'bindIdempotencyKey',
  'leaseEndedPayouts',
  'moveEndedPayout',
]);

export function databaseAway(acted: boolean): never {
  throw new StoreUnavailable('the database did not answer', { mayHaveActed: acted });
}

type Call = (...parameters: never[]) => unknown;

/** Runs `act` only if the store is still the same as when the caller requested it. */
export function sameStore<Answer>({ epoch }: Pick<Asking, 'epoch'>, act: () => Answer): () => Answer {
  const meant = epoch();
  return () => (epoch() === meant ? act() : databaseAway(false));
}

/** Wraps each method of a port with the gate. `core` responds immediately. */
export function gated<Port extends object>(
  gate: Gate,
  core: Sync<Port>,
  asking: Pick<Asking, 'epoch'>,
  kindsOf: (call: keyof Port) => readonly Fault[],
): Port {
  const calls = Object.entries(core as Record<string, Call>).map(([call, act]) => {
    const kinds = kindsOf(call as keyof Port);
    const through = (...parameters: never[]) =>
      gate({
        call,
        about: () => aboutOf(parameters),
        kinds,
        act: sameStore(asking, () => act(...parameters)),
        lost: databaseAway,
      });
    return [call, through];
  });
  return Object.fromEntries(calls);
}

/** The methods that are called when a process requests something that moves money, before the process waits for a response. */
export interface Asking {
  /** Called when a commit begins. The commit may become visible much later. */
  accepts(acceptance: Acceptance): void;
  commits(changes: readonly Change[]): void;
  pays(asset: string, reference: string): void;
  /** Called when the process repeats an order that the rail may already have. */
  hasty(rail: string, reference: string): void;
  /** Identifies the store. A restore from a backup creates another store, and pending writes to the earlier store are lost. */
  epoch(): number;
}

export function gatedQuotes(gate: Gate, quotes: Sync<QuoteStore>, asking: Asking): QuoteStore {
  return gated<QuoteStore>(gate, quotes, asking, (call) => (call === 'add' ? WRITES : READS));
}

export function gatedStore(gate: Gate, store: Sync<Store>, asking: Asking): Store {
  const through = gated<Store>(gate, store, asking, (call) => (STORE_WRITES.has(call) ? WRITES : READS));
  return {
    ...through,
    accept: (acceptance) => {
      asking.accepts(acceptance);
      return through.accept(acceptance);
    },
    commit: (changes, feed) => {
      asking.commits(changes);
      return gate({
        call: 'commit',
        about: () =>
          `${changes.length}${feed === undefined ? '' : ` with ${feed.hold.name} to ${feed.position}`}`,
        kinds: COMMITS,
        act: sameStore(asking, () => store.commit(changes, feed)),
        // A large batch may consist of several statements. The position of the feed moves with the last statement.
        actPartly: sameStore(asking, () => store.commit(changes.slice(0, changes.length >> 1))),
        lost: databaseAway,
      });
    },
  };
}

export function gatedDesk(gate: Gate, desk: Sync<ReviewStore>, asking: Asking): ReviewStore {
  return gated<ReviewStore>(gate, desk, asking, (call) => (call === 'addProposal' ? WRITES : READS));
}

function aboutOf(parameters: readonly unknown[]): string {
  const [first] = parameters;
  return typeof first === 'string' ? first : '';
}

const unknown = () => ({ kind: 'unknown', reason: 'no answer came' }) as const;
const noConnection = (): never => {
  throw new ConnectionLost('the connection failed');
};

export function gatedBank(gate: Gate, bank: BankRail, asking: Asking): Rail {
  const { name, pace, terms, account, payouts, statement } = bank;
  const through = <Answer>(
    verb: string,
    about: string,
    kinds: readonly Fault[],
    act: () => Promise<Answer>,
    lost: () => Answer,
  ) => gate({ call: `${verb} ${name}`, about: () => about, kinds, act, lost });
  return {
    name,
    pace,
    terms,
    account,
    payouts: {
      reaches: payouts.reaches,
      enquireName: (question) =>
        through(
          'enquireName',
          question.accountNumber,
          QUESTIONS,
          () => payouts.enquireName(question),
          unknown,
        ),
      pay: (order) => {
        const { reference } = order;
        asking.pays(NAIRA, reference);
        if (!bank.log.order(reference)) asking.hasty(name, reference);
        const pay = (kinds: readonly Fault[], act: () => Promise<PayoutStatus>) =>
          through<PayoutStatus>('pay', reference, kinds, act, unknown);
        // This is decided once for the call, before any part of the order can have been sent.
        return bank.isReachable(reference)
          ? pay(terms.repeats === 'paid_once' ? ORDERS : ORDERS_ONCE, () => payouts.pay(order))
          : pay(['crash_before', 'pause'], async () => ({ kind: 'not_sent', reason: 'no connection' }));
      },
      ask: (reference) =>
        through<PayoutStatus>('askBank', reference, QUESTIONS, () => payouts.ask(reference), unknown),
      balance: () => through('balance', name, QUESTIONS, payouts.balance, unknown),
    },
    statement: {
      read: (position) =>
        through(
          'statement',
          position ?? 'the beginning',
          QUESTIONS,
          () => statement.read(position),
          noConnection,
        ),
    },
  };
}

/**
 * The check of an address always has the same result, and processes check the same few wallets all the time. So the results are
 * cached.
 */
const checked = new Map<string, AddressCheck>();

function checkOnce(network: Network, text: string): AddressCheck {
  const key = `${network.name} ${text}`;
  const known = checked.get(key) ?? network.checkAddress(text);
  if (checked.size < MAX_CHECKED) checked.set(key, known);
  return known;
}

const MAX_CHECKED = 1_000;

export function gatedNetwork(gate: Gate, network: Network, asking: Asking): Network {
  const asset = tokenAsset(network.asset.code, network.name);
  return {
    ...network,
    checkAddress: (text) => checkOnce(network, text),
    recipientReady: (payment) =>
      gate({
        call: 'recipientReady',
        about: () => payment.to,
        kinds: QUESTIONS,
        act: () => network.recipientReady(payment),
        lost: () => 'unknown' as const,
      }),
    prepare: (payments, turn) =>
      gate({
        call: 'prepare',
        about: () => payments.map(({ orderId }) => orderId).join(' '),
        kinds: ['crash_before', 'crash_after', 'pause', 'call_lost'],
        act: () => network.prepare(payments, turn),
        lost: noConnection,
      }),
    broadcast: (prepared) => {
      asking.pays(asset, prepared.hash);
      return gate({
        call: 'broadcast',
        about: () => prepared.hash,
        kinds: ORDERS,
        act: () => network.broadcast(prepared),
        lost: unknown,
      });
    },
    ask: (envelope) =>
      gate({
        call: 'askNetwork',
        about: () => envelope.versions[0]!.hash,
        kinds: QUESTIONS,
        act: () => network.ask(envelope),
        lost: unknown,
      }),
    observe: (position, watch) =>
      gate({
        call: 'observe',
        about: () => `${network.name} ${position ?? 'from the beginning'}`,
        kinds: QUESTIONS,
        act: () => network.observe(position, watch),
        lost: noConnection,
      }),
    outflows: (position) =>
      gate({
        call: 'outflows',
        about: () => `${network.name} ${position ?? 'from now on'}`,
        kinds: QUESTIONS,
        act: () => network.outflows(position),
        lost: noConnection,
      }),
    confirm: (sighting) =>
      gate({
        call: 'confirm',
        about: () => sighting.txHash,
        kinds: QUESTIONS,
        act: () => network.confirm(sighting),
        lost: () => 'unknown' as const,
      }),
  };
}
