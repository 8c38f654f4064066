// Reads what providers answer, and trusts nothing: an answer of the wrong form is a failure of the provider.
import type { Hex } from 'viem';

export interface Block {
  readonly number: bigint;
  readonly hash: Hex;
  /** The hash of the block before it. */
  readonly parent: Hex;
  /** Which addresses and topics its logs may have; null where a provider leaves it out. */
  readonly bloom: Hex | null;
  readonly gasLimit: bigint;
  readonly minedAtMs: number;
}

export interface Transaction {
  readonly hash: Hex;
  readonly from: Hex;
  readonly nonce: number;
}

/** A block with all that is in it. */
export interface FullBlock extends Block {
  readonly transactions: readonly Transaction[];
}

export interface Log {
  /** In lower case. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly block: bigint;
  readonly blockHash: Hex;
  readonly txHash: Hex;
  /** Its index in the block. */
  readonly index: number;
}

export interface Receipt {
  readonly hash: Hex;
  readonly block: bigint;
  readonly blockHash: Hex;
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly gasPrice: bigint;
  readonly logs: readonly Log[];
}

/** A provider gave no usable answer. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  /** It was reached and refused, which proves nothing. */
  readonly answered: boolean;
  /** The number of its error, where it gave one. */
  readonly code: number | null;
  /** A contract reverted the call: a server that only is behind does not answer that. */
  readonly reverted: boolean;

  constructor(message: string, answered: boolean, said: { code?: number; reverted?: boolean } = {}) {
    super(message);
    this.answered = answered;
    this.code = said.code ?? null;
    this.reverted = said.reverted ?? false;
  }
}

/** It was reached, and its answer cannot be read. */
class SenselessAnswer extends ProviderFailure {
  constructor() {
    super('an answer has the wrong form', false);
  }
}

/** Whether the provider was reached and only this answer is unusable: its other answers may be fine. */
export function answeredBadly(error: unknown): error is ProviderFailure {
  return error instanceof SenselessAnswer || (error instanceof ProviderFailure && error.answered);
}

type Fields = Readonly<Record<string, unknown>>;

export function readBlock(block: Fields): Block {
  return {
    number: big(block.number),
    hash: hex(block.hash),
    parent: hex(block.parentHash),
    bloom: block.logsBloom === null || block.logsBloom === undefined ? null : hex(block.logsBloom),
    gasLimit: big(block.gasLimit),
    minedAtMs: Number(big(block.timestamp)) * 1000,
  };
}

export function readFullBlock(block: Fields): FullBlock {
  return {
    ...readBlock(block),
    transactions: list(block.transactions).map((each) => readTransaction(fields(each))),
  };
}

export function readTransaction(found: Fields): Transaction {
  return { hash: hex(found.hash), from: hex(found.from), nonce: Number(big(found.nonce)) };
}

export function readReceipt(receipt: Fields): Receipt {
  return {
    hash: hex(receipt.transactionHash),
    block: big(receipt.blockNumber),
    blockHash: hex(receipt.blockHash),
    success: big(receipt.status) === 1n,
    gasUsed: big(receipt.gasUsed),
    gasPrice: big(receipt.effectiveGasPrice),
    logs: readLogs(receipt.logs),
  };
}

function readLog(raw: unknown): Log {
  const log = fields(raw);
  return {
    address: hex(log.address),
    topics: list(log.topics).map(hex),
    data: hex(log.data),
    block: big(log.blockNumber),
    blockHash: hex(log.blockHash),
    txHash: hex(log.transactionHash),
    index: Number(big(log.logIndex)),
  };
}

/** Each log once, however often the provider lists it, and none of a block that was replaced. */
export function readLogs(raw: unknown): readonly Log[] {
  const found = new Map<string, Log>();
  for (const each of list(raw)) {
    if (fields(each).removed === true) continue;
    const log = readLog(each);
    const place = placeOf(log);
    const other = found.get(place);
    if (other !== undefined && textOf(other) !== textOf(log))
      throw new ProviderFailure('it shows two logs at one place', true);
    found.set(place, log);
  }
  return [...found.values()];
}

/** Where a log is, whoever shows it. */
export function placeOf({ blockHash, index }: Log): string {
  return `${blockHash} ${index}`;
}

function textOf({ address, topics, data, block, txHash }: Log): string {
  return [address, topics.join(), data, block, txHash].join(' ');
}

export function readFees(raw: unknown) {
  const { baseFeePerGas, reward } = fields(raw);
  const tips = reward === undefined || reward === null ? [] : list(reward).map((each) => big(list(each)[0]));
  return { nextBaseFee: big(list(baseFeePerGas).at(-1)), tips };
}

export function optional<Read>(raw: unknown, read: (found: Fields) => Read): Read | null {
  return raw === null || raw === undefined ? null : read(fields(raw));
}

function fields(raw: unknown): Fields {
  if (typeof raw !== 'object' || raw === null) throw new SenselessAnswer();
  return raw as Fields;
}

function list(raw: unknown): readonly unknown[] {
  if (!Array.isArray(raw)) throw new SenselessAnswer();
  return raw;
}

export function hex(raw: unknown): Hex {
  if (typeof raw !== 'string' || !/^0x[0-9a-fA-F]*$/.test(raw)) throw new SenselessAnswer();
  return raw.toLowerCase() as Hex;
}

export function big(raw: unknown): bigint {
  const text = hex(raw);
  if (text === '0x') throw new SenselessAnswer();
  return BigInt(text);
}
