// Provides the material of a history. There are few values, so that operations use the same records. Earlier states are
// remembered, so that many operations are stale. Current records are read from the model.
import type { Change } from '../../../../src/domain/records/change.ts';
import type { BankCredit } from '../../../../src/domain/records/credit.ts';
import type { Deposit } from '../../../../src/domain/records/deposit.ts';
import type { Attempt, Movement } from '../../../../src/domain/records/movement.ts';
import type { BankNotice } from '../../../../src/domain/records/notice.ts';
import { INITIAL_TRANSACTION_FIELDS, type Transaction } from '../../../../src/domain/records/transaction.ts';
import type { Mode } from '../../../../src/domain/values/mode.ts';
import type { Acceptance } from '../../../../src/ports/store/acceptance.ts';
import type { FeedLease } from '../../../../src/ports/store/commit.ts';
import type { Tables } from '../tables.ts';
import type { Random } from './random.ts';

export const START_MS = Date.parse('2026-11-14T09:30:00.123Z');
export const LEASE_MS = 1_000;
export const BUSINESSES = ['biz_one', 'biz_two'] as const;
export const KEYS = BUSINESSES.flatMap((businessId) => [
  { id: `key_${businessId}_test`, businessId, mode: 'test' as Mode, linkTag: businessId.replace('_', '-') },
  { id: `key_${businessId}_spare`, businessId, mode: 'test' as Mode, linkTag: businessId.replace('_', '-') },
  { id: `key_${businessId}_live`, businessId, mode: 'live' as Mode, linkTag: businessId.replace('_', '-') },
]);
export const VENDORS = ['9900000011', '9900000022'] as const;
const PAYERS = ['0123456785', '0555556785', '0123450785', '0987654321', '0000000000'] as const;
const MASKED = ['******6785', 'XXXXXXX785', '**********', '01-2345 6785', '000', null] as const;
const NAMES = ['ADA OBI', 'Bola Ade', null] as const;
export const AMOUNTS = [1n, 5n, 20n, 1_000n] as const;
export const ASSETS = ['NGNC@Polygon', 'NGNC@Stellar'] as const;
export const NETWORKS = ['Polygon', 'Stellar'] as const;
export const SOURCES = ['bank', 'other'] as const;
export const PERIODS = ['2026-11', '2026-11-14'] as const;
export const FEEDS = ['bank', 'Polygon'] as const;
export const HOLDERS = ['one', 'two', 'three'] as const;
export const KNOWN_PEOPLE = ['per_ada', 'per_Ada', 'per_bola', 'per_chi'] as const;
export const PEOPLE = [...KNOWN_PEOPLE, 'per_none'] as const;

export interface World {
  readonly random: Random;
  readonly tables: Tables;
  readonly recipes: readonly Recipe[];
  nowMs: number;
  readonly offered: Acceptance[];
  readonly holds: FeedLease[];
}

export type Draft = { -readonly [Part in keyof Change]: Change[Part] };
export type Part = (world: World, draft: Draft) => void;
/**
 * The parts that a change combines. A history has few recipes, because PostgreSQL must make a new query plan for every
 * combination of tables.
 */
export type Recipe = readonly Part[];

export function idOf({ random }: World, prefix: string): string {
  return `${prefix}_${random.text(8)}`;
}

export function modeOf({ random }: World): Mode {
  return random.chance(0.85) ? 'test' : 'live';
}

export function anyOf<Row>({ random }: World, rows: ReadonlyMap<string, Row>): Row | undefined {
  return rows.size === 0 ? undefined : random.pick([...rows.values()]);
}

