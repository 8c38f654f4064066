// Signs transactions with a local account. It builds instructions with a fee payer and a lifetime, and token transfers. The
// memo of a transfer makes two equal transfers different transactions.
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  blockhash,
  createTransactionMessage,
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
import { BLOCKHASH_LIFE_BLOCKS } from './blocks.ts';
import { MEMO_PROGRAM } from './rpc/render-transaction.ts';
import { type LocalSolanaChain, tokenAccountOf } from './solana-chain.ts';

export type Lifetime = Readonly<{ blockhash: Blockhash; lastValidBlockHeight: bigint }>;

/** The lifetime starts at the newest block of the chain. */
export function lifetimeOf({ blocks }: LocalSolanaChain): Lifetime {
  const { hash, height } = blocks.tip;
  return { blockhash: blockhash(hash), lastValidBlockHeight: BigInt(height + BLOCKHASH_LIFE_BLOCKS) };
}

export function signInstructions(
  payer: KeyPairSigner,
  lifetime: Lifetime,
  instructions: readonly Instruction[],
) {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
    (timed) => appendTransactionMessageInstructions(instructions, timed),
  );
  return signTransactionMessageWithSigners(message);
}

export function memoInstruction(text: string): Instruction {
  return { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(text) };
}

export interface TokenTransfer {
  readonly to: Address;
  readonly amountMinor: bigint;
  readonly memo?: string | undefined;
}

/** Creates the recipient's token account if it is missing. */
export async function transferInstructions(
  { mint, decimals }: { readonly mint: Address; readonly decimals: number },
  sender: KeyPairSigner,
  { to: owner, amountMinor: amount, memo }: TokenTransfer,
): Promise<readonly Instruction[]> {
  const destination = await tokenAccountOf(mint, owner);
  const source = await tokenAccountOf(mint, sender.address);
  return [
    getCreateAssociatedTokenIdempotentInstruction({ payer: sender, ata: destination, owner, mint }),
    getTransferCheckedInstruction({ source, mint, destination, authority: sender, amount, decimals }),
    ...(memo === undefined ? [] : [memoInstruction(memo)]),
  ];
}
