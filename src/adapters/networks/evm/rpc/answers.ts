// Reads the responses of providers and checks every field. A response with a wrong format is a failure of the provider.
import type { Hex } from 'viem';

export interface EvmBlock {
  readonly number: bigint;
  readonly hash: Hex;
  readonly parent: Hex;
  /** A filter of the addresses and topics in the block's logs. Null means that the provider leaves it out. */
  readonly bloom: Hex | null;
  readonly gasLimit: bigint;
  readonly minedAtMs: number;
}

export interface EvmTransaction {
  readonly hash: Hex;
  readonly from: Hex;
  readonly nonce: number;
}

export interface FullEvmBlock extends EvmBlock {
  readonly transactions: readonly EvmTransaction[];
}

export interface EvmLog {
  /** The address is in lower case. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly block: bigint;
  readonly blockHash: Hex;
  readonly txHash: Hex;
  /** The index of the transaction in the block. */
  readonly index: number;
}

export interface Receipt {
  readonly hash: Hex;
  readonly block: bigint;
  readonly blockHash: Hex;
  readonly success: boolean;
  readonly gasUsed: bigint;
  readonly gasPrice: bigint;
  readonly logs: readonly EvmLog[];
}

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure';
  /** True means that the provider was reached and returned an error. A refusal proves nothing. */
  readonly answered: boolean;
  readonly code: number | null;
  /** Whether a contract reverted the call. A server that only lags behind does not return this error. */
  readonly reverted: boolean;

  constructor(message: string, answered: boolean, said: { code?: number; reverted?: boolean } = {}) {
    super(message);
    this.answered = answered;
    this.code = said.code ?? null;
    this.reverted = said.reverted ?? false;
  }
}

class SenselessAnswer extends ProviderFailure {
  constructor() {
    super('an answer has the wrong form', false);
  }
}

/** Whether the provider was reached and only this response is unusable. The other responses of the provider may be fine. */
export function isUnusableAnswer(error: unknown): error is ProviderFailure {
  return error instanceof SenselessAnswer || (error instanceof ProviderFailure && error.answered);
}

type Fields = Readonly<Record<string, unknown>>;

export function readBlock(block: Fields): EvmBlock {
  return {
    number: parseBigint(block.number),
    hash: parseHex(block.hash),
    parent: parseHex(block.parentHash),
    bloom: block.logsBloom === null || block.logsBloom === undefined ? null : parseHex(block.logsBloom),
    gasLimit: parseBigint(block.gasLimit),
    minedAtMs: Number(parseBigint(block.timestamp)) * 1000,
  };
}

export function readFullBlock(block: Fields): FullEvmBlock {
  return {
    ...readBlock(block),
    transactions: requireList(block.transactions).map((each) => readTransaction(requireFields(each))),
  };
}

export function readTransaction(found: Fields): EvmTransaction {
  return { hash: parseHex(found.hash), from: parseHex(found.from), nonce: Number(parseBigint(found.nonce)) };
}

export function readReceipt(receipt: Fields): Receipt {
  return {
    hash: parseHex(receipt.transactionHash),
    block: parseBigint(receipt.blockNumber),
    blockHash: parseHex(receipt.blockHash),
    success: parseBigint(receipt.status) === 1n,
    gasUsed: parseBigint(receipt.gasUsed),
    gasPrice: parseBigint(receipt.effectiveGasPrice),
    logs: readLogs(receipt.logs),
  };
}

function readLog(raw: unknown): EvmLog {
  const log = requireFields(raw);
  return {
    address: parseHex(log.address),
    topics: requireList(log.topics).map(parseHex),
    data: parseHex(log.data),
    block: parseBigint(log.blockNumber),
    blockHash: parseHex(log.blockHash),
    txHash: parseHex(log.transactionHash),
    index: Number(parseBigint(log.logIndex)),
  };
}

/** Returns each log once, even if the provider lists it several times. Leaves out logs of a replaced block. */
export function readLogs(raw: unknown): readonly EvmLog[] {
  const found = new Map<string, EvmLog>();
  for (const each of requireList(raw)) {
    if (requireFields(each).removed === true) continue;
    const log = readLog(each);
    const place = placeOfLog(log);
    const other = found.get(place);
    if (other !== undefined && textOfLog(other) !== textOfLog(log))
      throw new ProviderFailure('it shows two different logs at one place', true);
    found.set(place, log);
  }
  return [...found.values()];
}

export function placeOfLog({ blockHash, index }: EvmLog): string {
  return `${blockHash} ${index}`;
}

function textOfLog({ address, topics, data, block, txHash }: EvmLog): string {
  return [address, topics.join(), data, block, txHash].join(' ');
}

export function readFees(raw: unknown) {
  const { baseFeePerGas, reward } = requireFields(raw);
  const tips =
    reward === undefined || reward === null
      ? []
      : requireList(reward).map((each) => parseBigint(requireList(each)[0]));
  return { nextBaseFee: parseBigint(requireList(baseFeePerGas).at(-1)), tips };
}

export function readOptional<Read>(raw: unknown, read: (found: Fields) => Read): Read | null {
  return raw === null || raw === undefined ? null : read(requireFields(raw));
}

function requireFields(raw: unknown): Fields {
  if (typeof raw !== 'object' || raw === null) throw new SenselessAnswer();
  return raw as Fields;
}

function requireList(raw: unknown): readonly unknown[] {
  if (!Array.isArray(raw)) throw new SenselessAnswer();
  return raw;
}

export function parseHex(raw: unknown): Hex {
  if (typeof raw !== 'string' || !/^0x[0-9a-fA-F]*$/.test(raw)) throw new SenselessAnswer();
  return raw.toLowerCase() as Hex;
}

export function parseBigint(raw: unknown): bigint {
  const text = parseHex(raw);
  if (text === '0x') throw new SenselessAnswer();
  return BigInt(text);
}
