// The promises about money, looked after while a seed runs: at every commit of ours, and at every payment the outside
// world makes. What is kept here is counted apart from the store, so that a mistake there shows.
import { PAYING_FATES } from '../../../src/adapters/simulation/world.ts';
import { type Entry, partsOf } from '../../../src/domain/ledger/ledger.ts';
import type { Change, MatchRecord, TransactionMove } from '../../../src/domain/records/change.ts';
import type { BankCredit } from '../../../src/domain/records/credit.ts';
import type { Deposit } from '../../../src/domain/records/deposit.ts';
import type { Movement } from '../../../src/domain/records/movement.ts';
import { canMove, type State } from '../../../src/domain/records/states.ts';
import type { Acceptance } from '../../../src/ports/store/acceptance.ts';
import type { Tables } from '../model/tables.ts';
import type { Happened, Witness } from '../world/outside.ts';

export interface Watch extends Witness {
  applied(change: Change): void;
  accepted(acceptance: Acceptance): void;
  /** The store is what it was before: what was counted is counted anew. */
  restored(): void;
  /** What the postings seen so far add up to, by account. */
  readonly posted: ReadonlyMap<string, bigint>;
  /** Movements the outside world has paid, or is certain to. */
  readonly paid: ReadonlySet<string>;
}

export interface WatchParts {
  readonly tables: () => Tables;
  readonly happened: () => Happened;
  readonly now: () => number;
  readonly kobo: (network: string, tokens: bigint) => bigint;
  /** The store came from a backup a moment ago: what is paid now may have been asked for by the one before it. */
  readonly isRestored: () => boolean;
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}

const OPEN: ReadonlySet<State> = new Set<State>(['awaiting_payment', 'awaiting_wallet']);

