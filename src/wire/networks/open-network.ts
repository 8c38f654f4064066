// Opens one configured network and compares it with its chain. There are three outcomes: the network is ready, no provider
// responds, or the chain differs from the settings. networks.ts decides what each outcome means for the start.
import { createHash } from 'node:crypto';
import type { ChainParts } from '../../adapters/networks/chain-parts.ts';
import { NoProviderAnswersError } from '../../adapters/networks/providers/errors.ts';
import { limitAnswerTime } from '../../adapters/networks/providers/limit-answer-time.ts';
import {
  capOneProviderDeposits,
  type OneProviderDeposits,
} from '../../adapters/networks/providers/one-provider-cap.ts';
import type { NetworkSettings } from '../../adapters/networks/settings/settings.ts';
import { listKeys, makeKeyFile } from '../../adapters/signer/key-file.ts';
import { type Config, ConfigError } from '../../config.ts';
import type { Network } from '../../ports/networks/network.ts';

export type NetworkOpening =
  | { readonly kind: 'ready'; readonly network: Network }
  /** No provider responded. The network may become ready later without a change of settings. */
  | { readonly kind: 'no_answer'; readonly message: string }
  /** At least one provider disagrees with the settings. */
  | { readonly kind: 'wrong'; readonly message: string };

export interface NetworkOpeningParts extends ChainParts {
  readonly oneProvider: { readonly perHourMinor: bigint | null; readonly words: OneProviderDeposits };
  /** The maximum time that a caller waits for one response of a provider. */
  readonly answerMs: number;
  readonly openingMs: number;
}

/** Never throws because of a chain's responses, or because a chain does not respond. */
export async function openAndCheckNetwork(
  settings: NetworkSettings,
  parts: NetworkOpeningParts,
): Promise<NetworkOpening> {
  const { answerMs, openingMs, oneProvider: _, ...chain } = parts;
  const { promise: late, resolve } = Promise.withResolvers<NetworkOpening>();
  const tooLate = `${settings.name}: its providers did not answer in time.`;
  const timer = setTimeout(resolve, openingMs, { kind: 'no_answer', message: tooLate });
  const opening = openWithTreasury(settings, chain)
    .then((network) => capOneProvider(network, settings, parts))
    .then((network): NetworkOpening => ({ kind: 'ready', network: limitAnswerTime(network, answerMs) }))
    .catch((error: unknown) => classifyOpeningError(settings, error));
  try {
    return await Promise.race([opening, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function openWithTreasury(settings: NetworkSettings, parts: ChainParts): Promise<Network> {
  const network = await openNetwork(settings, parts);
  // The other checks do not read the treasury. A provider that can read the treasury can serve all other requests.
  if ((await network.treasury()) === null) throw new Error(`${settings.name}: the network has no treasury.`);
  return network;
}

function capOneProvider(network: Network, settings: NetworkSettings, parts: NetworkOpeningParts): Network {
  const { perHourMinor, words } = parts.oneProvider;
  if (perHourMinor === null) return network;
  const { mode, agreeFromMinor } = settings;
  return capOneProviderDeposits(network, { mode, agreeFromMinor, perHourMinor }, words, parts.onTrouble);
}

/** An error that starts with the network's name is about the chain. Any other error means that a provider does not respond. */
export function classifyOpeningError(
  { name }: NetworkSettings,
  error: unknown,
): Exclude<NetworkOpening, { kind: 'ready' }> {
  const { message } = error as Error;
  if (error instanceof NoProviderAnswersError) return { kind: 'no_answer', message };
  if (message.startsWith(`${name}: `)) return { kind: 'wrong', message };
  return { kind: 'no_answer', message: `${name}: no provider answers (${message.replace(/\.$/, '')}).` };
}

/** Loads the library of a network family only if such a network is configured, because these libraries are large. */
export async function openNetwork(settings: NetworkSettings, parts: ChainParts): Promise<Network> {
  switch (settings.family) {
    case 'evm':
      return (await import('../../adapters/networks/evm/open.ts')).openEvmNetwork(settings, parts);
    case 'solana':
      return (await import('../../adapters/networks/solana/open.ts')).openSolanaNetwork(settings, parts);
    case 'stellar':
      return (await import('../../adapters/networks/stellar/open.ts')).openStellarNetwork(settings, parts);
  }
}

/**
 * Reads the address of the treasury's wallet from the public part of the key file. This needs neither the passphrase nor the
 * chain.
 */
export async function readTreasuryWallet(
  config: Config,
  { key, family, name }: NetworkSettings,
): Promise<string> {
  const keys = await listKeys(makeKeyFile(config.signer.keyFile));
  const wallet = keys?.find((each) => each.name === key)?.addresses[family];
  if (wallet !== undefined) return wallet;
  throw new ConfigError(
    `${name}: there is no key "${key}" for it in ${config.signer.keyFile}. See: bin/sliproad signer keys`,
  );
}

/**
 * Returns a fingerprint that shows whether exactly these settings passed the check before. Settings contain keys of providers,
 * so the service stores only a hash.
 */
export function fingerprintSettings(settings: NetworkSettings, wallet: string): string {
  const text = JSON.stringify([settings, wallet], (_, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('hex');
}
