// What the treasury of a Solana network signs once: the opening of its token account. Opening an existing account does nothing,
// so it may be signed twice.
import type { NetworkSetUp, SetUpState } from '../../../ports/networks/set-up.ts';
import type { ChainParts } from '../chain-parts.ts';
import type { SolanaSettings } from '../settings/settings.ts';
import { connectAll } from './open.ts';
import { compileInstructions, signEnvelope, wireOf } from './pay/envelope.ts';
import { makeFees } from './pay/fees.ts';
import { readTreasury } from './pay/ground.ts';
import { openTreasury } from './pay/instructions.ts';
import { makeSending } from './pay/sending.ts';
import { type SolanaChain, textOf } from './rpc/chain.ts';
import { soundBlockhash } from './rpc/freshness.ts';
import { type Connect, connectSolana } from './rpc/rpc.ts';
import { openingLamports, WALLET_LAMPORTS } from './rpc/token-account.ts';
import { hasAccount, readChain, warningsOf } from './start.ts';

export async function openSolanaSetUp(
  settings: SolanaSettings,
  parts: ChainParts,
  connect: Connect = connectSolana,
): Promise<NetworkSetUp> {
  const { providers, guard } = connectAll(settings, parts, connect);
  const chain = await readChain(settings, parts, providers, guard);
  return {
    name: settings.name,
    wallet: chain.treasury,
    native: settings.native,
    orderedBy: null,
    explorerUrl: (hash) => settings.explorerTxUrl?.replace('{hash}', hash) ?? null,
    look: () => look(chain),
    ...makeSending(chain, makeFees(chain)),
  };
}

async function look(chain: SolanaChain): Promise<SetUpState> {
  const { mint, treasury, treasuryAccount, providers } = chain;
  const { lamports } = await providers.one((client) => readTreasury(chain, client));
  const advice = warningsOf(chain).map((each) => `${chain.settings.name}: ${each}.`);
  const state = { nativeMinor: lamports, advice };
  if (await hasAccount(chain)) return { ...state, steps: [] };
  const { feeLamports } = openTreasury(chain);
  const step = {
    what: `open ${treasuryAccount}, the account of ${treasury} for the token ${mint.address}`,
    // The wallet itself must keep the minimum balance of an account.
    costMinor: feeLamports + openingLamports(mint) + WALLET_LAMPORTS,
    sign: () => signStep(chain),
  };
  return { ...state, steps: [step] };
}

async function signStep(chain: SolanaChain) {
  const { settings, providers } = chain;
  const { at, transaction, failure } = await providers.one(async (client) => {
    const at = { ...(await soundBlockhash(chain, client)), price: settings.priorityFee };
    const transaction = compileInstructions(chain, openTreasury(chain).instructions, at);
    return { at, transaction, failure: await client.simulate(wireOf(transaction)) };
  });
  if (failure !== null)
    throw new Error(
      `${settings.name}: the account cannot be opened; the network answers ${textOf(failure)}.`,
    );
  // The SOL that stays locked in the account is part of the cost.
  const opened = { account: chain.treasuryAccount, change: '0', opens: true };
  const { orderIds: _, ...prepared } = await signEnvelope(chain, transaction, [], at, [opened]);
  return prepared;
}
