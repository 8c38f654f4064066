// The checks before a Solana network is used: all providers serve the same chain, the chain fits the mode, the token matches the
// settings, and the treasury has an account for the token. If a start could lose money, it stops with an error message.
import { address, getAddressDecoder, isAddress } from '@solana/kit';
import type { ChainParts } from '../chain-parts.ts';
import { NoProviderAnswersError, WrongChainError } from '../providers/errors.ts';
import type { Providers } from '../providers/providers.ts';
import type { SolanaSettings } from '../settings/settings.ts';
import type { SolanaChain } from './rpc/chain.ts';
import type { SolanaClient } from './rpc/client.ts';
import { type Mint, readMint, readTokenAccount, tokenAccountOf } from './rpc/token-account.ts';

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const PLAY_NETWORKS: readonly string[] = [
  'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
];

/**
 * Excludes providers of a different chain: those that were unreachable at the start, and those whose URL later leads to other
 * servers.
 */
export interface ChainGuard {
  expect(genesis: string): void;
  /** Undefined until the start has read the genesis hash. */
  expected(): string | undefined;
  /** Rejects with `WrongChainError` when the provider serves a different chain. */
  prove(client: SolanaClient): Promise<void>;
}

export function makeChainGuard(): ChainGuard {
  let expected: string | undefined;
  return {
    expect: (genesis) => {
      expected = genesis;
    },
    expected: () => expected,
    prove: async (client) => {
      if (expected === undefined) return;
      const named = await client.genesisHash();
      if (named !== expected) throw new WrongChainError(named, expected);
    },
  };
}

export async function checkStart(...given: Parameters<typeof readChain>): Promise<SolanaChain> {
  const chain = await readChain(...given);
  const { name, mode } = chain.settings;
  for (const warning of issuerWarningsOf(chain)) chain.onTrouble(warning, { network: name });
  if (await hasTreasuryAccount(chain)) return chain;
  throw new Error(
    `${name}: the treasury ${chain.treasury} has no account for the token yet. Send it some of the token, or open the account ` +
      `with: bin/sliproad networks set-up ${name} --mode ${mode}`,
  );
}

export function issuerWarningsOf({ mint }: SolanaChain): readonly string[] {
  return mint.warnings.map((warning) => `the token ${warning}`);
}

export async function readChain(
  settings: SolanaSettings,
  parts: ChainParts,
  providers: Providers<SolanaClient>,
  guard: ChainGuard,
): Promise<SolanaChain> {
  const problem = (what: string) => new Error(`${settings.name}: ${what}`);
  if (!isAddress(settings.token)) throw problem('the token of the settings is not an address.');
  guard.expect(await checkGenesis(settings, providers, problem));
  const mint = await readAgreedMint(settings, providers, problem);
  if (mint.decimals !== settings.decimals)
    throw problem(
      `the token at ${mint.address} has ${mint.decimals} decimals, but the settings say ${settings.decimals}.`,
    );
  const treasury = parts.wallet
    ? address(parts.wallet)
    : getAddressDecoder().decode(await parts.signer.publicKey(settings.key, 'ed25519'));
  const treasuryAccount = await tokenAccountOf(mint, treasury);
  return { ...parts, settings, providers, mint, treasury, treasuryAccount };
}

export async function hasTreasuryAccount(chain: SolanaChain): Promise<boolean> {
  const { settings, providers, mint, treasury, treasuryAccount } = chain;
  const problem = (what: string) => new Error(`${settings.name}: ${what}`);
  const [held] = await providers.one((client) => client.accounts([treasuryAccount], 'confirmed'));
  const tokens = readTokenAccount(held!);
  if (tokens === undefined) return false;
  if (tokens.owner !== treasury || tokens.mint !== mint.address)
    throw problem(`the token account ${treasuryAccount} does not belong to the treasury ${treasury}.`);
  if (tokens.frozen) throw problem(`the treasury's token account ${treasuryAccount} is frozen.`);
  return true;
}

/** A provider that is unreachable now does not stop the start, because it is checked before its first response counts. */
async function checkGenesis(
  { name, mode }: SolanaSettings,
  providers: Providers<SolanaClient>,
  problem: (what: string) => Error,
): Promise<string> {
  const answers = await providers.all((client) => client.genesisHash());
  const hashes = new Set(answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : [])));
  if (hashes.size === 0) throw new NoProviderAnswersError(name, providers.health());
  if (hashes.size > 1) throw problem('the providers serve different chains (their genesis hashes differ).');
  const genesis = [...hashes][0]!;
  if (mode === 'test' && genesis === MAINNET) throw problem('test mode must not use the main network.');
  if (mode === 'live' && PLAY_NETWORKS.includes(genesis))
    throw problem('live mode must not use a test network.');
  return genesis;
}

async function readAgreedMint(
  { token: name, acceptPowers }: SolanaSettings,
  providers: Providers<SolanaClient>,
  problem: (what: string) => Error,
): Promise<Mint> {
  const token = address(name);
  const accepted = new Set(acceptPowers);
  type Reading = { readonly mint: Mint } | { readonly wrong: string };
  const read = async (client: SolanaClient): Promise<Reading> => {
    const [account] = await client.accounts([token], 'finalized');
    try {
      return { mint: readMint(token, account!, accepted) };
    } catch (error) {
      return { wrong: (error as Error).message };
    }
  };
  const agreement = await providers.agree(read, (a, b) => JSON.stringify(a) === JSON.stringify(b));
  if (agreement.kind === 'differ') throw problem('the providers disagree about the token.');
  if ('wrong' in agreement.answer) throw problem(`${agreement.answer.wrong}.`);
  return agreement.answer.mint;
}
