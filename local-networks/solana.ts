// The local Solana network: a mint, a treasury with tokens and lamports, and a customer who sends by transactions of his
// own that land like any other.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import {
  type Arriving,
  CUSTOMER_TOKENS,
  type LocalNetwork,
  type LocalNetworkOptions,
  once,
  TREASURY_TOKENS,
} from './network.ts';
import { BLOCKHASH_LIFE_BLOCKS } from './solana/blocks.ts';
import { MEMO_PROGRAM } from './solana/rpc/render-transaction.ts';
import { startSolanaServer } from './solana/rpc/server.ts';
import { type SolanaChain, type TokenSetUp, tokenAccountOf } from './solana/solana-chain.ts';
import { solanaTroubles } from './solana/troubles.ts';
import { readTransaction } from './solana/wire-transaction.ts';

const FINAL_SLOTS = 8;
/** Slots are shorter than the others' blocks. */
const SLOTS_A_BEAT = 2.5;
const CUSTOMER_LAMPORTS = 10n ** 13n;
const LOOK_AGAIN_MS = 20;

export async function startSolana(options: LocalNetworkOptions): Promise<LocalNetwork> {
  const { name, decimals, treasuryKey, ports, paceMs } = options;
  const slotEveryMs = Math.ceil(paceMs / SLOTS_A_BEAT);
  const running = await startSolanaServer({ slotEveryMs, finalizedAfterSlots: FINAL_SLOTS, ports });
  const { chain, urls } = running;
  const unit = 10n ** BigInt(decimals);
  const token = await chain.setUpToken({ decimals, supplyMinor: TREASURY_TOKENS * unit, treasuryKey });
  const customer = await generateKeyPairSigner();
  chain.airdrop(customer.address, CUSTOMER_LAMPORTS);
  await chain.giveTokens(token.mint, customer.address, CUSTOMER_TOKENS * unit);
  return {
    name,
    family: 'solana',
    decimals,
    urls,
    chain: `genesis ${chain.blocks.genesisHash}`,
    token: token.mint,
    treasury: token.treasury.address,
    settings: {
      priority_fee: 1_000,
      confirmations: FINAL_SLOTS,
      final_after_ms: (FINAL_SLOTS + 1) * slotEveryMs,
      batch: 10,
    },
    wallet: async () => (await generateKeyPairSigner()).address,
    received: (wallet) => chain.tokenBalanceOf(token.mint, address(wallet)),
    deposit: once((arriving, id) => send(chain, token, customer, arriving, id)),
    troubles: solanaTroubles(running),
    close: running.close,
  };
}

/** Resolves when it is in a block. */
async function send(
  chain: SolanaChain,
  token: TokenSetUp,
  customer: KeyPairSigner,
  arriving: Arriving,
  id: string,
): Promise<string> {
  const { hash, height } = chain.blocks.tip;
  const lastHeight = height + BLOCKHASH_LIFE_BLOCKS;
  const lifetime = { blockhash: blockhash(hash), lastValidBlockHeight: BigInt(lastHeight) };
  const instructions = await paying(token, customer, arriving, id);
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(customer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  );
  const signed = await signTransactionMessageWithSigners(message);
  const transaction = readTransaction(new Uint8Array(getTransactionEncoder().encode(signed)));
  chain.submit(transaction);
  for (;;) {
    const landed = chain.landed.find(transaction.signature);
    if (landed !== undefined && landed.outcome.error === null) return transaction.signature;
    if (landed !== undefined || chain.height > lastHeight) throw new Error('the transfer failed');
    await sleep(LOOK_AGAIN_MS);
  }
}

/** The memo makes two equal transfers two transactions. */
async function paying(
  { mint, decimals }: TokenSetUp,
  customer: KeyPairSigner,
  { address: to, amountMinor }: Arriving,
  id: string,
): Promise<readonly Instruction[]> {
  const owner = address(to);
  const destination = await tokenAccountOf(mint, owner);
  const source = await tokenAccountOf(mint, customer.address);
  const payment = { source, mint, destination, authority: customer, amount: amountMinor, decimals };
  return [
    getCreateAssociatedTokenIdempotentInstruction({ payer: customer, ata: destination, owner, mint }),
    getTransferCheckedInstruction(payment),
    { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(id) },
  ];
}
