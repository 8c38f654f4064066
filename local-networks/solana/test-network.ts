// A local network for tests: a server whose slots advance only on demand, a token, and payments signed by its treasury.
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import {
  type Address,
  type Base64EncodedWireTransaction,
  createSolanaRpc,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import { type SolanaServerOptions, startSolanaServer } from './rpc/server.ts';
import { type Lifetime, signInstructions, transferInstructions } from './sign.ts';

export interface SignedPayment {
  readonly signature: Signature;
  readonly wire: Base64EncodedWireTransaction;
  readonly lastValidBlockHeight: bigint;
}

export interface PaymentTerms {
  readonly to: Address;
  readonly amountMinor: bigint;
  readonly memo?: string;
  readonly blockhash?: Lifetime;
}

export async function openTestNetwork(context: TestContext, options: SolanaServerOptions = {}) {
  const server = await startSolanaServer({ slotEveryMs: 0, ...options });
  context.after(() => server.close());
  const token = await server.chain.setUpToken({ decimals: 6, supplyMinor: 1_000_000_000n });
  const rpc = createSolanaRpc(server.urls[0]);
  const otherRpc = createSolanaRpc(server.urls[1]);

  async function latest(): Promise<Lifetime> {
    return (await rpc.getLatestBlockhash({ commitment: 'finalized' }).send()).value;
  }

  async function sign(
    instructions: readonly Instruction[],
    { payer = token.treasury, lifetime }: { payer?: KeyPairSigner; lifetime?: Lifetime } = {},
  ): Promise<SignedPayment> {
    const used = lifetime ?? (await latest());
    const transaction = await signInstructions(payer, used, instructions);
    return {
      signature: getSignatureFromTransaction(transaction),
      wire: getBase64EncodedWireTransaction(transaction),
      lastValidBlockHeight: used.lastValidBlockHeight,
    };
  }

  /** A token payment that creates the receiver's token account if it does not exist. */
  async function pay({ to, amountMinor, memo, blockhash: lifetime }: PaymentTerms): Promise<SignedPayment> {
    const instructions = await transferInstructions(token, token.treasury, { to, amountMinor, memo });
    return sign(instructions, lifetime === undefined ? {} : { lifetime });
  }

  function send({ wire }: SignedPayment, through = rpc): Promise<Signature> {
    return through.sendTransaction(wire, { encoding: 'base64', maxRetries: 0n, skipPreflight: true }).send();
  }

  async function statusOf({ signature }: SignedPayment, through = rpc) {
    const { value } = await through
      .getSignatureStatuses([signature], { searchTransactionHistory: true })
      .send();
    return value[0] ?? null;
  }

  async function newOwner(): Promise<Address> {
    return (await generateKeyPairSigner()).address;
  }

  return { ...server, token, rpc, otherRpc, latest, sign, pay, send, statusOf, newOwner };
}

export async function callRaw(url: string, method: string, params: unknown[] = []): Promise<RawAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
  });
  return (await response.json()) as RawAnswer;
}

export interface RawAnswer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export async function failureOf(call: Promise<unknown>): Promise<{ code: number | null; cause: string }> {
  try {
    await call;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
    return { code: isSolanaError(error) ? error.context.__code : null, cause };
  }
  return assert.fail('the call should have failed');
}
