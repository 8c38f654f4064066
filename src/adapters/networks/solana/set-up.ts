// The one-time set-up of a Solana network. The treasury signs a transaction that opens its token account. Opening an existing
// account has no effect, so the transaction may be signed twice.
import type { NetworkSetUp, SetUpState } from '../../../ports/networks/set-up.ts';
import type { ChainParts } from '../chain-parts.ts';
import type { SolanaSettings } from '../settings/settings.ts';
import { connectProviders } from './open.ts';
import { makeBroadcastAndAsk } from './pay/broadcast-and-ask.ts';
import { compileInstructions, signEnvelope, wireOf } from './pay/envelope.ts';
import { openTreasuryInstructions } from './pay/instructions.ts';
import { readTreasury } from './pay/payment-context.ts';
import { makePriorityFees } from './pay/priority-fees.ts';
import { jsonTextOf, type SolanaChain } from './rpc/chain.ts';
import { type ConnectSolana, connectSolana } from './rpc/connect-solana.ts';
import { readSoundBlockhash } from './rpc/freshness.ts';
import { openingLamports, WALLET_LAMPORTS } from './rpc/token-account.ts';
import { hasTreasuryAccount, issuerWarningsOf, readChain } from './start-checks.ts';

export async function openSolanaSetUp(
  settings: SolanaSettings,
  parts: ChainParts,
  connect: ConnectSolana = connectSolana,
): Promise<NetworkSetUp> {
  const { providers, guard } = connectProviders(settings, parts, connect);
  const chain = await readChain(settings, parts, providers, guard);
  return {
    name: settings.name,
    wallet: chain.treasury,
    native: settings.native,
    orderedBy: null,
    explorerUrl: (hash) => settings.explorerTxUrl?.replace('{hash}', hash) ?? null,
    look: () => readSetUpState(chain),
    ...makeBroadcastAndAsk(chain, makePriorityFees(chain)),
  };
}

async function readSetUpState(chain: SolanaChain): Promise<SetUpState> {
  const { mint, treasury, treasuryAccount, providers } = chain;
  const { lamports } = await providers.one((client) => readTreasury(chain, client));
  const advice = issuerWarningsOf(chain).map((each) => `${chain.settings.name}: ${each}.`);
  const state = { nativeMinor: lamports, advice };
  if (await hasTreasuryAccount(chain)) return { ...state, steps: [] };
  const { feeLamports } = openTreasuryInstructions(chain);
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
    const at = { ...(await readSoundBlockhash(chain, client)), price: settings.priorityFee };
    const transaction = compileInstructions(chain, openTreasuryInstructions(chain).instructions, at);
    return { at, transaction, failure: await client.simulate(wireOf(transaction)) };
  });
  if (failure !== null)
    throw new Error(
      `${settings.name}: the account cannot be opened; the network answers ${jsonTextOf(failure)}.`,
    );
  // The SOL that stays locked in the account is part of the cost.
  const opened = { account: chain.treasuryAccount, change: '0', opens: true };
  const { orderIds: _, ...prepared } = await signEnvelope(chain, transaction, [], at, [opened]);
  return prepared;
}
