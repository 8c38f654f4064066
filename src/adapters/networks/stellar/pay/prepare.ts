// Signs the payments that can be sent now, in one transaction with the next sequence number of the account. While a transaction
// is open, no other transaction is signed, so that a sequence number is never used twice.
import type { Transaction } from '@stellar/stellar-sdk/base';
import type { Payment, SigningResult, WalletTurn } from '../../../../ports/networks/network-payer.ts';
import { ledgerOfAccount, loadAccount } from '../horizon/account.ts';
import { buildTransaction, hashOf, type PlannedPayment, writePayload } from '../horizon/envelope.ts';
import { type Horizon, HorizonError } from '../horizon/horizon.ts';
import { loadLedger, requireFresh, type StellarLedgerState } from '../horizon/ledgers.ts';
import { loadReadiness, type RecipientReadiness } from '../horizon/recipient.ts';
import type { NetworkPart, StellarChain } from '../horizon/stellar-chain.ts';
import { firstBid, loadMarketFee } from './fees.ts';
import { batchSize, type PlanFacts, planPayments, type WaitingPayment, waitingFor } from './plan-payments.ts';
import { signTransaction } from './signing.ts';

const AT_ONCE = 8;

export function makePrepare(chain: StellarChain): NetworkPart<'prepare' | 'cancel'> {
  return {
    prepare: async (payments, turn) => {
      if (payments.length === 0) return { envelopes: [], waiting: [] };
      if (turn.live > 0)
        return postponeAll(payments, 'turn_taken', 'the last transaction is not settled yet');
      let facts: PlanFacts | undefined;
      try {
        facts = await loadLatestFacts(chain, payments, turn);
      } catch (error) {
        return postponeAll(payments, 'network_unreachable', (error as Error).message);
      }
      if (facts === undefined)
        return postponeAll(payments, 'turn_taken', 'no provider has seen the last transaction yet');
      return signPlan(chain, payments, facts, turn, facts.account.sequence + 1n);
    },
    // A transaction that does not land expires soon, so it needs no cancellation.
    cancel: async () => undefined,
  };
}

function postponeAll(payments: readonly Payment[], ...why: Parameters<typeof waitingFor>): SigningResult {
  return { envelopes: [], waiting: payments.map(waitingFor(...why)) };
}

/** Undefined means that no provider shows the last transaction yet. A stalled provider must not delay the other providers. */
async function loadLatestFacts(
  { providers, ...parts }: StellarChain,
  payments: readonly Payment[],
  { lastSequence }: WalletTurn,
): Promise<PlanFacts | undefined> {
  const load = (horizon: Horizon) => loadPlanFacts({ providers, ...parts }, horizon, payments);
  const isUpToDate = ({ account }: PlanFacts) =>
    lastSequence === null || account.sequence >= BigInt(lastSequence);
  const first = await providers.one(load);
  return isUpToDate(first) ? first : (await providers.every(load)).find(isUpToDate);
}

async function loadPlanFacts(
  chain: StellarChain,
  horizon: Horizon,
  payments: readonly Payment[],
): Promise<PlanFacts> {
  const { settings, token, treasury } = chain;
  const ledger = await loadLedger(horizon);
  requireFresh(ledger.closedAtMs, chain.clock.now());
  const account = await loadAccount(horizon, treasury, token);
  if (account === undefined) throw new HorizonError('the treasury account does not exist');
  const afterLedger = ledgerOfAccount(account);
  // If the statistics are not available, the usual fee is offered.
  const bidMinor = firstBid(settings, await loadMarketFee(horizon).catch(() => 0n));
  const looked = payments.filter(({ from }) => from === null).slice(0, batchSize(settings));
  const readiness = new Map<string, RecipientReadiness>();
  for (let start = 0; start < looked.length; start += AT_ONCE) {
    const some = looked.slice(start, start + AT_ONCE);
    const answers = await Promise.all(some.map(({ to }) => loadReadiness(horizon, to, token, settings)));
    for (const [index, answer] of answers.entries()) readiness.set(some[index]!.orderId, answer);
  }
  return { ledger, account, afterLedger, bidMinor, readiness };
}

async function signPlan(
  chain: StellarChain,
  payments: readonly Payment[],
  facts: PlanFacts,
  turn: WalletTurn,
  sequence: bigint,
): Promise<SigningResult> {
  const { clock, settings, token, treasury } = chain;
  const { planned, waiting } = planPayments(payments, facts, turn, settings);
  const validUntilSeconds = computeValidUntil(chain, facts.ledger);
  const { passphrase } = settings;
  const build = (some: readonly PlannedPayment[]) =>
    buildTransaction({
      source: treasury,
      sequence,
      planned: some,
      token,
      passphrase,
      feePerOperation: facts.bidMinor,
      validUntilSeconds,
    });
  const signed = await signAsManyAsAllowed(chain, planned, build);
  if (signed.transaction === undefined) return { envelopes: [], waiting: [...waiting, ...signed.waiting] };
  const paid = signed.paid.map(({ payment }) => payment);
  const envelope = {
    hash: hashOf(signed.transaction),
    source: treasury,
    sequence: `${sequence}`,
    payload: writePayload({
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

/**
 * The time until which the transaction is valid, in seconds, counted from the later of the two clocks. If it were counted from
 * the earlier clock, the transaction could expire before it is sent.
 */
export function computeValidUntil(
  { clock, settings }: StellarChain,
  { closedAtMs }: StellarLedgerState,
): number {
  return Math.floor((Math.max(clock.now(), closedAtMs) + settings.validForMs) / 1000);
}

interface PartlySigned {
  readonly transaction: Transaction | undefined;
  readonly paid: readonly PlannedPayment[];
  readonly waiting: readonly WaitingPayment[];
}

/**
 * Signs all payments. If the signer refuses them, tries halves, quarters and so on, so that one order over a cap does not block
 * the other orders. At most one transaction is signed, because the account has only one next sequence number.
 */
async function signAsManyAsAllowed(
  chain: StellarChain,
  planned: readonly PlannedPayment[],
  build: (some: readonly PlannedPayment[]) => Transaction,
): Promise<PartlySigned> {
  if (planned.length === 0) return { transaction: undefined, paid: [], waiting: [] };
  const refusals: WaitingPayment[] = [];
  const open: (readonly PlannedPayment[])[] = [planned];
  for (let some = open.shift(); some !== undefined; some = open.shift()) {
    const transaction = build(some);
    const refusal = await signTransaction(chain, transaction, some);
    if (refusal === undefined) {
      const later = open
        .flat()
        .map(({ payment }) => waitingFor('turn_taken', 'another payment goes first')(payment));
      return { transaction, paid: some, waiting: [...refusals, ...later] };
    }
    const refused = ({ payment }: PlannedPayment) => waitingFor('signing_refused', refusal.message)(payment);
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
