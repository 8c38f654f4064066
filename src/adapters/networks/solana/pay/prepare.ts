// Signs the payments that can be sent now, as long as the treasury has enough tokens and SOL, in as few transactions as
// possible. Sweeps get separate transactions. A payment that cannot be sent waits with a reason. This file broadcasts nothing.
import type { Network } from '../../../../ports/networks/network.ts';
import type {
  Obstacle,
  Payment,
  SigningResult,
  WalletTurn,
} from '../../../../ports/networks/network-payer.ts';
import { SigningRefused } from '../../../../ports/signer.ts';
import { jsonTextOf, messageOf, type SolanaChain } from '../rpc/chain.ts';
import { openingLamports, WALLET_LAMPORTS } from '../rpc/token-account.ts';
import { compilePayments, fitsInTransaction, type SigningTerms, signEnvelope, wireOf } from './envelope.ts';
import { accountOpenings, FIRST_MOVE_INDEX, feeLamports, type PaymentPart } from './instructions.ts';
import { confirmEmptySweeps, type PaymentContext, readPaymentContext } from './payment-context.ts';
import type { PriorityFees } from './priority-fees.ts';

// The reason why a payment must wait after a failed simulation: the treasury has too few tokens or too little SOL, or the chain
// has a temporary problem.

/** The error code for "not enough" in both the system program and the token programs. */
const NOT_ENOUGH = '"Custom":"1"';

