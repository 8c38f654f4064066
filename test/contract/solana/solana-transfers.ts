// Makes transfers on the local Solana chain that the adapter did not make. They are a customer's deposits, a payment that
// another holder of the treasury's key signed, and a payment that a provider invents.
import {
  type Address,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
} from '@solana/kit';
import type { SolanaServer } from '../../../local-networks/solana/rpc/server.ts';
import {
  type Lifetime,
  signInstructions,
  transferInstructions,
} from '../../../local-networks/solana/sign.ts';
import type { TokenSetUp } from '../../../local-networks/solana/solana-chain.ts';
import { readPayload } from '../../../src/adapters/networks/solana/pay/envelope.ts';
import type { SolanaClient } from '../../../src/adapters/networks/solana/rpc/client.ts';
import { connectSolana } from '../../../src/adapters/networks/solana/rpc/connect-solana.ts';
import type { SignedTransaction } from '../../../src/ports/networks/network-payer.ts';
import type { Arriving } from '../network/harness.ts';

export const DECIMALS = 2;
export const FINAL_BLOCKS = 8;
export const SUPPLY_MINOR = 10n ** 12n;
const SENDER_MINOR = 10n ** 9n;

export function makeDepositor({ chain, urls }: SolanaServer, { mint }: TokenSetUp) {
  const client = connectSolana(urls[0]);
  const sent = new Map<string, string>();
  const sources = new Map<boolean, Promise<{ sender: KeyPairSigner; mint: Address }>>();
  const sourceOf = (ours: boolean) => {
    const open = async () => {
      const sender = await generateKeyPairSigner();
      const from = ours ? mint : (await chain.setUpToken({ decimals: DECIMALS })).mint;
      chain.airdrop(sender.address, 10n ** 10n);
      await chain.giveTokens(from, sender.address, SENDER_MINOR);
      return { sender, mint: from };
    };
    const source = sources.get(ours) ?? open();
    sources.set(ours, source);
    return source;
  };

  const deposit = async (id: string, arriving: Arriving): Promise<string> => {
    const known = sent.get(id);
    if (known !== undefined) return known;
    const { sender, mint } = await sourceOf(arriving.ourToken ?? true);
    const hash = await transfer(client, mint, sender, arriving, id);
    sent.set(id, hash);
    return hash;
  };
  return { deposit };
}

export async function transfer(
  client: SolanaClient,
  mint: Address,
  sender: KeyPairSigner,
  { address, amountMinor }: Pick<Arriving, 'address' | 'amountMinor'>,
  id: string,
): Promise<string> {
  const lifetime = (await client.latestBlockhash()) as unknown as Lifetime;
  const payment = { to: address as Address, amountMinor, memo: id };
  const instructions = await transferInstructions({ mint, decimals: DECIMALS }, sender, payment);
  const signed = await signInstructions(sender, lifetime, instructions);
  await client.send(getBase64EncodedWireTransaction(signed));
  return getSignatureFromTransaction(signed);
}

export function lieAbout(
  { faults, chain }: SolanaServer,
  token: TokenSetUp,
  prepared: SignedTransaction,
): void {
  const { hash } = prepared;
  const { payments } = readPayload(prepared);
  const total = payments.reduce((sum, { change }) => sum + BigInt(change), 0n);
  const accounts = [token.treasuryTokenAccount as string, ...payments.map(({ account }) => account)];
  const balance = (accountIndex: number, amount: bigint) => ({
    accountIndex,
    mint: token.mint,
    uiTokenAmount: { amount: `${amount}`, decimals: DECIMALS },
  });
  const slot = chain.slot - FINAL_BLOCKS;
  const status = { confirmationStatus: 'finalized', confirmations: null, err: null, slot };
  const lamports = accounts.map(() => 1);
  const transaction = {
    slot,
    meta: {
      err: null,
      fee: 5_000,
      preBalances: lamports,
      postBalances: lamports,
      preTokenBalances: [balance(0, SUPPLY_MINOR)],
      postTokenBalances: [
        balance(0, SUPPLY_MINOR - total),
        ...payments.map(({ change }, index) => balance(index + 1, BigInt(change))),
      ],
    },
    transaction: { message: { accountKeys: accounts } },
  };
  const about = { provider: 0 as const };
  faults.forge(
    ([signatures], honest) => {
      const { value, ...rest } = honest as { readonly value: readonly unknown[] };
      const lie = (each: unknown, index: number) =>
        (signatures as string[])[index] === hash ? status : each;
      return { ...rest, value: value.map(lie) };
    },
    { ...about, methods: ['getSignatureStatuses'] },
  );
  faults.forge(([signature], honest) => (signature === hash ? transaction : honest), {
    ...about,
    methods: ['getTransaction'],
  });
}
