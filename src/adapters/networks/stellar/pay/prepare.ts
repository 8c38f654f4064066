// Signs what may go out now: one transaction, with the sequence number after the account's last one. While one is open nothing
// else is signed, so that a sequence number is never used twice.
import type { Transaction } from '@stellar/stellar-sdk/base';
import type { Payment, Signed, Turn } from '../../../../ports/networks/pays.ts';
import { ledgerOf, loadAccount } from '../horizon/account.ts';
import type { Chain, Part } from '../horizon/chain.ts';
import { buildTransaction, hashOf, type Planned, payloadOf } from '../horizon/envelope.ts';
import { type Horizon, HorizonFailed } from '../horizon/horizon.ts';
import { type LedgerState, loadLedger, requireFresh } from '../horizon/ledgers.ts';
import { loadReadiness, type Readiness } from '../horizon/recipient.ts';
import { firstBid, loadMarket } from './fees.ts';
import { batchSize, type Facts, planOf, type Waiting, waitingFor } from './plan.ts';
import { signTransaction } from './signing.ts';

/** How many accounts are read at once. */
const AT_ONCE = 8;

export function makePrepare(chain: Chain): Part<'prepare' | 'cancel'> {
  return {
    prepare: async (payments, turn) => {
      if (payments.length === 0) return { envelopes: [], waiting: [] };
      if (turn.live > 0) return waitAll(payments, 'turn_taken', 'the last transaction is not settled yet');
      let facts: Facts | undefined;
      try {
        facts = await latestFacts(chain, payments, turn);
      } catch (error) {
        return waitAll(payments, 'network_unreachable', (error as Error).message);
      }
      if (facts === undefined)
        return waitAll(payments, 'turn_taken', 'no provider has seen the last transaction yet');
      return signPlan(chain, payments, facts, turn, facts.account.sequence + 1n);
    },
    // A transaction that does not land expires soon at its own bound: there is nothing to cancel.
    cancel: async () => undefined,
  };
}

function waitAll(payments: readonly Payment[], ...why: Parameters<typeof waitingFor>): Signed {
  return { envelopes: [], waiting: payments.map(waitingFor(...why)) };
}

/** Undefined: no provider shows the last transaction yet. A stalled provider must not hold up the others. */
async function latestFacts(
  { providers, ...parts }: Chain,
  payments: readonly Payment[],
  { lastSequence }: Turn,
): Promise<Facts | undefined> {
  const load = (horizon: Horizon) => loadFacts({ providers, ...parts }, horizon, payments);
  const isUpToDate = ({ account }: Facts) =>
    lastSequence === null || account.sequence >= BigInt(lastSequence);
  const first = await providers.one(load);
  return isUpToDate(first) ? first : (await providers.every(load)).find(isUpToDate);
}

async function loadFacts(chain: Chain, horizon: Horizon, payments: readonly Payment[]): Promise<Facts> {
  const { settings, token, treasury } = chain;
  const ledger = await loadLedger(horizon);
  requireFresh(ledger.closedAtMs, chain.clock.now());
  const account = await loadAccount(horizon, treasury, token);
  if (account === undefined) throw new HorizonFailed('the treasury account does not exist');
  const afterLedger = ledgerOf(account);
  // Without statistics the usual fee is offered.
  const bidMinor = firstBid(settings, await loadMarket(horizon).catch(() => 0n));
  const looked = payments.filter(({ from }) => from === null).slice(0, batchSize(settings));
  const readiness = new Map<string, Readiness>();
  for (let start = 0; start < looked.length; start += AT_ONCE) {
    const some = looked.slice(start, start + AT_ONCE);
    const answers = await Promise.all(some.map(({ to }) => loadReadiness(horizon, to, token, settings)));
    for (const [index, answer] of answers.entries()) readiness.set(some[index]!.orderId, answer);
  }
  return { ledger, account, afterLedger, bidMinor, readiness };
}

async function signPlan(
  chain: Chain,
  payments: readonly Payment[],
  facts: Facts,
  turn: Turn,
  sequence: bigint,
): Promise<Signed> {
  const { clock, settings, token, treasury } = chain;
  const { planned, waiting } = planOf(payments, facts, turn, settings);
  const validUntilSeconds = goodUntil(chain, facts.ledger);
  const { passphrase } = settings;
  const build = (some: readonly Planned[]) =>
    buildTransaction({
      source: treasury,
      sequence,
      planned: some,
      token,
      passphrase,
      feePerOperation: facts.bidMinor,
      validUntilSeconds,
    });
  const signed = await signSome(chain, planned, build);
  if (signed.transaction === undefined) return { envelopes: [], waiting: [...waiting, ...signed.waiting] };
  const paid = signed.paid.map(({ payment }) => payment);
  const envelope = {
    hash: hashOf(signed.transaction),
    source: treasury,
    sequence: `${sequence}`,
    payload: payloadOf({
      xdr: signed.transaction.toXdr(),
      amountMinor: paid.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      afterLedger: facts.afterLedger,
    }),
    bound: `${validUntilSeconds * 1000}`,
    signedAtMs: clock.now(),
    orderIds: paid.map(({ orderId }) => orderId),
  };
  return { envelopes: [envelope], waiting: [...waiting, ...signed.waiting] };
}

/** In seconds, by the later of the two clocks: by an earlier one it would expire before it is sent. */
export function goodUntil({ clock, settings }: Chain, { closedAtMs }: LedgerState): number {
  return Math.floor((Math.max(clock.now(), closedAtMs) + settings.validForMs) / 1000);
}

interface SomeSigned {
  readonly transaction: Transaction | undefined;
  readonly paid: readonly Planned[];
  readonly waiting: readonly Waiting[];
}

/**
 * Signs all of them, or the first half, quarter and so on that the signer accepts: one order over a limit holds back no other.
 * At most one transaction is ever signed, because there is one sequence number.
 */
async function signSome(
  chain: Chain,
  planned: readonly Planned[],
  build: (some: readonly Planned[]) => Transaction,
): Promise<SomeSigned> {
  if (planned.length === 0) return { transaction: undefined, paid: [], waiting: [] };
  const refusals: Waiting[] = [];
  const open: (readonly Planned[])[] = [planned];
  for (let some = open.shift(); some !== undefined; some = open.shift()) {
    const transaction = build(some);
    const refusal = await signTransaction(chain, transaction, some);
    if (refusal === undefined) {
      const later = open
        .flat()
        .map(({ payment }) => waitingFor('turn_taken', 'another payment goes first')(payment));
      return { transaction, paid: some, waiting: [...refusals, ...later] };
    }
    const refused = ({ payment }: Planned) => waitingFor('signing_refused', refusal.message)(payment);
    if (refusal.code === 'stopped' || refusal.code === 'unavailable')
      return {
        transaction: undefined,
        paid: [],
        waiting: [...refusals, ...[some, ...open].flat().map(refused)],
      };
    if (some.length === 1) {
      refusals.push(...some.map(refused));
      continue;
    }
    const middle = Math.ceil(some.length / 2);
    open.unshift(some.slice(0, middle), some.slice(middle));
  }
  return { transaction: undefined, paid: [], waiting: refusals };
}
