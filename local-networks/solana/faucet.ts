// Gives lamports by an ordinary transaction, like the faucet of a test network.
import { type Address, generateKeyPairSigner, getTransactionEncoder, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { lifetimeOf, memoInstruction, signInstructions } from './sign.ts';
import type { LocalSolanaChain } from './solana-chain.ts';
import { readTransaction, type WireTransaction } from './wire-transaction.ts';

const FAUCET_LAMPORTS = 10n ** 18n;

export class SolanaFaucet {
  private readonly chain: LocalSolanaChain;
  private readonly signer: KeyPairSigner;
  private given = 0;

  private constructor(chain: LocalSolanaChain, signer: KeyPairSigner) {
    this.chain = chain;
    this.signer = signer;
  }

  static async open(chain: LocalSolanaChain): Promise<SolanaFaucet> {
    const signer = await generateKeyPairSigner();
    chain.airdrop(signer.address, FAUCET_LAMPORTS);
    return new SolanaFaucet(chain, signer);
  }

  /** Returns a signed transaction and does not send it. The memo makes two equal transfers different transactions. */
  async transfer(to: Address, lamports: bigint): Promise<WireTransaction> {
    this.given += 1;
    const signed = await signInstructions(this.signer, lifetimeOf(this.chain), [
      getTransferSolInstruction({ source: this.signer, destination: to, amount: lamports }),
      memoInstruction(`airdrop ${this.given}`),
    ]);
    return readTransaction(new Uint8Array(getTransactionEncoder().encode(signed)));
  }
}
