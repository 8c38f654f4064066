// Reads the outflows of the treasury since a position. An outflow is every transfer of the token from the treasury, including
// transfers that a different account made with an allowance. Every provider is asked. The position moves only over final blocks
// that the slowest provider has shown completely. A block that is not final yet is read again next time.
import { getAddress, type Hex } from 'viem';
import type { Network } from '../../../../ports/networks/network.ts';
import type { Outflow, OutflowPage } from '../../../../ports/networks/network-watch.ts';
import { type EvmBlock, type EvmLog, ProviderFailure } from '../rpc/answers.ts';
import type { EvmClient, LogTopics } from '../rpc/client.ts';
import { completeLogs, type LastReadBlock, readHeadersAfter } from '../rpc/complete-logs.ts';
import type { EvmContext } from '../rpc/context.ts';
import { addressTopic, balanceOf, TRANSFER } from '../rpc/contracts.ts';
import { readHeads, requireFreshBlock } from '../rpc/envelope-standing.ts';
import { isTransfer, readTransfer } from '../rpc/transfers.ts';
import { rawOf } from './log-indexes.ts';
import { readLogs } from './scan-transfers.ts';

/**
 * How many blocks one turn reads after the position, and also before the newest block. Later turns read the blocks in between.
 */
const MOST_BLOCKS = 500n;
const HEADERS_AT_ONCE = 50n;

/** The last block that was read, and the treasury's balance at that block. Null means that the balance is not known yet. */
interface TreasuryPosition extends LastReadBlock {
  readonly heldMinor: bigint | null;
}

interface EvmOutflows {
  readonly logs: readonly EvmLog[];
  readonly last: TreasuryPosition;
  /**
   * The balance minus the expected balance, which is the old balance plus the transfers since. Null means that it is not known.
   */
  readonly unlistedMinor: bigint | null;
}

export function makeOutflows(context: EvmContext): Network['outflows'] {
  return async (position) => {
    const start = position === null ? null : readTreasuryPosition(position);
    const answers = await context.providers.every((client) => readOutflows(context, client, start));
    const slowest = answers.map(({ last }) => last).reduce((a, b) => (b.block < a.block ? b : a));
    const shown = answers.map(({ logs }) => outflowsIn(context, logs));
    return {
      outflows: uniqueBy(
        shown.flatMap(({ outflows }) => outflows),
        ({ txHash, index }) => `${txHash} ${index}`,
      ),
      unreadable: uniqueBy(
        shown.flatMap(({ unreadable }) => unreadable),
        ({ raw }) => raw,
      ),
      position: writeTreasuryPosition(slowest),
      ...worstUnlisted(answers),
    };
  };
}

/** The largest shortage that any provider shows. Without a shortage, it is the largest surplus. */
function worstUnlisted(answers: readonly EvmOutflows[]): Pick<OutflowPage, 'unlistedMinor'> {
  const known = answers.flatMap(({ unlistedMinor }) => unlistedMinor ?? []);
  if (known.length === 0) return {};
  const lowest = known.reduce((a, b) => (b < a ? b : a));
  return { unlistedMinor: lowest < 0n ? lowest : known.reduce((a, b) => (b > a ? b : a)) };
}

async function readOutflows(
  context: EvmContext,
  client: EvmClient,
  start: TreasuryPosition | null,
): Promise<EvmOutflows> {
  const { settings, parts, token, treasury } = context;
  const { finalized, latest } = await readHeads(client);
  requireFreshBlock(latest, parts.clock.now());
  if (start === null) {
    const heldMinor = await readHeldAt(context, client, finalized.number);
    return {
      logs: [],
      last: { block: finalized.number, hash: finalized.hash, heldMinor },
      unlistedMinor: null,
    };
  }
  const filter = { address: token, topics: [TRANSFER, addressTopic(treasury)] };
  const incoming = { address: token, topics: [TRANSFER, null, addressTopic(treasury)] };
  const near = minBigint(start.block + MOST_BLOCKS, latest.number);
  const far = maxBigint(near, latest.number - MOST_BLOCKS);
  const piece = BigInt(settings.logBlocks);
  const ranges = [...splitRange(start.block, near, piece), ...splitRange(far, latest.number, piece)];
  // The requests are sent in parallel. Without new blocks, this takes one round trip after the request for the newest blocks.
  const end = minBigint(near, finalized.number);
  const all = async (topics: LogTopics, parts: typeof ranges) =>
    (await Promise.all(parts.map((range) => readLogs(client, { ...topics, ...range })))).flat();
  const [answered, came, headers] = await Promise.all([
    all(filter, ranges),
    // Incoming transfers are needed only to compare the balance.
    all(incoming, splitRange(start.block, end, piece)),
    readHeadersUpTo(client, start, end),
  ]);
  const logs: EvmLog[] = [];
  const arrived: EvmLog[] = [];
  let last: LastReadBlock = start;
  for (const some of headers) {
    const complete = await Promise.all([
      completeLogs(client, some, filter, answered),
      completeLogs(client, some, incoming, came),
    ]).catch(ignoreProviderFailure);
    // The position never moves past blocks that are not proven complete.
    if (complete === undefined) break;
    logs.push(...complete[0]);
    arrived.push(...complete[1]);
    const { number, hash } = some.at(-1)!;
    last = { block: number, hash };
  }
  const shown = [...logs, ...answered.filter(({ block }) => block > last.block)];
  if (last.block === start.block) return { logs: shown, last: start, unlistedMinor: null };
  const expectedMinor = start.heldMinor === null ? null : start.heldMinor + sumOf(arrived) - sumOf(logs);
  const heldMinor = await readHeldAt(context, client, last.block).catch((error: unknown) => {
    // Many servers do not keep the balances of older blocks. Then the expected balance is compared at the next newer block.
    if (last.block === finalized.number) throw error;
    return ignoreProviderFailure(error);
  });
  const unlistedMinor = expectedMinor === null || heldMinor === undefined ? null : heldMinor - expectedMinor;
  return { logs: shown, last: { ...last, heldMinor: heldMinor ?? expectedMinor }, unlistedMinor };
}