export function transactionOf(world: World, businessId: string, mode: Mode): Transaction {
  const { random, nowMs } = world;
  const type = random.chance(0.7) ? 'buy' : 'sell';
  const id = idOf(world, 'txn');
  const expiresAtMs = nowMs + random.pick([0, 500, 5_000, 60_000]);
  const amountMinor = random.pick(AMOUNTS);
  const number = random.pick(VENDORS);
  return {
    ...INITIAL_TRANSACTION_FIELDS,
    id,
    businessId,
    mode,
    type,
    reference: random.chance(0.75) ? `Ref-${random.text(6)}` : `ref.${random.below(4)}`,
    linkTag: businessId.replace('_', '-'),
    state: type === 'sell' ? 'awaiting_deposit' : random.pick(['awaiting_payment', 'awaiting_wallet']),
    amountMinor,
    feeMinor: random.pick([0n, 1n]),
    accountNumber: random.pick(PAYERS),
    accountName: random.pick(NAMES),
    bankName: 'GTBank',
    bankCode: random.pick(['guaranty-trust-bank', null]),
    flags: random.pick([[], ['one'], ['one', 'two']]),
    vendor: type === 'buy' ? { vendorId: 'vnd_1', name: 'Vendor', number, bank: 'Providus Bank' } : null,
    wallet: random.pick([null, { network: 'Polygon', address: '0xabc' }]),
    deposits: type === 'sell' ? random.pick([NETWORKS, ['Stellar']]).map(instruction) : [],
    quoteId: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs,
    dueAtMs: expiresAtMs,
    ...(type === 'buy' && random.chance(0.35) && twinOf(world)),
  };

  function instruction(network: string) {
    const facts = { asset: 'NGNC', decimals: 7, expectedToken: amountMinor * 100_000n, confirmations: 1 };
    const memo = network === 'Stellar' ? '7' : null;
    return { network, address: `${network} ${id}`, memo, memoType: memo && 'id', ...facts, expiresAtMs };
  }
}

function twinOf(world: World): Partial<Transaction> {
  const other = anyOf(world, world.tables.transactions);
  if (other?.type !== 'buy') return {};
  const { vendor, amountMinor, accountNumber, expiresAtMs } = other;
  return { vendor, amountMinor, accountNumber, feeMinor: 0n, expiresAtMs };
}

const queuedOf = ({ random, nowMs }: World) => ({
  version: 1,
  dueAtMs: random.pick([null, nowMs, nowMs, nowMs - 5, nowMs + 100]),
  tries: 0,
});

export function creditOf(world: World, changes: Partial<BankCredit> = {}): BankCredit {
  const { random, nowMs, tables } = world;
  const id = idOf(world, 'crd');
  const meant = anyOf(world, tables.transactions);
  const words = random.pick([null, '', 'TRF "ADA"\\ ọ', `for ${meant?.reference} now`, `re: ${meant?.id}`]);
  return {
    id,
    mode: modeOf(world),
    // Most credits come from the source that credits the account.
    source: random.chance(0.9) ? SOURCES[0] : random.pick(SOURCES),
    sourceId: random.chance(0.8) ? random.text(6) : `line ${random.below(4)}`,
    accountNumber: random.pick(VENDORS),
    accountBankCode: random.pick(['providus-bank', null]),
    amountMinor: random.pick(AMOUNTS),
    payerAccount: random.pick([...MASKED, ...PAYERS]),
    payerName: random.pick(NAMES),
    payerBankName: random.pick(['GTBank', null]),
    payerBankCode: null,
    narration: words,
    sessionId: random.chance(0.85) ? null : random.pick(['session', 'session', random.text(6)]),
    balanceMinor: null,
    valueAtMs: nowMs - 10,
    receivedAtMs: nowMs - random.pick([0, 0, 1_000, 100_000]),
    raw: random.pick([{ line: [1, 'ọ'], gone: undefined }, {}, null, 'text', [1, { a: 2 }]]),
    parentId: random.chance(0.2) ? (anyOf(world, tables.credits)?.id ?? null) : null,
    businessId: BUSINESSES[nowMs % 7] ?? null,
    state: 'unmatched',
    exception: null,
    transactionId: null,
    ...queuedOf(world),
    ...(meant !== undefined && random.chance(0.4) && paymentFor(world, meant)),
    ...changes,
  };
}

function paymentFor(
  { random }: World,
  { mode, vendor, amountMinor, accountNumber }: Transaction,
): Partial<BankCredit> {
  if (vendor === null) return {};
  const payerAccount = random.pick([accountNumber, `******${accountNumber.slice(-4)}`]);
  return { mode, accountNumber: vendor.number, amountMinor, payerAccount, payerName: null };
}

