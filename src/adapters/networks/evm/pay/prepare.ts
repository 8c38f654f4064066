// Signs the payments that can be sent now, with consecutive nonces of the treasury. A nonce is used only when bytes are signed,
// so the nonces never have a gap. If something prevents a payment, the payment waits, and no error is thrown.
import type { Network } from '../../../../ports/networks/network.ts';
import type {
  Obstacle,
  Payment,
  SignedTransaction,
  SigningResult,
  WalletTurn,
} from '../../../../ports/networks/network-payer.ts';
import { SigningRefused } from '../../../../ports/signer.ts';
import type { EvmClient } from '../rpc/client.ts';
import type { EvmContext } from '../rpc/context.ts';
import { allowance, balanceOf } from '../rpc/contracts.ts';
import { type FeeMarket, type GasFees, offerFees, readFeeMarket } from './fees.ts';
import { estimateGasFor } from './gas.ts';
import { type PaymentGroup, planGroups, planSinglePayment, type WaitingPayment } from './plan-groups.ts';
import { signDraft } from './sign.ts';

/** Every transaction pool accepts this number of pending transactions from one sender. */
const MOST_LIVE = 16;
const TRANSFER_GAS = 100_000n;

interface SigningContext {
  readonly nonce: number;
  readonly tokenMinor: bigint;
  readonly allowedMinor: bigint;
  readonly nativeMinor: bigint;
  readonly market: FeeMarket;
  readonly blockGasLimit: bigint;
}

export function makePrepare(context: EvmContext): Network['prepare'] {
  const { settings, parts } = context;
  let warnedOfAllowance = false;
  return async (payments, turn): Promise<SigningResult> => {
    if (payments.length === 0) return { envelopes: [], waiting: [] };
    const wait = (obstacle: Obstacle, detail: string): SigningResult => ({
      envelopes: [],
      waiting: payments.map(({ orderId }) => ({ orderId, obstacle, detail })),
    });
    let scene: SigningContext | undefined;
    try {
      scene = await readSigningContext(context, turn);
    } catch (error) {
      return wait('network_unreachable', (error as Error).message);
    }
    if (scene === undefined)
      return wait('network_unreachable', 'the providers do not agree on the next nonce of the treasury');
    const fees = offerFees(scene.market, settings.maxFeePerGas);
    if (fees === undefined) {
      const asked = scene.market.baseFee + scene.market.tip;
      return wait('native_low', `a unit of gas costs ${asked}, more than the settings allow`);
    }
    if (scene.nativeMinor < settings.marks.nativeMinor)
      return wait('native_low', 'the balance of the fee coin is below its mark');
    const freeMinor = scene.tokenMinor - turn.inFlightMinor;
    const plan = planGroups(payments, {
      ...context,
      batch: settings.batch,
      blockGasLimit: scene.blockGasLimit,
      // Below the minimum balance nothing is paid, and the operator decides what to do.
      freeMinor: freeMinor < settings.marks.tokenMinor ? 0n : freeMinor,
      allowedMinor: scene.allowedMinor - turn.inFlightMinor,
    });
    if (plan.allowanceLow && !warnedOfAllowance) parts.onTrouble(allowanceAdvice(context), {});
    warnedOfAllowance = plan.allowanceLow;
    const desk = makeGroupSigner(context, { scene, fees, turn });
    const gas = await Promise.all(
      plan.groups.slice(0, MOST_LIVE).map((group) => estimateGroupGas(context, group)),
    );
    for (const [index, group] of plan.groups.entries()) await desk.take(group, gas[index]);
    return { envelopes: desk.envelopes, waiting: [...plan.waiting, ...desk.waiting] };
  };
}

export function allowanceAdvice({ settings, treasury, disperse }: EvmContext): string {
  return (
    `${settings.name}: the treasury ${treasury} has not allowed the contract ${disperse} to pay on its behalf, so payments ` +
    `are sent one by one; approve the contract at the token ${settings.token} with: ` +
    `bin/sliproad networks set-up ${settings.name} --mode ${settings.mode}`
  );
}

