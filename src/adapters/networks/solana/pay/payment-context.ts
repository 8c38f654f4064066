// The data that signing needs, read from one provider: the blockhash, the treasury's final balance, and the accounts that receive
// or send tokens. Two providers must confirm that a deposit address is empty.
import { type Address, address, getAddressDecoder, isAddress } from '@solana/kit';
import type { Network } from '../../../../ports/networks/network.ts';
import type { Obstacle, Payment } from '../../../../ports/networks/network-payer.ts';
import type { SolanaChain } from '../rpc/chain.ts';
import type { Blockhash, ChainAccount, SolanaClient } from '../rpc/client.ts';
import { readSoundBlockhash } from '../rpc/freshness.ts';
import { canOwnTokens, readTokenAccount, TOKEN_PROGRAMS, tokenAccountOf } from '../rpc/token-account.ts';
import type { PaymentPart } from './instructions.ts';

export interface PaymentContext {
  readonly blockhash: Blockhash;
  readonly tokenMinor: bigint;
  readonly lamports: bigint;
  readonly found: readonly (PaymentPart | UnfitPayment)[];
}

interface UnfitPayment {
  readonly payment: Payment;
  readonly obstacle: Obstacle;
  readonly problem: string;
}

type EmptySweep = PaymentPart & { readonly kind: 'nothing' };

interface TokenTarget {
  readonly owner: Address;
  readonly account: Address;
}

export async function readPaymentContext(
  chain: SolanaChain,
  client: SolanaClient,
  payments: readonly Payment[],
): Promise<PaymentContext> {
  const { tokenMinor, lamports } = await readTreasury(chain, client);
  const targets = await Promise.all(payments.map((payment) => targetOf(chain, payment)));
  const known = targets.filter((target) => 'account' in target);
  const accounts = await client.accounts(
    known.map(({ account }) => account),
    'confirmed',
  );
  const held = new Map(known.map(({ account }, index) => [account, accounts[index]!]));
  const found = targets.map((target, index) => {
    if ('problem' in target) return target;
    const payment = payments[index]!;
    const there = held.get(target.account) ?? null;
    return payment.from === null ? payPart(chain, payment, target, there) : sweepPart(payment, target, there);
  });
  return { blockhash: await readSoundBlockhash(chain, client), tokenMinor, lamports, found };
}

async function targetOf(chain: SolanaChain, payment: Payment): Promise<TokenTarget | UnfitPayment> {
  const { to, from } = payment;
  if (from === null && !isAddress(to))
    return { payment, obstacle: 'network_unreachable', problem: 'the recipient is not a Solana address' };
  const owner = from === null ? address(to) : depositOwner(chain, from);
  if (from !== null && owner !== to) {
    const problem = `the deposit address ${to} was created with an earlier key named "${chain.settings.key}": its tokens can only be swept with that key`;
    return { payment, obstacle: 'signing_refused', problem };
  }
  return { owner, account: await tokenAccountOf(chain.mint, owner) };
}

/**
 * A lagging provider may report that an account is empty when it is not. So an empty sweep is signed only after two providers
 * agree. The signed transaction then makes the chain itself show the balance, because both providers may lag behind.
 */
export async function confirmEmptySweeps(
  chain: SolanaChain,
  ground: PaymentContext,
): Promise<PaymentContext> {
  const empty = ground.found.filter((each) => 'kind' in each && each.kind === 'nothing');
  if (empty.length === 0) return ground;
  const certain = await findAccountsEmptyAtTwo(chain, empty);
  const found = ground.found.map((each): PaymentPart | UnfitPayment => {
    if (!('kind' in each) || each.kind !== 'nothing' || certain.has(each.account)) return each;
    const problem = 'a provider shows the deposit address empty, and no second provider confirms it';
    return { payment: each.payment, obstacle: 'network_unreachable', problem };
  });
  return { ...ground, found };
}

