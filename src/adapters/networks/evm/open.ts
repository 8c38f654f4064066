// Opens an EVM network with real tokens from one row of the settings. This code is loaded only if such a network is configured.
// Data that is kept in memory between calls may be lost, because the caller or the chain stores all important data.
import { getAddress, type Hex } from 'viem';
import { publicKeyToAddress } from 'viem/accounts';
import type { Network } from '../../../ports/networks/network.ts';
import type { ChainParts } from '../chain-parts.ts';
import { WrongChainError } from '../providers/errors.ts';
import { makeProviders, readLeastOfTwo } from '../providers/providers.ts';
import { type EvmSettings, observeEveryMs } from '../settings/settings.ts';
import { makeEvmAddressCheck } from './address.ts';
import { makeConfirm } from './observe/confirm.ts';
import { makeObserve } from './observe/observe.ts';
import { makeOutflows } from './observe/outflows.ts';
import type { TransferOrigins } from './observe/read-deposits.ts';
import { makeAsk, makeShows } from './pay/ask.ts';
import { makeBroadcast } from './pay/broadcast.ts';
import { makePrepare } from './pay/prepare.ts';
import { makeRecipientReady } from './pay/recipient-ready.ts';
import { makeReplaceAndCancel } from './pay/replace-and-cancel.ts';
import { type ConnectEvm, connectEvm, type EvmClient } from './rpc/client.ts';
import type { EvmContext } from './rpc/context.ts';
import { balanceOf, forwarderAddress, lowerHex } from './rpc/contracts.ts';
import { requireFreshBlock } from './rpc/envelope-standing.ts';
import { checkStart } from './start-checks.ts';

/** Throws with a message for the operator when the chain does not match the settings. */
export async function openEvmNetwork(
  settings: EvmSettings,
  parts: ChainParts,
  connect: ConnectEvm = connectEvm,
): Promise<Network> {
  const context = await makeEvmContext(settings, parts, connect);
  const own = [settings.forwarderFactory, ...(settings.disperse === null ? [] : [settings.disperse])];
  const rules = { network: settings.name, token: [settings.token], own: [context.wallet, ...own] };
  const checkAddress = makeEvmAddressCheck(rules);
  await checkStart(context);
  const origins: TransferOrigins = new Map();
  return {
    name: settings.name,
    asset: { code: settings.assetCode, decimals: settings.decimals },
    native: settings.native,
    confirmations: settings.confirmations,
    finalAfterMs: settings.finalAfterMs,
    providerCount: context.providers.count,
    observeEveryMs: observeEveryMs(settings),
    orderedBy: context.wallet,
    sweeps: true,
    checkAddress,
    depositTarget: (transactionId) => ({
      address: forwarderAddress(context.factory, transactionId),
      memo: null,
      memoType: null,
    }),
    explorerUrl: (hash) => settings.explorerTxUrl?.replace('{hash}', hash) ?? null,
    recipientReady: makeRecipientReady(context),
    prepare: makePrepare(context),
    ...makeReplaceAndCancel(context),
    broadcast: makeBroadcast(context),
    ask: makeAsk(context),
    shows: makeShows(context),
    observe: makeObserve(context, origins),
    confirm: makeConfirm(context, origins),
    outflows: makeOutflows(context),
    treasury: () => readTreasury(context),
    finalTokens: () => readFinalTokens(context),
    providers: () => context.providers.look((client) => requireLiveProvider(parts, client)),
  };
}

export async function makeEvmContext(
  settings: EvmSettings,
  parts: ChainParts,
  connect: ConnectEvm,
): Promise<EvmContext> {
  const wallet = parts.wallet ?? (await treasuryAddressOf(settings, parts));
  const { chainId } = settings;
  const providers = makeProviders(settings.rpc, (url) => connect(url, chainId), {
    clock: parts.clock,
    prove: async (client) => {
      const named = await client.chainId();
      if (named !== chainId) throw new WrongChainError(named, chainId);
    },
    onTrouble: (provider, error) =>
      parts.onTrouble('a provider failed', { network: settings.name, provider, error: error.message }),
  });
  return {
    settings,
    parts,
    providers,
    wallet,
    treasury: lowerHex(wallet as Hex),
    token: contractAddressIn(settings, settings.token),
    disperse: settings.disperse === null ? null : contractAddressIn(settings, settings.disperse),
    factory: contractAddressIn(settings, settings.forwarderFactory),
  };
}

async function treasuryAddressOf({ key }: EvmSettings, { signer }: ChainParts): Promise<string> {
  const bytes = await signer.publicKey(key, 'secp256k1');
  return publicKeyToAddress(`0x${Buffer.from(bytes).toString('hex')}`);
}

function contractAddressIn({ name }: EvmSettings, text: string): Hex {
  try {
    return lowerHex(getAddress(text));
  } catch {
    throw new Error(`${name}: the settings hold an invalid contract address.`);
  }
}

async function readTreasury({ providers, settings, treasury, wallet, token }: EvmContext) {
  const { data, read } = balanceOf(treasury);
  const [tokenMinor, amountMinor] = await providers.one((client) =>
    Promise.all([client.call({ from: treasury, to: token, data }).then(read), client.balance(treasury)]),
  );
  return {
    wallet,
    tokenMinor,
    native: { ...settings.native, amountMinor, lockedMinor: 0n },
    marks: settings.marks,
  };
}

function readFinalTokens(context: EvmContext): Promise<bigint> {
  const { treasury: from, token: to } = context;
  const { data, read } = balanceOf(from);
  return readLeastOfTwo(context.providers, async (client) => {
    await requireLiveProvider(context.parts, client);
    return read(await client.call({ from, to, data }, 'finalized'));
  });
}

async function requireLiveProvider({ clock }: ChainParts, client: EvmClient): Promise<void> {
  const head = await client.block('latest');
  if (head === null) throw new Error('the provider has no newest block');
  requireFreshBlock(head, clock.now());
}
