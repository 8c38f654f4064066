// What has to be known before anything is signed, read from one provider: the blockhash, what the treasury holds for
// good, and how the accounts stand that tokens go to or come from.
import { type Address, address, getAddressDecoder, isAddress } from '@solana/kit';
import type { Network, Payment } from '../../../ports/network.ts';
import type { SolanaChain } from './chain.ts';
import type { Part } from './instructions.ts';
import type { Blockhash, ChainAccount, SolanaClient } from './rpc.ts';
import { canOwn, readTokenAccount, TOKEN_PROGRAMS, tokenAccountOf } from './token-account.ts';

export interface Ground {
  readonly blockhash: Blockhash;
  readonly tokenMinor: bigint;
  readonly lamports: bigint;
  /** In the order of the payments. */
  readonly found: readonly (Part | { readonly payment: Payment; readonly problem: string })[];
}

export async function readGround(
  chain: SolanaChain,
  client: SolanaClient,
  payments: readonly Payment[],
): Promise<Ground> {
  const { tokenMinor, lamports } = await readTreasury(chain, client);
  const targets = await Promise.all(payments.map((payment) => targetOf(chain, payment)));
  const known = targets.filter((target) => target !== undefined);
  const accounts = await client.accounts(
    known.map(({ account }) => account),
    'confirmed',
  );
  const held = new Map(known.map(({ account }, index) => [account, accounts[index]!]));
  const found = targets.map((target, index) => {
    const payment = payments[index]!;
    if (target === undefined) return { payment, problem: 'the recipient is no Solana address' };
    const { owner, account } = target;
    return payment.from === null
      ? payPart(chain, payment, owner, account, held.get(account) ?? null)
      : sweepPart(payment, owner, account, held.get(account) ?? null);
  });
  return { blockhash: await client.latestBlockhash(), tokenMinor, lamports, found };
}

async function targetOf(chain: SolanaChain, { to, from }: Payment) {
  if (from === null && !isAddress(to)) return undefined;
  const owner = from === null ? address(to) : depositOwner(chain, from);
  return { owner, account: await tokenAccountOf(chain.mint, owner) };
}

/** For good: payments that are under way are then not yet taken off, and are counted by whoever sent them. */
export async function readTreasury({ treasury, treasuryAccount }: SolanaChain, client: SolanaClient) {
  const [wallet, tokens] = await client.accounts([treasury, treasuryAccount], 'finalized');
  return { tokenMinor: readTokenAccount(tokens!)?.amountMinor ?? 0n, lamports: wallet?.lamports ?? 0n };
}

export function depositOwner({ signer, settings }: SolanaChain, transactionId: string): Address {
  return getAddressDecoder().decode(signer.derivedPublicKey(settings.key, transactionId));
}

function payPart(
  chain: SolanaChain,
  payment: Payment,
  owner: Address,
  account: Address,
  held: ChainAccount | null,
): Ground['found'][number] {
  const usable = usableAccount(chain, owner, held);
  if (usable === 'refused') return { payment, problem: "the recipient's token account cannot be paid" };
  return { kind: 'pay', payment, owner, account, opens: usable === 'missing' };
}

function sweepPart(payment: Payment, owner: Address, account: Address, held: ChainAccount | null): Part {
  const tokens = readTokenAccount(held);
  if (tokens === undefined || tokens.owner !== owner || tokens.amountMinor === 0n)
    return { kind: 'nothing', payment, account };
  return { kind: 'sweep', payment, owner, account, amountMinor: tokens.amountMinor };
}

/** An account at the right address may still have been handed to somebody else, or be frozen. */
function usableAccount({ mint }: SolanaChain, owner: Address, held: ChainAccount | null) {
  // Coins sent to the address do not make it an account yet.
  if (held === null || !TOKEN_PROGRAMS.includes(held.program)) return 'missing';
  const tokens = readTokenAccount(held);
  const good = tokens?.owner === owner && tokens.mint === mint.address && !tokens.frozen;
  return good ? 'usable' : 'refused';
}

export function makeRecipientReady(chain: SolanaChain): Network['recipientReady'] {
  return async ({ to, from }) => {
    if (from !== null) return 'ready';
    try {
      const owner = address(to);
      const account = await tokenAccountOf(chain.mint, owner);
      const [wallet, held] = await chain.providers.one((client) =>
        client.accounts([owner, account], 'confirmed'),
      );
      const open = canOwn(wallet!) && usableAccount(chain, owner, held!) !== 'refused';
      return open ? 'ready' : 'refused';
    } catch {
      return 'unknown';
    }
  };
}
