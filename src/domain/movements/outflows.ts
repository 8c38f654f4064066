// The last safety check: every transfer out of a treasury must be signed here and be in progress or paid. Any other transfer
// stops all sends of the asset. A comparison of balances alone is not enough: reserved and in-flight amounts could hide an
// outflow of the same size.
import type { AttemptState } from '../records/movement.ts';

export interface SeenOutflow {
  readonly txHash: string;
  /** The hash of the inner transaction of a fee bump, if the network has fee bumps. */
  readonly innerHash: string | null;
  readonly to: string | null;
  readonly amountMinor: bigint;
}

export interface SignedSend {
  readonly orders: readonly {
    readonly movementId: string;
    readonly amountMinor: bigint;
    readonly state: AttemptState;
  }[];
  readonly leftMinor: bigint;
}

export type OutflowProblem =
  | 'not_signed_here'
  /** The service declared the attempt dead, failed or refused, but its payment moved tokens. */
  | 'declared_dead'
  /** The transaction moved more than the sum of its orders that are in progress or paid. */
  | 'more_than_signed'
  /** The transaction may have moved tokens, but the service cannot read it. */
  | 'unreadable'
  /** The wallet holds less than the books say, and no transfer explains it. */
  | 'balance_short'
  /** The balance differs from the previous balance plus the listed transfers. */
  | 'transfer_unlisted';

export interface UnexplainedOutflow {
  readonly txHash: string;
  readonly problem: OutflowProblem;
  /** The amount that left the treasury without an order. */
  readonly amountMinor: bigint;
  readonly to: string | null;
  readonly movementIds: readonly string[];
}

const EXPLAINING_STATES: ReadonlySet<AttemptState> = new Set(['prepared', 'accepted', 'unknown', 'landed']);

export function judgeOutflows(
  outflows: readonly SeenOutflow[],
  sends: ReadonlyMap<string, SignedSend>,
): readonly UnexplainedOutflow[] {
  const byTransaction = Map.groupBy(outflows, ({ txHash }) => txHash);
  return [...byTransaction].flatMap(([txHash, parts]) => {
    const { innerHash, to } = parts[0]!;
    const moved = parts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    const send = sends.get(txHash) ?? (innerHash === null ? undefined : sends.get(innerHash));
    const explained = sumExplained(send);
    if (moved <= explained) return [];
    const finding = {
      txHash,
      problem: classifyOutflow(send, explained),
      amountMinor: moved - explained,
      to,
      movementIds: send?.orders.map(({ movementId }) => movementId) ?? [],
    };
    return [finding];
  });
}

/**
 * Prevents that an order ends unpaid although its signed payment moved tokens. Such a payment has landed, whatever a later
 * answer says. Undefined: the order may end unpaid, because the other orders of the payment explain the whole outflow.
 */
export function findEndContradiction(
  hash: string,
  movementId: string,
  send: SignedSend | undefined,
): UnexplainedOutflow | undefined {
  if (send === undefined) return undefined;
  const others = send.orders.filter((order) => order.movementId !== movementId);
  if (send.leftMinor <= sumExplained({ ...send, orders: others })) return undefined;
  return { ...landedFinding(hash, send), amountMinor: send.leftMinor };
}

/**
 * The finding for a payment that was declared dead although a provider shows it. Orders of this payment that prove to be paid
 * are subtracted later.
 */
export function landedFinding(hash: string, send: SignedSend | undefined): UnexplainedOutflow {
  const orders = send?.orders ?? [];
  return {
    txHash: hash,
    problem: 'declared_dead',
    amountMinor: orders.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
    to: null,
    movementIds: orders.map(({ movementId }) => movementId),
  };
}

/** The total that each transaction moved. The total is also listed under the hash of the inner transaction. */
export function sumOutflowsByHash(outflows: readonly SeenOutflow[]): ReadonlyMap<string, bigint> {
  const left = new Map<string, bigint>();
  for (const { txHash, innerHash, amountMinor } of outflows)
    for (const hash of new Set([txHash, innerHash ?? txHash]))
      left.set(hash, (left.get(hash) ?? 0n) + amountMinor);
  return left;
}

function sumExplained(send: SignedSend | undefined): bigint {
  const orders = send?.orders.filter(({ state }) => EXPLAINING_STATES.has(state)) ?? [];
  return orders.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

function classifyOutflow(send: SignedSend | undefined, explained: bigint): OutflowProblem {
  if (send === undefined) return 'not_signed_here';
  return explained === 0n ? 'declared_dead' : 'more_than_signed';
}

/**
 * The finding for a report of an outflow that the service cannot read. The report may be an outflow, so it also stops sends.
 */
export function unreadableFinding(raw: string): UnexplainedOutflow {
  const txHash = `unreadable: ${raw.slice(0, 200)}`;
  return { txHash, problem: 'unreadable', amountMinor: 0n, to: null, movementIds: [] };
}

/** The finding for a wallet that holds less than all its balances in the books together. */
export function shortageFinding(shortMinor: bigint): UnexplainedOutflow {
  const txHash = `balance: ${shortMinor} less than the books explain`;
  return { txHash, problem: 'balance_short', amountMinor: shortMinor, to: null, movementIds: [] };
}

/**
 * The balance has differed from the sum of the listed transfers for longer than the usual delay between the list and the
 * balance.
 */
export function unlistedFinding(after: string, unlistedMinor: bigint): UnexplainedOutflow {
  const txHash = `balance after ${after}: ${unlistedMinor}`.slice(0, 300);
  const amountMinor = unlistedMinor < 0n ? -unlistedMinor : 0n;
  return { txHash, problem: 'transfer_unlisted', amountMinor, to: null, movementIds: [] };
}

export function describeFinding({ problem, txHash, amountMinor }: UnexplainedOutflow): string {
  switch (problem) {
    case 'not_signed_here':
      return `${amountMinor} minor units left the treasury in ${txHash}, which was not signed here`;
    case 'declared_dead':
      return `${txHash} was declared dead or failed, but it moved ${amountMinor} minor units`;
    case 'more_than_signed':
      return `${txHash} moved ${amountMinor} minor units more than its orders`;
    case 'unreadable':
      return `a transfer of the treasury account cannot be read (${txHash})`;
    case 'balance_short':
      return `the treasury holds ${amountMinor} minor units less than the books explain`;
    case 'transfer_unlisted':
      return amountMinor > 0n
        ? `${amountMinor} minor units left the treasury without a listed transfer (${txHash})`
        : `tokens came to the treasury without a listed transfer, and may hide tokens that left (${txHash})`;
  }
}
