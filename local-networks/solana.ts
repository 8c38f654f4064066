// The local Solana network: a mint, a treasury with tokens and lamports, and a customer who sends ordinary transactions.
import { setTimeout as sleep } from 'node:timers/promises';
import { address, generateKeyPairSigner, getTransactionEncoder, type KeyPairSigner } from '@solana/kit';
import {
  CUSTOMER_TOKENS,
  type LocalNetwork,
  type LocalNetworkOptions,
  sendOncePerId,
  type TokensToSend,
  TREASURY_TOKENS,
} from './local-network.ts';
import { startSolanaServer } from './solana/rpc/server.ts';
import { lifetimeOf, signInstructions, transferInstructions } from './solana/sign.ts';
import type { LocalSolanaChain, TokenSetUp } from './solana/solana-chain.ts';
import { solanaTroubles } from './solana/troubles.ts';
import { readTransaction } from './solana/wire-transaction.ts';

const FINAL_SLOTS = 8;
/** The slots of Solana are shorter than the blocks of the other networks. */
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
    deposit: sendOncePerId((arriving, id) => sendTokens(chain, token, customer, arriving, id)),
    troubles: solanaTroubles(running),
    close: running.close,
  };
}

async function sendTokens(
  chain: LocalSolanaChain,
  token: TokenSetUp,
  customer: KeyPairSigner,
  arriving: TokensToSend,
  id: string,
): Promise<string> {
  const lifetime = lifetimeOf(chain);
  const { address: to, amountMinor } = arriving;
  // The memo makes two equal transfers different transactions.
  const transfer = { to: address(to), amountMinor, memo: id };
  const signed = await signInstructions(
    customer,
    lifetime,
    await transferInstructions(token, customer, transfer),
  );
  const transaction = readTransaction(new Uint8Array(getTransactionEncoder().encode(signed)));
  chain.submit(transaction);
  for (;;) {
    const landed = chain.landed.find(transaction.signature);
    if (landed !== undefined && landed.outcome.error === null) return transaction.signature;
    if (landed !== undefined || chain.height > lifetime.lastValidBlockHeight)
      throw new Error('the transfer failed');
    await sleep(LOOK_AGAIN_MS);
  }
}
