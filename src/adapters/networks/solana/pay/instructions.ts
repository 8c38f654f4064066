// The instructions of a payment and of a sweep, and their limit of compute units. A memo contains the order ids or their hash, so
// that two equal payments are never the same transaction.
import { createHash } from 'node:crypto';
import { AccountRole, type Address, address, createNoopSigner, type Instruction } from '@solana/kit';
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import type { Payment } from '../../../../ports/networks/network-payer.ts';
import type { SolanaChain } from '../rpc/chain.ts';

const MEMO_PROGRAM = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr');
const COMPUTE_PROGRAM = address('ComputeBudget111111111111111111111111111111');
const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
const SYSTEM_TRANSFER = 2;
const SET_LIMIT = 2;
const SET_PRICE = 3;
/** The limits of compute units are generous, because a transaction that exceeds its limit fails as a whole. */
const UNITS = { memo: 60_000, transfer: 20_000, close: 10_000, open: 60_000, most: 1_400_000 };
const SIGNATURE_LAMPORTS = 5_000n;
const MICRO = 1_000_000n;

export type PaymentPart =
  | {
      readonly kind: 'pay';
      readonly payment: Payment;
      readonly owner: Address;
      readonly account: Address;
      /** True means that the recipient has no account for the token yet. */
      readonly opens: boolean;
    }
  | {
      readonly kind: 'sweep';
      readonly payment: Payment;
      readonly owner: Address;
      readonly account: Address;
      readonly amountMinor: bigint;
    }
  /** A sweep of an empty deposit address. It moves nothing and shows that the address was empty. */
  | { readonly kind: 'nothing'; readonly payment: Payment; readonly account: Address };

/** The first instructions set the compute limit, the price and the memo. The instructions that move tokens follow. */
export const FIRST_MOVE_INDEX = 3;

/** `tag` makes this transaction different from all others with the same orders. `price` is offered per compute unit. */
export function instructionsOf(
  chain: SolanaChain,
  parts: readonly PaymentPart[],
  tag: string,
  price: bigint,
): Instruction[] {
  return [
    ...budgetInstructions(unitsOf(parts), price),
    memoInstruction(memoOf(parts, tag)),
    ...accountOpenings(parts).map((part) => openInstruction(chain, part)),
    ...parts.flatMap((part) => moveInstructions(chain, part)),
  ];
}

/** Opens the token account of the treasury. If the account already exists, this has no effect. */
export function openTreasuryInstructions(chain: SolanaChain): {
  readonly instructions: Instruction[];
  feeLamports: bigint;
} {
  const { treasury: owner, treasuryAccount: account, settings } = chain;
  return {
    instructions: [
      ...budgetInstructions(UNITS.open, settings.priorityFee),
      openInstruction(chain, { account, owner }),
    ],
    feeLamports: SIGNATURE_LAMPORTS + priorityLamports(UNITS.open, settings.priorityFee),
  };
}

/** One entry for each account that must be opened, even if several payments go to it. */
export function accountOpenings(parts: readonly PaymentPart[]): readonly (PaymentPart & { kind: 'pay' })[] {
  const first = new Map<string, PaymentPart & { kind: 'pay' }>();
  for (const part of parts)
    if (part.kind === 'pay' && part.opens && !first.has(part.account)) first.set(part.account, part);
  return [...first.values()];
}

/** The highest network fee, without the cost of opening accounts. */
export function feeLamports(parts: readonly PaymentPart[], price: bigint): bigint {
  const signatures = 1 + parts.filter(({ kind }) => kind === 'sweep').length;
  return BigInt(signatures) * SIGNATURE_LAMPORTS + priorityLamports(unitsOf(parts), price);
}

function priorityLamports(units: number, price: bigint): bigint {
  return (BigInt(units) * price + MICRO - 1n) / MICRO;
}

function unitsOf(parts: readonly PaymentPart[]): number {
  let units = UNITS.memo + accountOpenings(parts).length * UNITS.open;
  for (const { kind } of parts) {
    if (kind === 'pay') units += UNITS.transfer;
    if (kind === 'sweep') units += UNITS.transfer + UNITS.close;
  }
  return Math.min(units, UNITS.most);
}

function budgetInstructions(units: number, price: bigint): readonly Instruction[] {
  const limit = Buffer.alloc(5);
  limit.writeUInt8(SET_LIMIT);
  limit.writeUInt32LE(units, 1);
  const offer = Buffer.alloc(9);
  offer.writeUInt8(SET_PRICE);
  offer.writeBigUInt64LE(price, 1);
  return [limit, offer].map((data) => ({ programAddress: COMPUTE_PROGRAM, data: new Uint8Array(data) }));
}

/** For a single order the memo contains its id. For several orders it contains their number and a hash of their ids. */
function memoOf(parts: readonly PaymentPart[], tag: string): string {
  const [first, ...others] = parts.map(({ payment }) => payment);
  if (others.length === 0)
    return [first!.about, first!.orderId, tag].filter((word) => word !== null).join(' ');
  const names = parts.map(({ payment }) => payment.orderId).join('\n');
  const hash = createHash('sha256').update(names).digest('hex').slice(0, 32);
  return `${parts.length} ${hash} ${tag}`;
}

function memoInstruction(text: string): Instruction {
  return { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(text) } as Instruction;
}

/**
 * This instruction moves nothing. It includes the account, so the chain itself shows the balance at the time when the
 * transaction ran. That balance includes every deposit that was final at the time of signing, even if a provider lags behind.
 */
function lookInstruction(treasury: Address, account: Address): Instruction {
  const data = new Uint8Array(12);
  data[0] = SYSTEM_TRANSFER;
  return {
    programAddress: SYSTEM_PROGRAM,
    accounts: [
      { address: treasury, role: AccountRole.WRITABLE_SIGNER },
      { address: account, role: AccountRole.WRITABLE },
    ],
    data,
  } as Instruction;
}

function openInstruction(
  { mint, treasury }: SolanaChain,
  { account, owner }: { readonly account: Address; readonly owner: Address },
): Instruction {
  return getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(treasury),
    ata: account,
    owner,
    mint: mint.address,
    tokenProgram: mint.program,
  });
}

function moveInstructions(chain: SolanaChain, part: PaymentPart): readonly Instruction[] {
  const { mint, treasury, treasuryAccount } = chain;
  if (part.kind === 'nothing') return [lookInstruction(treasury, part.account)];
  const of = { mint: mint.address, decimals: mint.decimals };
  const config = { programAddress: mint.program };
  if (part.kind === 'pay') {
    const way = { source: treasuryAccount, destination: part.account, authority: createNoopSigner(treasury) };
    return [getTransferCheckedInstruction({ ...of, ...way, amount: part.payment.amountMinor }, config)];
  }
  const owner = createNoopSigner(part.owner);
  const way = { source: part.account, destination: treasuryAccount, authority: owner };
  return [
    getTransferCheckedInstruction({ ...of, ...way, amount: part.amountMinor }, config),
    // The SOL that the account was opened with goes to the treasury.
    getCloseAccountInstruction({ account: part.account, destination: treasury, owner }, config),
  ];
}