async function findAccountsEmptyAtTwo(
  chain: SolanaChain,
  parts: readonly EmptySweep[],
): Promise<ReadonlySet<Address>> {
  const emptyAt = async (client: SolanaClient) => {
    const accounts = await client.accounts(
      parts.map(({ account }) => account),
      'confirmed',
    );
    const empty = parts.filter(
      ({ payment }, index) => tokensOfOwner(depositOwner(chain, payment.from!), accounts[index]!) === 0n,
    );
    return new Set(empty.map(({ account }) => account));
  };
  try {
    const agreement = await chain.providers.agree(emptyAt, (a, b) => a.symmetricDifference(b).size === 0);
    if (agreement.kind === 'agreed') return agreement.answer;
    if (agreement.kind === 'unconfirmed') return new Set();
    // The providers may agree about only some of the addresses.
    return agreement.answers.reduce((both, each) => both.intersection(each));
  } catch {
    return new Set();
  }
}

/**
 * The final balance. The caller deducts payments in progress from it. The server must have reached the newest known final
 * block, by default the newest one that the provider reports. An older balance would not include later payments.
 */
export async function readTreasury(
  { treasury, treasuryAccount }: SolanaChain,
  client: SolanaClient,
  notBefore?: bigint,
) {
  const newest = notBefore ?? (await client.finalized()).slot;
  const { accounts } = await client.finalAccounts([treasury, treasuryAccount], newest);
  const [wallet, tokens] = accounts;
  return { tokenMinor: readTokenAccount(tokens!)?.amountMinor ?? 0n, lamports: wallet?.lamports ?? 0n };
}

export function depositOwner({ signer, settings }: SolanaChain, transactionId: string): Address {
  return getAddressDecoder().decode(signer.derivedPublicKey(settings.key, transactionId));
}

function payPart(
  chain: SolanaChain,
  payment: Payment,
  { owner, account }: TokenTarget,
  held: ChainAccount | null,
): PaymentPart | UnfitPayment {
  const usable = judgeTokenAccount(chain, owner, held);
  const problem = "the recipient's token account cannot be paid";
  if (usable === 'refused' || (usable === 'missing' && !payment.opensAccount))
    return { payment, obstacle: 'network_unreachable', problem };
  return { kind: 'pay', payment, owner, account, opens: usable === 'missing' };
}

function sweepPart(
  payment: Payment,
  { owner, account }: TokenTarget,
  held: ChainAccount | null,
): PaymentPart {
  const amountMinor = tokensOfOwner(owner, held);
  if (amountMinor === 0n) return { kind: 'nothing', payment, account };
  return { kind: 'sweep', payment, owner, account, amountMinor };
}

function tokensOfOwner(owner: Address, held: ChainAccount | null): bigint {
  const tokens = readTokenAccount(held);
  return tokens?.owner === owner ? tokens.amountMinor : 0n;
}

/** The account at the right address may belong to a different owner now, or be frozen. */
function judgeTokenAccount({ mint }: SolanaChain, owner: Address, held: ChainAccount | null) {
  // SOL sent to the address does not make it a token account.
  if (held === null || !TOKEN_PROGRAMS.includes(held.program)) return 'missing';
  const tokens = readTokenAccount(held);
  const good = tokens?.owner === owner && tokens.mint === mint.address && !tokens.frozen;
  return good ? 'usable' : 'refused';
}

export function makeRecipientReady(chain: SolanaChain): Network['recipientReady'] {
  return async ({ to, from, opensAccount }) => {
    if (from !== null) return 'ready';
    try {
      const owner = address(to);
      const account = await tokenAccountOf(chain.mint, owner);
      const [wallet, held] = await chain.providers.one((client) =>
        client.accounts([owner, account], 'confirmed'),
      );
      const usable = canOwnTokens(wallet!) ? judgeTokenAccount(chain, owner, held!) : 'refused';
      if (usable === 'refused') return 'refused';
      return usable === 'missing' && !opensAccount ? 'waiting' : 'ready';
    } catch {
      return 'unknown';
    }
  };
}
