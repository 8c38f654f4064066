// A Stellar network with real tokens. One treasury account sends the payments and receives the deposits. Each deposit has a
// different memo. This code is loaded only when such a network is configured, because the SDK is large.
import type { Network } from '../../../ports/networks/network.ts';
import type { ChainParts } from '../chain-parts.ts';
import { WrongChainError } from '../providers/errors.ts';
import { makeProviders, readLeastOfTwo } from '../providers/providers.ts';
import { observeEveryMs, type StellarSettings } from '../settings/settings.ts';
import { makeStellarAddressCheck } from './address.ts';
import { loadAccount, spendableNative } from './horizon/account.ts';
import { connectHorizon, type Horizon, HorizonError } from './horizon/horizon.ts';
import { loadHistory, loadLedger, requireFresh } from './horizon/ledgers.ts';
import { loadReadiness, memoIdOf } from './horizon/recipient.ts';
import type { NetworkPart, StellarChain } from './horizon/stellar-chain.ts';
import { StrKey } from './horizon/strkey.ts';
import { makeDeposits } from './observe/deposits.ts';
import { makeOutflows } from './observe/outflows.ts';
import { makeAsk } from './pay/ask.ts';
import { makeBroadcast } from './pay/broadcast.ts';
import { makeFeeBump } from './pay/fees.ts';
import { makePrepare } from './pay/prepare.ts';
import { checkStart } from './start-checks.ts';

/** Throws an Error for the operator when the network does not match the settings. */
export async function openStellarNetwork(settings: StellarSettings, parts: ChainParts): Promise<Network> {
  const { name, assetCode, decimals, confirmations, finalAfterMs, explorerTxUrl } = settings;
  const chain = await makeStellarChain(settings, parts);
  const { treasury } = chain;
  const checkAddress = makeStellarAddressCheck({ network: name, token: [settings.token], own: [treasury] });
  await checkStart(chain);
  return {
    name,
    asset: { code: assetCode, decimals },
    native: settings.native,
    confirmations,
    finalAfterMs,
    providerCount: chain.providers.count,
    observeEveryMs: observeEveryMs(settings),
    orderedBy: treasury,
    sweeps: false,
    checkAddress,
    depositTarget: (id) => ({ address: treasury, memo: memoIdOf(name, id), memoType: 'id' }),
    explorerUrl: (hash) => explorerTxUrl?.replace('{hash}', hash) ?? null,
    ...makeRecipientReady(chain),
    ...makePrepare(chain),
    ...makeFeeBump(chain),
    ...makeBroadcast(chain),
    ...makeAsk(chain),
    ...makeDeposits(chain),
    ...makeOutflows(chain),
    ...makeTreasury(chain),
    finalTokens: () => readFinalTokens(chain),
    providers: () => chain.providers.look((horizon) => requireLiveProvider(chain, horizon)),
  };
}

export async function makeStellarChain(settings: StellarSettings, parts: ChainParts): Promise<StellarChain> {
  const { name, key, rpc, assetCode } = settings;
  const treasury =
    parts.wallet ?? StrKey.encodeEd25519PublicKey(Buffer.from(await parts.signer.publicKey(key, 'ed25519')));
  const providers = makeProviders(rpc, connectHorizon, {
    clock: parts.clock,
    prove: async (horizon) => {
      const { passphrase } = await loadHistory(horizon);
      if (passphrase !== settings.passphrase)
        throw new WrongChainError(`"${passphrase.slice(0, 80)}"`, `"${settings.passphrase}"`);
    },
    onTrouble: (provider, { message }) =>
      parts.onTrouble(`${name}: a provider failed`, { provider, message }),
  });
  const token = { code: assetCode, issuer: settings.token };
  return { ...parts, settings, providers, treasury, token };
}

function makeRecipientReady({ providers, token, settings }: StellarChain): NetworkPart<'recipientReady'> {
  return {
    recipientReady: async ({ to, amountMinor }) => {
      try {
        const ready = await providers.one((horizon) => loadReadiness(horizon, to, token, settings));
        if (ready.kind === 'claimable_balance') return 'ready';
        if (ready.kind !== 'payment') return ready.kind;
        return ready.roomMinor >= amountMinor ? 'ready' : 'waiting';
      } catch {
        return 'unknown';
      }
    },
  };
}

function makeTreasury({ providers, token, settings, treasury }: StellarChain): NetworkPart<'treasury'> {
  const { marks, native } = settings;
  return {
    treasury: () =>
      providers.one(async (horizon) => {
        const ledger = await loadLedger(horizon);
        const account = await loadAccount(horizon, treasury, token);
        if (account === undefined) throw new HorizonError('the treasury account does not exist');
        const nativeMinor = spendableNative(account, ledger);
        const amountMinor = nativeMinor > 0n ? nativeMinor : 0n;
        return {
          wallet: treasury,
          tokenMinor: account.trustline?.freeMinor ?? 0n,
          native: { ...native, amountMinor, lockedMinor: account.nativeTotalMinor - amountMinor },
          marks,
        };
      }),
  };
}

/** A closed ledger is final. */
function readFinalTokens(chain: StellarChain): Promise<bigint> {
  return readLeastOfTwo(chain.providers, async (horizon) => {
    await requireLiveProvider(chain, horizon);
    const account = await loadAccount(horizon, chain.treasury, chain.token);
    return account?.trustline?.freeMinor ?? 0n;
  });
}

async function requireLiveProvider({ clock }: StellarChain, horizon: Horizon): Promise<void> {
  const { latestClosedAtMs } = await loadHistory(horizon);
  requireFresh(latestClosedAtMs, clock.now());
}