export function makeWatch({ tables, happened, now, kobo, isRestored, broken }: WatchParts): Watch {
  const posted = new Map<string, bigint>();
  const states = new Map<string, State>();
  const paidBy = new Map<string, string>();
  const paid = new Set<string>();
  const touched = new Map<string, string>();
  const leftFor = new Map<string, bigint>();

  const post = (entry: Entry) => {
    const sums = new Map<string, bigint>();
    for (const { account, amountMinor } of entry.postings) {
      const { mode, asset, side } = partsOf(account);
      sums.set(`${mode} ${asset}`, (sums.get(`${mode} ${asset}`) ?? 0n) + amountMinor);
      const balance = (posted.get(account) ?? 0n) + amountMinor;
      posted.set(account, balance);
      if (touched.size === 0) queueMicrotask(balancesAgree);
      touched.set(account, entry.subjectId);
      if (side === 'debit' ? balance < 0n : balance > 0n)
        broken(
          'no account stands on its wrong side',
          `${account} at ${balance} by ${entry.event}`,
          entry.subjectId,
        );
    }
    for (const [asset, sum] of sums)
      if (sum !== 0n)
        broken('every entry balances', `${entry.event} leaves ${sum} of ${asset}`, entry.subjectId);
  };
  /** Looked at once the whole commit is done: a batch is written before any observer sees its changes. */
  const balancesAgree = () => {
    for (const [account, subjectId] of touched)
      if ((tables().accounts.get(account) ?? 0n) !== posted.get(account))
        broken(
          'balances equal their postings',
          `${account}: ${tables().accounts.get(account)} and ${posted.get(account)}`,
          subjectId,
        );
    touched.clear();
  };
  const moved = ({ after, line }: TransactionMove) => {
    const { id, type, state } = after;
    const from = states.get(id);
    states.set(id, state);
    const to = line?.to ?? from;
    const isInTimeline = line === null || line.from === from;
    if (!isInTimeline || state !== to)
      broken(
        'every move is in the timeline',
        `${id}: ${from} to ${state}, the timeline says ${line?.from} to ${to}`,
        id,
      );
    if (from !== state && !canMove(type, from!, state))
      broken('only the moves of the table are made', `${id}: ${from} to ${state}`, id);
  };
  const credited = ({ id, state, transactionId }: BankCredit) => {
    if (state !== 'matched') return;
    const before = paidBy.get(id);
    if (before !== undefined && before !== transactionId)
      broken('one credit pays at most one transaction', `${id} pays ${before} and ${transactionId}`, id);
    paidBy.set(id, transactionId!);
  };
  const isKnownLine = (credit: BankCredit) =>
    credit.parentId !== null ||
    happened().lines.some(
      ({ line }) =>
        line.kind === 'credit' &&
        line.sourceId === credit.sourceId &&
        line.amountMinor === credit.amountMinor &&
        line.accountNumber === credit.accountNumber,
    );
  const isKnownArrival = (deposit: Deposit) =>
    happened().arrivals.some(
      ({ txHash, amountMinor }) => txHash === deposit.txHash && amountMinor === deposit.amountMinor,
    );

  /** Two businesses or two wallets, the same payment, and nothing that says whose it is: no rule may choose. */
  const noGuess = ({ creditId, transactionId, candidates, actor }: MatchRecord) => {
    if (transactionId === null || actor !== 'matching') return;
    const credit = tables().credits.get(creditId)!;
    const chosen = tables().transactions.get(transactionId)!;
    const rival = candidates.find(({ transactionId: id }) => {
      const other = tables().transactions.get(id)!;
      return (
        (other.businessId !== chosen.businessId || other.wallet?.address !== chosen.wallet?.address) &&
        other.amountMinor === chosen.amountMinor &&
        other.accountNumber === chosen.accountNumber &&
        other.accountName === chosen.accountName &&
        OPEN.has(other.state)
      );
    });
    if (rival !== undefined && credit.narration === null)
      broken(
        'the service never guesses between two businesses, or two wallets',
        `${creditId} pays ${transactionId} and might have paid ${rival.transactionId}`,
        transactionId,
      );
  };
  /** No token leaves without a matched credit; no payout without a final deposit. */
  const mayLeave = (movement: Movement) => {
    const { kind, transactionId } = movement;
    if (kind === 'refund' || transactionId === null) return;
    const transaction = tables().transactions.get(transactionId)!;
    if (kind === 'send') {
      let inMinor = 0n;
      for (const credit of tables().credits.values())
        if (credit.transactionId === transactionId && credit.state === 'matched')
          inMinor += credit.amountMinor;
      if (inMinor < transaction.amountMinor)
        broken('no token leaves without a matched credit', `${movement.id} for ${inMinor}`, transactionId);
      if (movement.nairaMinor + transaction.feeMinor !== transaction.amountMinor)
        broken('what is sent is what was bought', `${movement.id}: ${movement.nairaMinor}`, transactionId);
      return;
    }
    const final = finalTokens(transactionId);
    if (final < transaction.amountMinor)
      broken('no payout without a final deposit', `${movement.id}: ${final} is final`, transactionId);
    if (movement.nairaMinor + transaction.feeMinor !== transaction.amountMinor)
      broken('what is paid out is what was sold', `${movement.id}: ${movement.nairaMinor}`, transactionId);
  };
  /** What the networks themselves call final of the deposits of a sell, in kobo. */
  const finalTokens = (transactionId: string): bigint => {
    const tokens = new Map<string, bigint>();
    for (const { transactionId: owner, txHash } of tables().deposits.values()) {
      if (owner !== transactionId) continue;
      const arrival = happened().arrivals.find((each) => each.txHash === txHash);
      if (arrival?.fate !== 'settles' || !arrival.ourToken || arrival.settledAtMs > now()) continue;
      tokens.set(arrival.network, (tokens.get(arrival.network) ?? 0n) + arrival.amountMinor);
    }
    let total = 0n;
    for (const [network, amount] of tokens) total += kobo(network, amount);
    return total;
  };

  /** The outside world has made a payment of ours. */
  const paidOutside = (movementId: string, hash: string, amountMinor: bigint, to: string) => {
    const movement = tables().movements.get(movementId);
    const isKnown = tables()
      .attempts.get(movementId)
      ?.some(({ reference }) => reference === hash);
    if (!isKnown && isRestored()) return void paid.add(movementId);
    if (movement === undefined)
      return broken('what is paid was written down before', `${movementId} is paid and unknown`, movementId);
    const subject = movement.transactionId ?? movement.creditId ?? movement.depositId;
    if (!isKnown) broken('what is signed is stored before it is sent', `${movementId}: ${hash}`, subject);
    if (paid.has(movementId)) broken('nothing is paid twice', `${movementId} is paid again`, subject);
    paid.add(movementId);
    const { destination } = movement;
    const target =
      destination && ('address' in destination ? destination.address : destination.accountNumber);
    if (movement.amountMinor !== amountMinor || target !== to)
      broken('what is paid is what was decided', `${movementId}: ${amountMinor} to ${to}`, subject);
    if (movement.network !== null && kobo(movement.network, amountMinor) !== movement.nairaMinor)
      broken(
        'tokens are worth their naira',
        `${movementId}: ${amountMinor} for ${movement.nairaMinor}`,
        subject,
      );
    if (movement.kind !== 'withdrawal') noMoreOutThanIn(movement);
  };
  /** By the outside's own books, whatever ours say and ever said: a buy is sent once, a sell paid out once. */
  const onceByTheirBooks = (about: string | null, type: 'buy' | 'sell', nairaMinor: bigint) => {
    const transaction = about === null ? undefined : tables().transactions.get(about);
    if (transaction?.type !== type) return;
    const outMinor = (leftFor.get(transaction.id) ?? 0n) + nairaMinor;
    leftFor.set(transaction.id, outMinor);
    if (outMinor > transaction.amountMinor)
      broken('nothing is paid twice', `${outMinor} of ${transaction.amountMinor}`, transaction.id);
  };
  const noMoreOutThanIn = ({ transactionId, creditId, depositId }: Movement) => {
    const alike = (each: Movement) =>
      transactionId === null
        ? each.creditId === creditId && each.depositId === depositId
        : each.transactionId === transactionId;
    const transaction = transactionId === null ? undefined : tables().transactions.get(transactionId)!;
    let outMinor = 0n;
    for (const movement of tables().movements.values()) {
      if (!paid.has(movement.id) || !alike(movement)) continue;
      outMinor += movement.nairaMinor + (movement.kind === 'refund' ? 0n : transaction!.feeMinor);
    }
    const inMinor = cameIn(transaction?.type, transactionId, creditId, depositId);
    if (outMinor > inMinor)
      broken(
        'no more goes out than came in',
        `${outMinor} out, ${inMinor} in`,
        transactionId ?? creditId ?? depositId,
      );
  };
  const cameIn = (
    type: 'buy' | 'sell' | undefined,
    transactionId: string | null,
    creditId: string | null,
    depositId: string | null,
  ): bigint => {
    if (type === 'sell') return finalTokens(transactionId!);
    if (depositId !== null && transactionId === null) {
      const { network, amountMinor } = tables().deposits.get(depositId)!;
      return kobo(network, amountMinor);
    }
    let inMinor = 0n;
    for (const credit of tables().credits.values()) {
      const counts = transactionId === null ? credit.id === creditId : credit.transactionId === transactionId;
      if (counts && !['unmatched', 'review', 'split'].includes(credit.state)) inMinor += credit.amountMinor;
    }
    return inMinor;
  };

  return {
    posted,
    paid,
    accepted: ({ transaction }) => {
      states.set(transaction.id, transaction.state);
    },
    restored: () => {
      for (const each of [posted, states, paidBy, touched]) each.clear();
      for (const { postings } of tables().entries)
        for (const { account, amountMinor } of postings)
          posted.set(account, (posted.get(account) ?? 0n) + amountMinor);
      for (const { id, state } of tables().transactions.values()) states.set(id, state);
      for (const credit of tables().credits.values()) credited(credit);
    },
    applied: (change) => {
      for (const entry of change.entries ?? []) post(entry);
      for (const move of change.transactions ?? []) moved(move);
      for (const { after } of change.credits ?? []) credited(after);
      for (const credit of change.newCredits ?? [])
        if (!isKnownLine(credit)) broken('every credit is one the bank reported', credit.sourceId, credit.id);
      for (const deposit of change.newDeposits ?? [])
        if (!isKnownArrival(deposit)) broken('every deposit is one that arrived', deposit.txHash, deposit.id);
      for (const movement of change.newMovements ?? []) mayLeave(movement);
      if (change.match !== undefined) noGuess(change.match);
    },
    transfer: ({ orderId, hash, network, about, amountMinor, address, fate }) => {
      if (!PAYING_FATES.includes(fate)) return;
      onceByTheirBooks(about, 'buy', kobo(network, amountMinor));
      paidOutside(orderId, hash, amountMinor, address);
    },
    payout: ({ reference, about, amountMinor, accountNumber, fate }) => {
      if (fate === 'fails') return;
      onceByTheirBooks(about, 'sell', amountMinor);
      paidOutside(reference.replace('-', '_'), reference, amountMinor, accountNumber);
    },
    arrival: () => undefined,
    line: () => undefined,
  };
}