/** The treasury's balance at a block number. A lagging server must refuse this request. */
async function readHeldAt(
  { token, treasury }: EvmContext,
  client: EvmClient,
  block: bigint,
): Promise<bigint> {
  const { data, read } = balanceOf(treasury);
  return read(await client.call({ from: treasury, to: token, data }, block));
}

/** The sum leaves out unreadable transfers. They are reported elsewhere, and the balance differs because of them. */
function sumOf(logs: readonly EvmLog[]): bigint {
  return logs.filter(isTransfer).reduce((sum, log) => {
    const transfer = readTransfer(log);
    return typeof transfer === 'string' ? sum : sum + transfer.amountMinor;
  }, 0n);
}

/**
 * Reads the headers in parts, up to the first part that fails. A provider that allows only few requests is therefore read
 * slowly.
 */
async function readHeadersUpTo(client: EvmClient, start: LastReadBlock, to: bigint) {
  const parts: (readonly EvmBlock[])[] = [];
  for (let last = start; last.block < to; ) {
    const end = minBigint(last.block + HEADERS_AT_ONCE, to);
    const some = await readHeadersAfter(client, last, end).catch(ignoreProviderFailure);
    if (some === undefined) break;
    parts.push(some);
    last = { block: end, hash: some.at(-1)!.hash };
  }
  return parts;
}

function ignoreProviderFailure(error: unknown): undefined {
  if (!(error instanceof ProviderFailure)) throw error;
}

/** A transfer of zero is not an outflow, because any account can send zero tokens in the name of the treasury. */
function outflowsIn(
  { token, treasury }: EvmContext,
  logs: readonly EvmLog[],
): Pick<OutflowPage, 'outflows' | 'unreadable'> {
  const outflows: Outflow[] = [];
  const unreadable: OutflowPage['unreadable'][number][] = [];
  const counts = new Map<string, number>();
  const own = logs.filter(
    (log) => log.address === token && isTransfer(log) && log.topics[1] === addressTopic(treasury),
  );
  for (const log of own.toSorted((a, b) => a.index - b.index)) {
    // The index of the log within its transaction. The index in the block changes when the transaction moves to a different
    // block.
    const index = counts.get(log.txHash) ?? 0;
    counts.set(log.txHash, index + 1);
    const transfer = readTransfer(log);
    if (typeof transfer === 'string') unreadable.push({ reason: transfer, raw: rawOf(log) });
    else if (transfer.amountMinor > 0n && transfer.to !== treasury)
      outflows.push({
        txHash: log.txHash,
        innerHash: null,
        index,
        to: getAddress(transfer.to),
        amountMinor: transfer.amountMinor,
      });
  }
  return { outflows, unreadable };
}

function uniqueBy<Each>(all: readonly Each[], identity: (each: Each) => string): readonly Each[] {
  return [...new Map(all.map((each) => [identity(each), each])).values()];
}

function splitRange(after: bigint, to: bigint, size: bigint) {
  const ranges: { fromBlock: bigint; toBlock: bigint }[] = [];
  for (let next = after + 1n; next <= to; next += size)
    ranges.push({ fromBlock: next, toBlock: minBigint(next + size - 1n, to) });
  return ranges;
}

const minBigint = (a: bigint, b: bigint) => (a < b ? a : b);
const maxBigint = (a: bigint, b: bigint) => (a > b ? a : b);

function writeTreasuryPosition({ block, hash, heldMinor }: TreasuryPosition): string {
  return JSON.stringify({
    block: `${block}`,
    hash,
    ...(heldMinor !== null && { held: `${heldMinor}` }),
  });
}

function readTreasuryPosition(text: string): TreasuryPosition {
  const { block, hash, held } = JSON.parse(text) as { block: string; hash: Hex | null; held?: string };
  return { block: BigInt(block), hash, heldMinor: held === undefined ? null : BigInt(held) };
}
