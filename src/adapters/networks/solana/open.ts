// Opens a Solana network: it connects to its providers, compares the settings with the chain, and combines the parts. This code
// is loaded only if such a network is configured.
import type { Network } from '../../../ports/networks/network.ts';
import type { ChainParts } from '../chain-parts.ts';
import { makeProviders, type Providers, readLeastOfTwo } from '../providers/providers.ts';
import { observeEveryMs, type SolanaSettings } from '../settings/settings.ts';
import { makeSolanaAddressCheck } from './address.ts';
import { makeConfirm } from './observe/confirm.ts';
import { makeObserve } from './observe/deposits.ts';
import { makeOutflows } from './observe/outflows.ts';
import { makeBroadcastAndAsk } from './pay/broadcast-and-ask.ts';
import { rememberNewest } from './pay/broadcaster.ts';
import { depositOwner, makeRecipientReady, readTreasury } from './pay/payment-context.ts';
import { makePrepare } from './pay/prepare.ts';
import { makePriorityFees } from './pay/priority-fees.ts';
import type { SolanaChain } from './rpc/chain.ts';
import type { SolanaClient } from './rpc/client.ts';
import { type ConnectSolana, connectSolana } from './rpc/connect-solana.ts';
import { requireFreshProvider } from './rpc/freshness.ts';
import { type ChainGuard, checkStart, makeChainGuard } from './start-checks.ts';

export async function openSolanaNetwork(
  settings: SolanaSettings,
  parts: ChainParts,
  connect: ConnectSolana = connectSolana,
): Promise<Network> {
  const { providers, guard } = connectProviders(settings, parts, connect);
  return makeSolanaNetwork(await checkStart(settings, parts, providers, guard));
}

export function connectProviders(
  settings: SolanaSettings,
  parts: ChainParts,
  connect: ConnectSolana,
): { readonly providers: Providers<SolanaClient>; readonly guard: ChainGuard } {
  const guard = makeChainGuard();
  const providers = makeProviders(settings.rpc, (url) => connect(url, guard.expected), {
    clock: parts.clock,
    prove: guard.prove,
    onTrouble: (provider, error) =>
      parts.onTrouble('a provider failed', { network: settings.name, provider, error: error.message }),
  });
  return { providers, guard };
}

function makeSolanaNetwork(chain: SolanaChain): Network {
  const { settings, mint, treasury, treasuryAccount } = chain;
  const fees = makePriorityFees(chain);
  const prepare = makePrepare(chain, fees);
  /** The transactions that this process signed. The observer does not fetch them, because they are not deposits. */
  const own = new Map<string, true>();

  return {
    name: settings.name,
    asset: { code: settings.assetCode, decimals: mint.decimals },
    native: settings.native,
    confirmations: settings.confirmations,
    finalAfterMs: settings.finalAfterMs,
    providerCount: chain.providers.count,
    observeEveryMs: observeEveryMs(settings),
    // A blockhash and a memo make each payment unique, so payments have no nonce and no required order.
    orderedBy: null,
    sweeps: true,
    checkAddress: makeSolanaAddressCheck({
      network: settings.name,
      token: [mint.address],
      own: [treasury, treasuryAccount],
      offCurve: settings.offCurve,
    }),
    depositTarget: (transactionId) => ({
      address: depositOwner(chain, transactionId),
      memo: null,
      memoType: null,
    }),
    explorerUrl: (hash) => settings.explorerTxUrl?.replace('{hash}', hash) ?? null,
    recipientReady: makeRecipientReady(chain),
    prepare: async (payments, turn) => {
      const signed = await prepare(payments, turn);
      for (const { hash } of signed.envelopes) rememberNewest(own, hash, true);
      return signed;
    },
    // A payment that is not included expires soon, because its bytes are valid only up to their last block height.
    replace: async () => undefined,
    cancel: async () => undefined,
    ...makeBroadcastAndAsk(chain, fees),
    observe: makeObserve(chain, (signature) => own.has(signature)),
    confirm: makeConfirm(chain),
    outflows: makeOutflows(chain),
    treasury: async () => {
      const heads = await chain.providers.every((client) => client.finalized());
      const newest = heads.map(({ slot }) => slot).reduce((a, b) => (b > a ? b : a));
      const { tokenMinor, lamports } = await chain.providers.one((client) =>
        readTreasury(chain, client, newest),
      );
      const native = { ...settings.native, amountMinor: lamports, lockedMinor: 0n };
      return { wallet: treasury, tokenMinor, native, marks: settings.marks };
    },
    finalTokens: () =>
      readLeastOfTwo(chain.providers, async (client) => {
        await requireFreshProvider(chain, client);
        return (await readTreasury(chain, client)).tokenMinor;
      }),
    providers: () =>
      chain.providers.look(async (client) => {
        await client.finalized();
        await requireFreshProvider(chain, client);
      }),
  };
}
