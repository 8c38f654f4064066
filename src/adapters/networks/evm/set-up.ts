// The one-time set-up of an EVM network. The treasury deploys ForwarderFactory and Disperse, and approves Disperse to spend its
// tokens. Steps that are already on the chain are skipped.
import { encodeAbiParameters, getAddress, type Hex, type TransactionSerializableEIP1559 } from 'viem';
import disperseCode from '../../../../contracts/artefacts/Disperse.json' with { type: 'json' };
import factoryCode from '../../../../contracts/artefacts/ForwarderFactory.json' with { type: 'json' };
import type { SendStatus, SignedTransaction, WalletTurn } from '../../../ports/networks/network-payer.ts';
import type { NetworkSetUp, SetUpState, SetUpStep } from '../../../ports/networks/set-up.ts';
import type { ChainParts } from '../chain-parts.ts';
import { type EvmSettings, NOT_DEPLOYED } from '../settings/settings.ts';
import {
  contractAddressAt,
  type DeployedContracts,
  findDeployedContracts,
  sameDeployedContracts,
} from './deployed-contracts.ts';
import { makeEvmContext } from './open.ts';
import { displacedReason } from './pay/ask.ts';
import { makeBroadcast } from './pay/broadcast.ts';
import { type GasFees, offerFees, readFeeMarket } from './pay/fees.ts';
import { hashSignedBytes, writePayload } from './pay/payload.ts';
import { signTransaction } from './pay/sign.ts';
import { type ConnectEvm, connectEvm } from './rpc/client.ts';
import type { EvmContext } from './rpc/context.ts';
import { approveCall } from './rpc/contracts.ts';
import {
  type EnvelopeStanding,
  readEnvelopeStanding,
  sameEnvelopeStanding,
} from './rpc/envelope-standing.ts';
import { readStartFacts, setUpProblem } from './start-checks.ts';

const UNLIMITED = 2n ** 256n - 1n;
/** Some tokens reduce an unlimited approval with each payment. The approval never falls below this number. */
const UNLIMITED_STILL = 2n ** 255n;
const APPROVAL_GAS = 100_000n;

export async function openEvmSetUp(
  settings: EvmSettings,
  parts: ChainParts,
  connect: ConnectEvm = connectEvm,
): Promise<NetworkSetUp> {
  const context = await makeEvmContext(settings, parts, connect);
  /** The blocks in which this process saw new contracts. The search for deposits may start at such a block. */
  const madeIn = new Map<Hex, bigint>();
  return {
    name: settings.name,
    wallet: context.wallet,
    native: settings.native,
    orderedBy: context.wallet,
    explorerUrl: (hash) => settings.explorerTxUrl?.replace('{hash}', hash) ?? null,
    look: () => readSetUpState(context, madeIn),
    broadcast: makeBroadcast(context),
    ask: async ({ versions }) => {
      try {
        const said = await context.providers.agree(
          (client) =>
            readEnvelopeStanding(
              client,
              context.treasury,
              { versions, orderIds: [] },
              parts.clock.now(),
              true,
            ),
          sameEnvelopeStanding,
        );
        if (said.kind === 'unconfirmed') return { kind: 'unknown', reason: 'only one provider answers' };
        if (said.kind === 'differ') return { kind: 'pending' };
        if (said.answer.kind === 'landed')
          madeIn.set(contractAddressAt(context, Number(versions[0]!.sequence)), said.answer.receipt.block);
        return statusOf(context, said.answer);
      } catch (error) {
        return { kind: 'unknown', reason: (error as Error).message };
      }
    },
  };
}

async function readSetUpState(context: EvmContext, madeIn: ReadonlyMap<Hex, bigint>): Promise<SetUpState> {
  const { settings, providers, treasury } = context;
  await readStartFacts(context, setUpProblem);
  const said = await providers.agree(
    (client) => findDeployedContracts(context, client),
    sameDeployedContracts,
  );
  if (said.kind === 'differ')
    throw new Error(`${settings.name}: the providers disagree about the treasury. Try again soon.`);
  const found = said.answer;
  const { market, nativeMinor } = await providers.one(async (client) => ({
    market: await readFeeMarket(client),
    nativeMinor: await client.balance(treasury),
  }));
  const fees = offerFees(market, settings.maxFeePerGas);
  if (fees === undefined)
    throw new Error(
      `${settings.name}: a unit of gas costs ${market.baseFee + market.tip} wei, more than "max_fee_per_gas_gwei" allows.`,
    );
  return {
    steps: await planSteps(context, found, fees),
    nativeMinor,
    advice: adviceOf(context, found, madeIn),
  };
}

