// Gives lamports away, as the faucet of a test network does: by a transaction of its own, which lands like any other.
import {
  type Address,
  appendTransactionMessageInstructions,
  blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getTransactionEncoder,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { BLOCKHASH_LIFE_BLOCKS } from './blocks.ts';
import { MEMO_PROGRAM } from './rpc/render-transaction.ts';
import type { SolanaChain } from './solana-chain.ts';
import { readTransaction, type WireTransaction } from './wire-transaction.ts';

const FAUCET_LAMPORTS = 10n ** 18n;

export class Faucet {
  private readonly chain: SolanaChain;
  private readonly signer: KeyPairSigner;
  private given = 0;

  private constructor(chain: SolanaChain, signer: KeyPairSigner) {
    this.chain = chain;
    this.signer = signer;
  }

  static async open(chain: SolanaChain): Promise<Faucet> {
    const signer = await generateKeyPairSigner();
    chain.airdrop(signer.address, FAUCET_LAMPORTS);
    return new Faucet(chain, signer);
  }

  /** Signed, not sent. The memo keeps two equal gifts two transactions. */
  async transfer(to: Address, lamports: bigint): Promise<WireTransaction> {
    const { hash, height } = this.chain.blocks.tip;
    this.given += 1;
    const lifetime = {
      blockhash: blockhash(hash),
      lastValidBlockHeight: BigInt(height + BLOCKHASH_LIFE_BLOCKS),
    };
    const instructions = [
      getTransferSolInstruction({ source: this.signer, destination: to, amount: lamports }),
      { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(`airdrop ${this.given}`) },
    ];
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(this.signer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    );
    const signed = await signTransactionMessageWithSigners(message);
    return readTransaction(new Uint8Array(getTransactionEncoder().encode(signed)));
  }
}
