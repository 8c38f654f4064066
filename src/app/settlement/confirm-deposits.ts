// Queries the status of deposits and counts those that are final. If the deposit address holds less than the deposit, the
// deposit waits and people get a case. Returns the sells that now have all their tokens, so that the caller continues with
// them.
import { makeSweep } from '../../domain/movements/entries.ts';
import { type Change, makeMove } from '../../domain/records/change.ts';
import type { Deposit } from '../../domain/records/deposit.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { recordDroppedDeposit, settleFinalDeposit } from '../../domain/settlement/sell.ts';
import { holdShortDeposit } from '../../domain/settlement/short-deposit.ts';
import { tokenToKobo } from '../../domain/values/money.ts';
import {
  type Confirmation,
  isShortDeposit,
  type PendingSighting,
} from '../../ports/networks/network-observer.ts';
import { newId, type PickDeps, type SettlementDeps } from '../engine/deps.ts';
import { backOffMs, runEach } from '../engine/retries.ts';

const ASK_AGAIN_MS = 300;
const MAX_TRIES = 4;
/**
 * The maximum number of transfers of one sell in one batch. There is a maximum because each decision reads all other transfers
 * of the sell.
 */
const MAX_ROUNDS = 50;

/** The caller must hold the leases of the deposits in `deposits`. */
export async function confirmDeposits(
  deps: SettlementDeps,
  deposits: readonly Deposit[],
): Promise<readonly Transaction[]> {
  const swept = deposits.filter(({ mode, network }) => deps.networks.find(mode, network)?.sweeps === true);
  let besides: OtherDeposits = new Map();
  if (swept.length > 0) besides = await readOtherDeposits(deps, swept);
  const { done, rethrow } = await runEach(deposits, async (deposit): Promise<Confirmation> => {
    const network = deps.networks.find(deposit.mode, deposit.network);
    if (network === undefined) return 'unknown';
    return network.confirm({ ...deposit, beside: besides.get(deposit.id) ?? [] });
  });
  const paid: Transaction[] = [];
  let open = done.map(({ item, outcome }): AnsweredDeposit => ({ deposit: item, answer: outcome, tries: 0 }));
  // Several transfers of one sell may become final together. The service decides about each of them after it counted the
  // previous one.
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
    const [now, later] = splitOnePerSell(open);
    const changes = await decideDeposits(deps, now);
    const outcomes = await deps.store.commit(changes);
    const again: AnsweredDeposit[] = [];
    for (const [index, outcome] of outcomes.entries()) {
      const moved = changes[index]!.transactions?.map((move) => move.after) ?? [];
      if (outcome.kind === 'committed') {
        paid.push(...moved.filter((each) => each.state === 'deposited'));
        reportCase(deps, now[index]!, changes[index]!);
      } else if (now[index]!.tries + 1 < MAX_TRIES)
        again.push({ ...now[index]!, tries: now[index]!.tries + 1 });
      if (outcome.kind === 'refused') {
        const { constraint } = outcome;
        deps.onTrouble('a deposit was refused', { deposit: now[index]!.deposit.id, constraint });
      }
    }
    open = [...again, ...later];
  }
  // If a sell has too many transfers, some of them wait for the next run, so that the deposits of other sells continue now.
  const atMs = deps.clock.now();
  if (open.length > 0)
    await deps.store.commit(
      open.map(({ deposit }) => ({ atMs, deposits: [makeMove(deposit, { dueAtMs: atMs })] })),
    );
  rethrow();
  return paid;
}

type OtherDeposits = ReadonlyMap<string, NonNullable<PendingSighting['beside']>>;

async function readOtherDeposits(
  { store }: PickDeps<'store'>,
  deposits: readonly Deposit[],
): Promise<OtherDeposits> {
  const others = await store.depositsOf([...new Set(deposits.flatMap((each) => each.transactionId ?? []))]);
  const isBeside = (deposit: Deposit, { id, state, address, asset }: Deposit) =>
    id !== deposit.id && state !== 'gone' && address === deposit.address && asset === deposit.asset;
  return new Map(deposits.map((deposit) => [deposit.id, others.filter((each) => isBeside(deposit, each))]));
}

interface AnsweredDeposit {
  readonly deposit: Deposit;
  readonly answer: Confirmation;
  readonly tries: number;
}