export function depositOf(world: World, changes: Partial<Deposit> = {}): Deposit {
  const { random, nowMs, tables } = world;
  return {
    id: idOf(world, 'dep'),
    mode: modeOf(world),
    network: random.pick(NETWORKS),
    txHash: random.chance(0.8) ? `0x${random.text(6)}` : `0x${random.below(4)}`,
    txIndex: random.below(2),
    address: '0xours',
    memo: random.pick(['', '7']),
    sender: random.pick([null, '0xsender']),
    asset: random.pick(ASSETS),
    amountMinor: random.pick([...AMOUNTS, 10n ** 30n]),
    transactionId: random.chance(0.6) ? (anyOf(world, tables.transactions)?.id ?? null) : null,
    state: random.pick(['seen', 'seen', 'suspense']),
    exception: random.pick([null, 'unattributed']),
    ...queuedOf(world),
    seenAtMs: nowMs,
    chainAtMs: nowMs % 2 === 0 ? null : nowMs - 1_000,
    ...changes,
  };
}

export function noticeOf(world: World, changes: Partial<BankNotice> = {}): BankNotice {
  const { random, nowMs, tables } = world;
  const meant = random.chance(0.7) ? anyOf(world, tables.credits) : undefined;
  return {
    id: idOf(world, 'ntc'),
    mode: meant?.mode ?? modeOf(world),
    source: meant?.source ?? random.pick(SOURCES),
    sourceId: random.chance(0.8) ? random.text(6) : `line ${random.below(4)}`,
    kind: random.pick(['credit_reversed', 'credit_reversed', 'payout_returned']),
    about: meant?.sourceId ?? `line ${random.below(4)}`,
    amountMinor: random.pick(AMOUNTS),
    receivedAtMs: nowMs,
    raw: random.pick([{ line: 1 }, null]),
    state: 'open',
    ...queuedOf(world),
    ...changes,
  };
}

export function movementOf(world: World, changes: Partial<Movement> = {}): Movement {
  const { random, nowMs, tables } = world;
  const kind = random.pick(['send', 'payout', 'refund', 'refund'] as const);
  const toBank = kind === 'payout' || (kind === 'refund' && random.chance(0.5));
  const account = { bankCode: 'x', accountNumber: random.pick(PAYERS), accountName: null };
  return {
    id: idOf(world, 'mov'),
    kind,
    mode: modeOf(world),
    network: toBank ? null : random.pick(NETWORKS),
    asset: toBank ? 'NGN' : random.pick(ASSETS),
    amountMinor: random.pick([...AMOUNTS, 10n ** 30n]),
    nairaMinor: random.pick(AMOUNTS),
    transactionId: random.chance(0.8) ? (anyOf(world, tables.transactions)?.id ?? null) : null,
    creditId: random.chance(0.3) ? (anyOf(world, tables.credits)?.id ?? null) : null,
    depositId: random.chance(0.2) ? (anyOf(world, tables.deposits)?.id ?? null) : null,
    destination: random.pick([null, toBank ? account : { address: '0x1' }]),
    bankAccount: toBank ? random.pick([null, 'x:0123456789']) : null,
    state: random.pick(['pending', 'pending', 'sending', 'unknown', 'unknown', 'failed', 'returned']),
    reason: random.pick([null, 'replaced by mov_x', 'credit_reversed', 'bounced']),
    attempts: 0,
    ...queuedOf(world),
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    ...changes,
  };
}

export function attemptOf(world: World, of: Movement, no: number): Attempt {
  const { random, nowMs } = world;
  return {
    movementId: of.id,
    no,
    mode: of.mode,
    network: of.network,
    rail: of.network === null ? 'rail' : null,
    reference: random.chance(0.8) ? `0x${random.text(6)}` : `0x${random.below(4)}`,
    source: random.pick(['0xtreasury', '0xtreasury', '0xtreasury', null]),
    sequence: random.pick([
      null,
      String(random.below(3)),
      String(random.below(3)),
      String(random.below(10 ** 9)),
    ]),
    payload: random.pick(['signed', null]),
    bound: random.pick(['7', null]),
    index: 0,
    orders: [of.id],
    replacements: [],
    state: random.pick(['prepared', 'prepared', 'accepted', 'dead', 'rejected']),
    evidence: random.pick([null, { block: 7, gone: undefined }]),
    atMs: nowMs,
    updatedAtMs: nowMs,
  };
}
