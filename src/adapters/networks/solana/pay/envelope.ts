// Builds and signs a transaction, and creates the data that is stored about it: the bytes, and the changes that the chain must
// show afterwards.
import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash as BlockhashText,
  compileTransaction,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionSize,
  type Instruction,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit';
import type { SignedTransaction } from '../../../../ports/networks/network-payer.ts';
import type { SolanaChain } from '../rpc/chain.ts';
import type { Blockhash } from '../rpc/client.ts';
import { accountOpenings, instructionsOf, type PaymentPart } from './instructions.ts';

/** The maximum size of a transaction in bytes, which is one network packet. */
const PACKET_BYTES = 1_232;

export interface ExpectedChange {
  readonly account: string;
  /** The change of the account's tokens, in minor units. */
  readonly change: string;
  readonly opens: boolean;
}

export interface SigningTerms extends Blockhash {
  readonly price: bigint;
}

export interface SolanaPayload {
  readonly wire: string;
  readonly blockhash: string;
  /** The price offered per compute unit. It is missing in bytes that older versions of this service signed. */
  readonly price?: string;
  /** The slot at the time of signing. The bytes cannot have landed before it. */
  readonly slot: string;
  /** The list has the order of the envelope's payments. */
  readonly payments: readonly ExpectedChange[];
}

export function compilePayments(
  chain: SolanaChain,
  parts: readonly PaymentPart[],
  at: SigningTerms,
  tag: string,
): Transaction {
  return compileInstructions(chain, instructionsOf(chain, parts, tag, at.price), at);
}

export function compileInstructions(
  { treasury }: SolanaChain,
  instructions: readonly Instruction[],
  { blockhash, lastValidBlockHeight }: Blockhash,
): Transaction {
  const message = pipe(
    createTransactionMessage({ version: 'legacy' }),
    (empty) => setTransactionMessageFeePayer(treasury, empty),
    (paid) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as BlockhashText, lastValidBlockHeight },
        paid,
      ),
    (bound) => appendTransactionMessageInstructions(instructions, bound),
  );
  return compileTransaction(message);
}

export function fitsInTransaction(
  chain: SolanaChain,
  parts: readonly PaymentPart[],
  at: SigningTerms,
  tag: string,
): boolean {
  return getTransactionSize(compilePayments(chain, parts, at, tag)) <= PACKET_BYTES;
}

export function wireOf(transaction: Transaction): string {
  return getBase64EncodedWireTransaction(transaction);
}

/** Signs with the treasury, which pays the fees, and with every deposit owner whose tokens are swept. */
export async function signEnvelope(
  chain: SolanaChain,
  transaction: Transaction,
  parts: readonly PaymentPart[],
  at: SigningTerms,
  payments: readonly ExpectedChange[] = changesOf(parts),
): Promise<SignedTransaction & { readonly orderIds: readonly string[] }> {
  const { settings, signer, clock, treasury } = chain;
  const message = new Uint8Array(transaction.messageBytes);
  const sign = (derived: string | null, spends: readonly { to: string; amountMinor: bigint }[]) =>
    signer.sign({ network: settings.name, key: settings.key, derived, scheme: 'ed25519', message, spends });
  const signatures: Record<Address, SignatureBytes> = {};
  const paid = parts.flatMap(({ kind, payment }) =>
    kind === 'pay' ? [{ to: payment.to, amountMinor: payment.amountMinor }] : [],
  );
  signatures[treasury] = (await sign(null, paid)) as SignatureBytes;
  for (const part of parts)
    if (part.kind === 'sweep') signatures[part.owner] = (await sign(part.payment.from, [])) as SignatureBytes;
  // The signatures must be in the order of the message.
  const ordered = Object.keys(transaction.signatures).map((each) => [each, signatures[each as Address]!]);
  const signed = { ...transaction, signatures: Object.fromEntries(ordered) } as Transaction;
  return {
    hash: getSignatureFromTransaction(signed),
    source: treasury,
    sequence: null,
    payload: writePayload({
      wire: wireOf(signed),
      blockhash: at.blockhash,
      price: `${at.price}`,
      slot: `${at.slot}`,
      payments,
    }),
    bound: `${at.lastValidBlockHeight}`,
    signedAtMs: clock.now(),
    orderIds: parts.map(({ payment }) => payment.orderId),
  };
}

function changesOf(parts: readonly PaymentPart[]): readonly ExpectedChange[] {
  const opening = new Set<PaymentPart>(accountOpenings(parts));
  return parts.map((part) => {
    const change =
      part.kind === 'pay' ? part.payment.amountMinor : part.kind === 'sweep' ? -part.amountMinor : 0n;
    return { account: part.account, change: `${change}`, opens: opening.has(part) };
  });
}

function writePayload(payload: SolanaPayload): string {
  return JSON.stringify(payload);
}

export function readPayload({ payload }: SignedTransaction): SolanaPayload {
  return JSON.parse(payload) as SolanaPayload;
}

/** Whether this is a sweep of an empty deposit address. Such a sweep moves nothing and shows that the address was empty. */
export function isEmptySweep({ change, opens }: ExpectedChange): boolean {
  return change === '0' && !opens;
}

/** The sum of the amounts that an envelope moves. Outgoing and incoming amounts are both added. */
export function movedMinor({ payments }: SolanaPayload): bigint {
  return payments.reduce((sum, { change }) => {
    const each = BigInt(change);
    return sum + (each < 0n ? -each : each);
  }, 0n);
}