function splitOnePerSell(
  open: readonly AnsweredDeposit[],
): readonly [readonly AnsweredDeposit[], readonly AnsweredDeposit[]] {
  const sells = new Set<string>();
  const isFirst = ({ deposit: { transactionId }, answer }: AnsweredDeposit) => {
    // A deposit whose outcome is still open does not change its sell.
    if (transactionId === null || (answer !== 'final' && answer !== 'gone')) return true;
    const first = !sells.has(transactionId);
    sells.add(transactionId);
    return first;
  };
  const { now = [], later = [] } = Object.groupBy(open, (each) => (isFirst(each) ? 'now' : 'later'));
  return [now, later];
}

async function decideDeposits(
  deps: SettlementDeps,
  open: readonly AnsweredDeposit[],
): Promise<readonly Change[]> {
  const settled = open.filter(
    ({ answer }) => answer === 'final' || answer === 'gone' || isShortDeposit(answer),
  );
  const ids = [...new Set(settled.flatMap(({ deposit }) => deposit.transactionId ?? []))];
  const [transactions, siblings] = await Promise.all([
    deps.store.transactionsById(ids),
    deps.store.depositsOf(ids),
  ]);
  return open.map(({ deposit, answer }) => {
    const transaction = transactions.get(deposit.transactionId ?? '') ?? null;
    const own = siblings.filter(
      (each) => each.transactionId === deposit.transactionId && each.id !== deposit.id,
    );
    return decideDeposit(deps, deposit, answer, transaction, own);
  });
}

function decideDeposit(
  deps: SettlementDeps,
  deposit: Deposit,
  answer: AnsweredDeposit['answer'],
  transaction: Transaction | null,
  siblings: readonly Deposit[],
): Change {
  const atMs = deps.clock.now();
  // While a network is not enabled, the value of its deposits is unknown.
  const known = [deposit, ...siblings].every(
    ({ mode, network }) => deps.networks.find(mode, network) !== undefined,
  );
  const askAgain = () => ({ atMs, dueAtMs: atMs + backOffMs(deps, deposit.tries, ASK_AGAIN_MS) });
  if (answer === 'pending' || answer === 'unknown' || !known) {
    const { dueAtMs } = askAgain();
    return { atMs, deposits: [makeMove(deposit, { dueAtMs })] };
  }
  if (answer === 'gone') {
    return recordDroppedDeposit(transaction, deposit, {
      atMs,
      graceMs: deps.policies[deposit.mode].depositGraceMs,
    });
  }
  const decimalsOf = (each: Deposit) => deps.networks.find(each.mode, each.network)!.asset.decimals;
  if (isShortDeposit(answer)) {
    const facts = { deposit, ...answer, decimals: decimalsOf(deposit), ...askAgain() };
    return holdShortDeposit(transaction, { ...facts, newCaseId: newId(deps, 'cas') });
  }
  const counted = settleFinalDeposit(transaction, {
    deposit,
    decimals: decimalsOf(deposit),
    waiting: siblings
      .filter((each) => each.state === 'suspense' && each.exception === 'paid_partial')
      .map((each) => ({ deposit: each, decimals: decimalsOf(each) })),
    policy: deps.policies[deposit.mode],
    atMs,
    nextDueMs: atMs + deps.leaseMs,
    newRefundId: newId(deps, 'mov'),
  });
  return addSweep(deps, counted, deposit);
}

/**
 * The service logs the case once, when the case is opened. The case contains the amount in naira, and the log contains it in
 * the token's own units.
 */
function reportCase(
  deps: PickDeps<'onTrouble'>,
  { deposit, answer }: AnsweredDeposit,
  { openCase }: Change,
): void {
  if (openCase === undefined || !isShortDeposit(answer)) return;
  deps.onTrouble('a deposit address holds less than its deposits: the deposit does not count', {
    ...{ case: openCase.id, deposit: deposit.id, network: deposit.network, tx_hash: deposit.txHash },
    ...{ said_minor: `${deposit.amountMinor}`, missing_minor: `${answer.missingMinor}` },
  });
}

/** The service always sweeps tokens at a separate deposit address into the treasury, however the books count them. */
function addSweep(
  deps: PickDeps<'clock' | 'entropy' | 'networks'>,
  counted: Change,
  deposit: Deposit,
): Change {
  const network = deps.networks.find(deposit.mode, deposit.network)!;
  if (!network.sweeps || deposit.transactionId === null) return counted;
  const sweep = makeSweep(deposit, {
    id: newId(deps, 'mov'),
    nairaMinor: tokenToKobo(deposit.amountMinor, network.asset.decimals).kobo,
    atMs: deps.clock.now(),
  });
  return { ...counted, newMovements: [...(counted.newMovements ?? []), sweep] };
}