export function obstacleOf(
  failure: unknown,
  parts: readonly PaymentPart[],
): { obstacle: Obstacle; detail: string } {
  const text = jsonTextOf(failure);
  const detail = `a trial run failed: ${text}`;
  if (/InsufficientFundsForFee|InsufficientFundsForRent|AccountNotFound/.test(text))
    return { obstacle: 'native_low', detail };
  if (!text.replaceAll(/:(\d+)/g, ':"$1"').includes(NOT_ENOUGH))
    return { obstacle: 'network_unreachable', detail };
  const at = Number(/"InstructionError":\["?(\d+)/.exec(text)?.[1] ?? FIRST_MOVE_INDEX);
  if (at >= FIRST_MOVE_INDEX && at < FIRST_MOVE_INDEX + accountOpenings(parts).length)
    return { obstacle: 'native_low', detail };
  return { obstacle: parts[0]?.kind === 'pay' ? 'treasury_low' : 'network_unreachable', detail };
}

type WaitingPayment = SigningResult['waiting'][number];
type SigningOutcome =
  | { readonly envelope: SigningResult['envelopes'][number] }
  | { readonly waiting: readonly WaitingPayment[] };

/** Refusals that would also apply to a single order. */
const REFUSED_ANYHOW: readonly string[] = ['stopped', 'unavailable'];

export function makePrepare(chain: SolanaChain, fees: PriorityFees): Network['prepare'] {
  let signings = 0;

  return async (payments, turn) => {
    if (payments.length === 0) return { envelopes: [], waiting: [] };
    let ground: PaymentContext;
    try {
      const seen = await chain.providers.one((client) => readPaymentContext(chain, client, payments));
      ground = await confirmEmptySweeps(chain, seen);
    } catch (error) {
      return { envelopes: [], waiting: postponePayments(payments, 'network_unreachable', messageOf(error)) };
    }
    // The tag makes the bytes different when the same orders are signed again with the same blockhash.
    const tag = () =>
      `${chain.clock.now().toString(36)}${(signings++ % 1_296).toString(36).padStart(2, '0')}`;
    const { marks } = chain.settings;
    if (ground.lamports < marks.nativeMinor) {
      const detail = 'the balance for fees is below "low_water"';
      return { envelopes: [], waiting: postponePayments(payments, 'native_low', detail) };
    }
    const { parts, waiting } = splitAffordable(ground, turn, marks.tokenMinor);
    const terms = { ...ground.blockhash, price: await fees.price() };
    const run = { chain, terms, tag, spare: ground.lamports - WALLET_LAMPORTS };
    const envelopes: SigningResult['envelopes'][number][] = [];
    for (const group of groupParts(run, parts)) {
      for (const outcome of await signGroup(run, group)) {
        if ('envelope' in outcome) envelopes.push(outcome.envelope);
        else waiting.push(...outcome.waiting);
      }
    }
    return { envelopes, waiting };
  };
}

interface SigningRun {
  readonly chain: SolanaChain;
  readonly terms: SigningTerms;
  readonly tag: () => string;
  /** Lamports that no signed transaction uses yet. */
  spare: bigint;
}

/**
 * Takes payments in the given order, as long as the tokens are enough. A smaller payment is not made before a large one that
 * waits.
 */
function splitAffordable(
  { found, tokenMinor }: PaymentContext,
  { inFlightMinor }: WalletTurn,
  markMinor: bigint,
) {
  let leftMinor = tokenMinor - inFlightMinor;
  // Below the minimum balance nothing is paid, and the operator decides what to do.
  let short = leftMinor < markMinor;
  const parts: PaymentPart[] = [];
  const waiting: WaitingPayment[] = [];
  for (const each of found) {
    if ('problem' in each) {
      waiting.push(...postponePayments([each.payment], each.obstacle, each.problem));
    } else if (each.kind !== 'pay') {
      parts.push(each);
    } else {
      short ||= each.payment.amountMinor > leftMinor;
      if (short)
        waiting.push(...postponePayments([each.payment], 'treasury_low', 'the treasury has too few tokens'));
      else {
        leftMinor -= each.payment.amountMinor;
        parts.push(each);
      }
    }
  }
  return { parts, waiting };
}

function groupParts(
  { chain, terms, tag }: SigningRun,
  parts: readonly PaymentPart[],
): readonly (readonly PaymentPart[])[] {
  const sample = tag();
  const alone = parts.filter(({ payment }) => payment.alone).map((part) => [part]);
  const groups: PaymentPart[][] = [];
  for (const kind of ['pay', 'sweep', 'nothing']) {
    let current: PaymentPart[] = [];
    for (const part of parts) {
      if (part.kind !== kind || part.payment.alone) continue;
      const wider = [...current, part];
      const full =
        current.length > 0 &&
        (wider.length > chain.settings.batch || !fitsInTransaction(chain, wider, terms, sample));
      if (full) groups.push(current);
      current = full ? [part] : wider;
    }
    if (current.length > 0) groups.push(current);
  }
  return [...alone, ...groups];
}

async function signGroup(run: SigningRun, parts: readonly PaymentPart[]): Promise<readonly SigningOutcome[]> {
  const outcome = await signParts(run, parts);
  if (outcome !== 'apart') return [outcome];
  const outcomes: SigningOutcome[] = [];
  for (const part of parts) outcomes.push((await signParts(run, [part])) as SigningOutcome);
  return outcomes;
}

/** `apart` means that the parts cannot be sent together, but some of them may work separately. */
async function signParts(run: SigningRun, parts: readonly PaymentPart[]): Promise<SigningOutcome | 'apart'> {
  const { chain, terms } = run;
  const held = (obstacle: Obstacle, detail: string): SigningOutcome | 'apart' =>
    parts.length > 1 ? 'apart' : { waiting: postponePayments([parts[0]!.payment], obstacle, detail) };
  const costLamports =
    feeLamports(parts, terms.price) + BigInt(accountOpenings(parts).length) * openingLamports(chain.mint);
  if (costLamports > run.spare) return held('native_low', 'the treasury has too little SOL for the fees');
  const transaction = compilePayments(chain, parts, terms, run.tag());
  try {
    if (parts.some(({ kind }) => kind !== 'nothing')) {
      const failure = await chain.providers.one((client) => client.simulate(wireOf(transaction)));
      if (failure !== null) {
        const { obstacle, detail } = obstacleOf(failure, parts);
        return held(obstacle, detail);
      }
    }
    const envelope = await signEnvelope(chain, transaction, parts, terms);
    run.spare -= costLamports;
    return { envelope };
  } catch (error) {
    if (!(error instanceof SigningRefused))
      return { waiting: postponeParts(parts, 'network_unreachable', error) };
    if (REFUSED_ANYHOW.includes(error.code))
      return { waiting: postponeParts(parts, 'signing_refused', error) };
    return held('signing_refused', error.message);
  }
}

function postponeParts(
  parts: readonly PaymentPart[],
  obstacle: Obstacle,
  error: unknown,
): readonly WaitingPayment[] {
  return postponePayments(
    parts.map(({ payment }) => payment),
    obstacle,
    messageOf(error),
  );
}

function postponePayments(
  payments: readonly Payment[],
  obstacle: Obstacle,
  detail: string,
): readonly WaitingPayment[] {
  return payments.map(({ orderId }) => ({ orderId, obstacle, detail }));
}