/** Undefined means that the next nonce is not certain. */
async function readSigningContext(
  context: EvmContext,
  turn: WalletTurn,
): Promise<SigningContext | undefined> {
  const { providers, treasury, token, disperse } = context;
  const ask = <Answer>(
    client: EvmClient,
    question: { data: `0x${string}`; read(data: `0x${string}`): Answer },
  ) => client.call({ from: treasury, to: token, data: question.data }).then(question.read);
  const { nonce, latest, ...rest } = await providers.one(async (client) => {
    const [nonce, latest, tokenMinor, allowedMinor, nativeMinor, market] = await Promise.all([
      client.nonce(treasury, 'latest'),
      client.block('latest'),
      ask(client, balanceOf(treasury)),
      disperse === null ? 0n : ask(client, allowance(treasury, disperse)),
      client.balance(treasury),
      readFeeMarket(client),
    ]);
    return { nonce, latest, tokenMinor, allowedMinor, nativeMinor, market };
  });
  const scene = { ...rest, blockGasLimit: latest?.gasLimit ?? 0n };
  const next = turn.lastSequence === null ? 0 : Number(turn.lastSequence) + 1;
  if (turn.lastSequence !== null && nonce <= next) return { ...scene, nonce: next };
  // Either no nonce was used yet, or a different program sent from this wallet, or the count is wrong. A nonce that is too high
  // would block all later payments. A transaction with a nonce that is too low would never be included.
  const said = await providers.agree(
    (client) => client.nonce(treasury, 'latest'),
    (a, b) => a === b,
  );
  return said.kind === 'agreed' ? { ...scene, nonce: Math.max(next, said.answer) } : undefined;
}

function estimateGroupGas({ providers, treasury }: EvmContext, group: PaymentGroup): Promise<bigint> {
  const call = { from: treasury, to: group.to, data: group.data };
  return providers.one((client) => estimateGasFor(client, call, group));
}

function makeGroupSigner(
  context: EvmContext,
  {
    scene,
    fees,
    turn,
  }: { readonly scene: SigningContext; readonly fees: GasFees; readonly turn: WalletTurn },
) {
  const { parts } = context;
  const envelopes: (SignedTransaction & { orderIds: readonly string[] })[] = [];
  const waiting: WaitingPayment[] = [];
  let nonce = scene.nonce;
  let nativeMinor = scene.nativeMinor - BigInt(turn.live) * TRANSFER_GAS * fees.maxFeePerGas;
  let stopped: { readonly obstacle: Obstacle; readonly detail: string } | undefined;
  const putOff = (payments: readonly Payment[], obstacle: Obstacle, detail: string) => {
    for (const { orderId } of payments) waiting.push({ orderId, obstacle, detail });
  };

  const take = async (group: PaymentGroup, knownGas?: bigint): Promise<void> => {
    const { payments } = group;
    if (turn.live + envelopes.length >= MOST_LIVE)
      stopped ??= { obstacle: 'turn_taken', detail: `${MOST_LIVE} transactions are in progress` };
    if (stopped !== undefined) return putOff(payments, stopped.obstacle, stopped.detail);
    const gas = knownGas ?? (await estimateGroupGas(context, group));
    const cost = gas * fees.maxFeePerGas;
    if (cost > nativeMinor) {
      stopped = {
        obstacle: 'native_low',
        detail: `fees of up to ${cost} exceed the free balance of the treasury`,
      };
      return putOff(payments, stopped.obstacle, stopped.detail);
    }
    try {
      const prepared = await signDraft(context, { ...group, gas }, nonce, fees);
      nonce++;
      nativeMinor -= cost;
      envelopes.push({ ...prepared, orderIds: payments.map(({ orderId }) => orderId) });
    } catch (error) {
      await refused(group, error);
    }
  };
  const refused = async ({ payments }: PaymentGroup, error: unknown): Promise<void> => {
    const known = error instanceof SigningRefused;
    const detail = known ? error.message : 'the signer failed';
    if (!known) parts.onTrouble('signing failed', { network: context.settings.name, error: `${error}` });
    // If the signer refuses one large order, the small orders in the same group must not wait.
    const forOne = known && error.code !== 'stopped' && error.code !== 'unavailable';
    if (!forOne) stopped = { obstacle: 'signing_refused', detail };
    if (forOne && payments.length > 1) {
      for (const payment of payments) await take(planSinglePayment(payment, context));
    } else {
      putOff(payments, 'signing_refused', detail);
    }
  };
  return { take, envelopes, waiting };
}