async function planSteps(
  context: EvmContext,
  found: DeployedContracts,
  fees: GasFees,
): Promise<readonly SetUpStep[]> {
  const { settings, providers, treasury, token, wallet } = context;
  const { factory, disperse, allowedMinor } = found;
  const steps: SetUpStep[] = [];
  const add = async (what: string, content: { readonly to?: Hex; readonly data: Hex }) => {
    const estimate = await providers
      .one((client) => client.estimateGas({ from: treasury, ...content }))
      .catch((error: Error) => {
        throw new Error(
          `${settings.name}: the transaction would fail, or cannot be estimated (${error.message}): ${what}`,
        );
      });
    const gas = (estimate * 5n) / 4n;
    const sign = (turn: WalletTurn) => signStep(context, found, turn, { ...content, gas, ...fees });
    steps.push({ what, costMinor: gas * fees.maxFeePerGas, sign });
  };
  const owned = encodeAbiParameters([{ type: 'address' }], [treasury]).slice(2);
  if (factory === undefined)
    await add(`deploy ForwarderFactory, which brings deposits to ${wallet} and nowhere else`, {
      data: `${factoryCode.bytecode}${owned}` as Hex,
    });
  if (disperse === undefined)
    await add(`deploy Disperse, through which only ${wallet} may pay`, {
      data: `${disperseCode.bytecode}${owned}` as Hex,
    });
  if (disperse === null || (disperse !== undefined && allowedMinor >= UNLIMITED_STILL)) return steps;
  const spender = disperse === undefined ? 'Disperse' : `Disperse at ${getAddress(disperse)}`;
  const what = `approve, at the token contract ${settings.token}, that ${spender} may spend the treasury's tokens without limit`;
  if (disperse !== undefined) await add(what, { to: token, data: approveCall(disperse, UNLIMITED) });
  else
    steps.push({
      what,
      costMinor: APPROVAL_GAS * fees.maxFeePerGas,
      sign: () => Promise.reject(new Error(`${settings.name}: deploy Disperse first.`)),
    });
  return steps;
}

async function signStep(
  context: EvmContext,
  { nonce, nonceAtFinality }: DeployedContracts,
  { lastSequence }: WalletTurn,
  content: Omit<TransactionSerializableEIP1559, 'type' | 'chainId' | 'nonce'>,
): Promise<SignedTransaction> {
  const { settings, wallet, parts } = context;
  if (nonce !== nonceAtFinality)
    throw new Error(`${settings.name}: the last transaction of ${wallet} is not final yet. Try again soon.`);
  if (lastSequence !== null && Number(lastSequence) >= nonce)
    throw new Error(`${settings.name}: the providers have not seen the last payment yet. Try again soon.`);
  const raw = await signTransaction(context, { ...content, nonce }, []);
  return {
    hash: hashSignedBytes(raw),
    source: wallet,
    sequence: `${nonce}`,
    // The transaction has the same kind as a cancellation, because it uses a nonce and pays nothing.
    payload: writePayload({ kind: 'cancel', raw, batch: null, items: [] }),
    bound: null,
    signedAtMs: parts.clock.now(),
  };
}

function statusOf({ settings }: EvmContext, standing: EnvelopeStanding): SendStatus {
  switch (standing.kind) {
    case 'landed': {
      const { hash, block, success, gasUsed, gasPrice } = standing.receipt;
      const cost = { asset: settings.native.asset, feeMinor: gasUsed * gasPrice, opened: [] };
      if (!success) return { kind: 'failed', reason: 'it reverted', cost };
      return { kind: 'final', hash, evidence: { block: `${block}` }, unpaid: [], cost };
    }
    case 'included':
      return { kind: 'included', confirmations: standing.confirmations };
    case 'spent':
      return { kind: 'held', reason: displacedReason(standing.by) };
    case 'unseen':
    case 'open':
      return { kind: 'pending' };
  }
}

function adviceOf(
  { settings }: EvmContext,
  { factory, disperse }: DeployedContracts,
  madeIn: ReadonlyMap<Hex, bigint>,
): readonly string[] {
  const lines: string[] = [];
  if (settings.forwarderFactory === NOT_DEPLOYED && factory !== undefined) {
    lines.push(`"forwarder_factory": "${getAddress(factory)}"`);
    const block = madeIn.get(factory);
    lines.push(`"first_block": ${block ?? 'the block in which the factory was deployed (see an explorer)'}`);
  }
  if (settings.disperse === NOT_DEPLOYED && typeof disperse === 'string')
    lines.push(`"disperse": "${getAddress(disperse)}"`);
  if (lines.length === 0) return [];
  return [`In the networks file, for ${settings.name} (${settings.mode}): ${lines.join(', ')}`];
}
