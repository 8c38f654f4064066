// Signs what may go out now: payments as far as the treasury's tokens and SOL last, in as few transactions as they fit into,
// and sweeps apart from them. A payment that cannot go waits with a reason. Nothing is broadcast here.
import type { Network } from '../../../../ports/networks/network.ts';
import type { Obstacle, Payment, Signed, Turn } from '../../../../ports/networks/pays.ts';
import { SigningRefused } from '../../../../ports/signer.ts';
import { messageOf, type SolanaChain, textOf } from '../rpc/chain.ts';
import { openingLamports, WALLET_LAMPORTS } from '../rpc/token-account.ts';
import { compile, fits, signEnvelope, type Terms, wireOf } from './envelope.ts';
import type { Fees } from './fees.ts';
import { type Ground, readGround, withCertainEmpties } from './ground.ts';
import { FIRST_MOVE, feeLamports, openings, type Part } from './instructions.ts';

// What a failed trial run means for a payment: the treasury is short of tokens or SOL, or the chain has a problem that may
// pass.

/** Both the system program and the token programs say "not enough" with it. */
const NOT_ENOUGH = '"Custom":"1"';

export function obstacleOf(failure: unknown, parts: readonly Part[]): { obstacle: Obstacle; detail: string } {
  const text = textOf(failure);
  const detail = `a trial run failed: ${text}`;
  if (/InsufficientFundsForFee|InsufficientFundsForRent|AccountNotFound/.test(text))
    return { obstacle: 'native_low', detail };
  if (!text.replaceAll(/:(\d+)/g, ':"$1"').includes(NOT_ENOUGH))
    return { obstacle: 'network_unreachable', detail };
  const at = Number(/"InstructionError":\["?(\d+)/.exec(text)?.[1] ?? FIRST_MOVE);
  if (at >= FIRST_MOVE && at < FIRST_MOVE + openings(parts).length) return { obstacle: 'native_low', detail };
  return { obstacle: parts[0]?.kind === 'pay' ? 'treasury_low' : 'network_unreachable', detail };
}

type Waiting = Signed['waiting'][number];
type Outcome = { readonly envelope: Signed['envelopes'][number] } | { readonly waiting: readonly Waiting[] };

/** Refusals that one order alone would meet as well. */
const REFUSED_ANYHOW: readonly string[] = ['stopped', 'unavailable'];

export function makePrepare(chain: SolanaChain, fees: Fees): Network['prepare'] {
  let signings = 0;

  return async (payments, turn) => {
    if (payments.length === 0) return { envelopes: [], waiting: [] };
    let ground: Ground;
    try {
      const seen = await chain.providers.one((client) => readGround(chain, client, payments));
      ground = await withCertainEmpties(chain, seen);
    } catch (error) {
      return { envelopes: [], waiting: wait(payments, 'network_unreachable', messageOf(error)) };
    }
    // The same orders signed again are other bytes, even on a provider that still has the same blockhash.
    const tag = () =>
      `${chain.clock.now().toString(36)}${(signings++ % 1_296).toString(36).padStart(2, '0')}`;
    const { marks } = chain.settings;
    if (ground.lamports < marks.nativeMinor) {
      const detail = 'the coin for fees is below its mark';
      return { envelopes: [], waiting: wait(payments, 'native_low', detail) };
    }
    const { parts, waiting } = affordable(ground, turn, marks.tokenMinor);
    const terms = { ...ground.blockhash, price: await fees.price() };
    const run = { chain, terms, tag, spare: ground.lamports - WALLET_LAMPORTS };
    const envelopes: Signed['envelopes'][number][] = [];
    for (const group of grouped(run, parts)) {
      for (const outcome of await signGroup(run, group)) {
        if ('envelope' in outcome) envelopes.push(outcome.envelope);
        else waiting.push(...outcome.waiting);
      }
    }
    return { envelopes, waiting };
  };
}

interface Run {
  readonly chain: SolanaChain;
  readonly terms: Terms;
  readonly tag: () => string;
  /** Lamports not yet promised. */
  spare: bigint;
}

/** In the order given, as far as the tokens last: smaller payments do not overtake a large one forever. */
function affordable({ found, tokenMinor }: Ground, { inFlightMinor }: Turn, markMinor: bigint) {
  let leftMinor = tokenMinor - inFlightMinor;
  // Below the mark nothing is paid: the operator decides about the rest.
  let short = leftMinor < markMinor;
  const parts: Part[] = [];
  const waiting: Waiting[] = [];
  for (const each of found) {
    if ('problem' in each) {
      waiting.push(...wait([each.payment], each.obstacle, each.problem));
    } else if (each.kind !== 'pay') {
      parts.push(each);
    } else {
      short ||= each.payment.amountMinor > leftMinor;
      if (short) waiting.push(...wait([each.payment], 'treasury_low', 'the treasury has too few tokens'));
      else {
        leftMinor -= each.payment.amountMinor;
        parts.push(each);
      }
    }
  }
  return { parts, waiting };
}

function grouped({ chain, terms, tag }: Run, parts: readonly Part[]): readonly (readonly Part[])[] {
  const sample = tag();
  const alone = parts.filter(({ payment }) => payment.alone).map((part) => [part]);
  const groups: Part[][] = [];
  for (const kind of ['pay', 'sweep', 'nothing']) {
    let current: Part[] = [];
    for (const part of parts) {
      if (part.kind !== kind || part.payment.alone) continue;
      const wider = [...current, part];
      const full =
        current.length > 0 && (wider.length > chain.settings.batch || !fits(chain, wider, terms, sample));
      if (full) groups.push(current);
      current = full ? [part] : wider;
    }
    if (current.length > 0) groups.push(current);
  }
  return [...alone, ...groups];
}

async function signGroup(run: Run, parts: readonly Part[]): Promise<readonly Outcome[]> {
  const outcome = await signOne(run, parts);
  if (outcome !== 'apart') return [outcome];
  const outcomes: Outcome[] = [];
  for (const part of parts) outcomes.push((await signOne(run, [part])) as Outcome);
  return outcomes;
}

/** `apart`: together they cannot go, but one by one some of them may. */
async function signOne(run: Run, parts: readonly Part[]): Promise<Outcome | 'apart'> {
  const { chain, terms } = run;
  const held = (obstacle: Obstacle, detail: string): Outcome | 'apart' =>
    parts.length > 1 ? 'apart' : { waiting: wait([parts[0]!.payment], obstacle, detail) };
  const costLamports =
    feeLamports(parts, terms.price) + BigInt(openings(parts).length) * openingLamports(chain.mint);
  if (costLamports > run.spare) return held('native_low', 'the treasury has too little SOL for the fees');
  const transaction = compile(chain, parts, terms, run.tag());
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
    if (!(error instanceof SigningRefused)) return { waiting: waitAll(parts, 'network_unreachable', error) };
    if (REFUSED_ANYHOW.includes(error.code)) return { waiting: waitAll(parts, 'signing_refused', error) };
    return held('signing_refused', error.message);
  }
}

function waitAll(parts: readonly Part[], obstacle: Obstacle, error: unknown): readonly Waiting[] {
  return wait(
    parts.map(({ payment }) => payment),
    obstacle,
    messageOf(error),
  );
}

function wait(payments: readonly Payment[], obstacle: Obstacle, detail: string): readonly Waiting[] {
  return payments.map(({ orderId }) => ({ orderId, obstacle, detail }));
}
