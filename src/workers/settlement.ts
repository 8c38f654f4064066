// The stages of settlement in one process: what each takes, and whom it hands on to. Any number of processes run the
// same stages on one database.

import type { Sent } from '../app/broadcast.ts';
import { confirmDeposits } from '../app/confirm-deposits.ts';
import { expireTransactions } from '../app/expire-transactions.ts';
import { newFeedMemory } from '../app/feed-hold.ts';
import { followMovements } from '../app/follow-movements.ts';
import { handleNotices } from '../app/handle-notices.ts';
import { matchCredits } from '../app/match-credits.ts';
import { observeDeposits } from '../app/observe-deposits.ts';
import { payOut } from '../app/pay-out.ts';
import { readBankFeed } from '../app/read-bank-feed.ts';
import { sendTokens } from '../app/send-tokens.ts';
import { claimOf, type SettlementDeps } from '../app/settlement.ts';
import type { BankCredit } from '../domain/credit.ts';
import { MODES } from '../domain/mode.ts';
import type { Movement } from '../domain/movement.ts';
import type { UnderWay } from '../domain/movement-steps.ts';
import type { Transaction } from '../domain/transaction.ts';
import { type Stage, startStage } from './stage.ts';

export interface Settlement {
  /** Something came in, as far as this process knows. */
  wakeFeeds(where: 'banks' | 'networks'): void;
  /** Buys were accepted: credits that came before them are looked at again. */
  accepted(transaction: Transaction): void;
  wakeAll(): void;
  stop(): Promise<void>;
}

export interface SettlementOptions {
  readonly deps: SettlementDeps;
  readonly maxBatch: number;
  readonly onError: (error: Error) => void;
  readonly onBatch: (stage: string, size: number, seconds: number) => void;
}

/** A movement to be followed, with what this process knows of it from having sent it. */
interface Followed {
  readonly movement: Movement;
  readonly known?: UnderWay;
}

/** So many lines in one reading: there are more behind them. */
const MUCH = 100;
/** Batches of one stage under way at once: while one waits for the database, the next is being decided. */
const LANES = 2;
/** How long accepted claims are gathered before they are looked up together. */
const GATHER_MS = 50;

export function startSettlement({ deps, maxBatch, onError, onBatch }: SettlementOptions): Settlement {
  const { store } = deps;
  const { moving } = deps;
  const stage = <Item>(
    name: string,
    claim: (limit: number) => Promise<readonly Item[]>,
    work: (items: readonly Item[]) => Promise<void>,
    active?: () => boolean,
  ): Stage<Item> =>
    startStage({
      claim,
      work,
      maxBatch,
      lanes: LANES,
      onError,
      onBatch: (size, seconds) => onBatch(name, size, seconds),
      ...(active !== undefined && { active }),
    });

  const follow = stage<Followed>(
    'follow',
    async (limit) => {
      const movements = await store.claimMovements(['pending', 'sending', 'unknown'], claimOf(deps, limit));
      return movements.map((movement) => ({ movement }));
    },
    async (followed) => {
      const movements = followed.map(({ movement }) => movement);
      const known = followed.flatMap(({ known }) => (known === undefined ? [] : [known]));
      const byId = new Map(known.map((alive) => [alive.movement.id, alive]));
      goOn(await followMovements(deps, movements, byId));
    },
    moving,
  );
  /** Asks about what was sent when it is worth asking; should this process die, its lease ends and others ask. */
  const goOn = (sent: readonly Sent[]) => {
    if (sent.length === 0) return;
    const askAtMs = Math.max(...sent.map((each) => each.askAtMs));
    const known = sent.map(({ alive }) => ({ movement: alive.movement, known: alive }));
    setTimeout(() => follow.offer(known), Math.max(0, askAtMs - deps.clock.now())).unref();
  };
  const send = stage<Transaction>(
    'send',
    (limit) => store.claimTransactions(['paid', 'awaiting_trustline'], claimOf(deps, limit)),
    async (transactions) => {
      goOn(await sendTokens(deps, transactions));
      follow.wake();
    },
    moving,
  );
  const pay = stage<Transaction>(
    'pay',
    (limit) => store.claimTransactions(['deposited'], claimOf(deps, limit)),
    (transactions) => payOut(deps, transactions).then(follow.wake),
    moving,
  );
  const match = stage<BankCredit>(
    'match',
    (limit) => store.claimCredits(claimOf(deps, limit)),
    async (credits) => {
      send.offer(await matchCredits(deps, credits));
      follow.wake();
    },
  );
  const confirm = stage(
    'confirm',
    (limit) => store.claimDeposits(claimOf(deps, limit)),
    async (deposits) => {
      pay.offer(await confirmDeposits(deps, deposits));
      follow.wake();
    },
  );
  const notices = stage(
    'notices',
    (limit) => store.claimNotices(claimOf(deps, limit)),
    (each) => handleNotices(deps, each),
  );
  const expire = stage(
    'expire',
    (limit) =>
      store.claimTransactions(
        ['awaiting_wallet', 'awaiting_payment', 'awaiting_deposit'],
        claimOf(deps, limit),
      ),
    (transactions) => expireTransactions(deps, transactions),
  );
  const feeds = {
    banks: bankFeeds(deps, onError, onBatch, match, notices),
    networks: networkFeeds(deps, onError, confirm),
  };
  const stages: readonly Stage<never>[] = [
    ...feeds.banks,
    ...feeds.networks,
    match,
    confirm,
    notices,
    expire,
    send,
    pay,
    follow,
  ];
  const hasten = gathering<Transaction>(async (claims) => {
    if ((await store.hastenCredits(claims, deps.clock.now())) > 0) match.wake();
  }, onError);
  return {
    wakeFeeds: (where) => {
      for (const feed of feeds[where]) feed.wake();
    },
    accepted: (transaction) => {
      if (transaction.type === 'buy') hasten(transaction);
    },
    wakeAll: () => {
      for (const each of stages) each.wake();
    },
    stop: async () => {
      await Promise.all(stages.map((each) => each.stop()));
    },
  };
}

/** A feed is a stage whose claim reads and records; there is nothing left to work on but to wake whoever comes next. */
function feed(read: () => Promise<number | undefined>, onError: (error: Error) => void): Stage<never> {
  return startStage<never>({
    claim: async () => {
      // On at once while there is much; what trickles in is gathered. Another process may be the one that reads it.
      for (let lines = await read(); lines !== undefined && lines >= MUCH; ) lines = await read();
      return [];
    },
    work: async () => undefined,
    maxBatch: 1,
    onError,
  });
}

function bankFeeds(
  deps: SettlementDeps,
  onError: (error: Error) => void,
  onBatch: SettlementOptions['onBatch'],
  match: Stage<BankCredit>,
  notices: Stage<never>,
): Stage<never>[] {
  return MODES.flatMap((mode) => {
    const bank = deps.banks.find(mode);
    if (bank === undefined) return [];
    const memory = newFeedMemory();
    const read = async () => {
      const startedAtMs = performance.now();
      const reading = await readBankFeed(deps, mode, bank, memory);
      const lines = reading?.lines ?? 0;
      if (lines > 0) onBatch('feed', lines, (performance.now() - startedAtMs) / 1_000);
      match.offer(reading?.credits ?? []);
      if (reading !== undefined && reading.lines > reading.credits.length) notices.wake();
      return reading?.lines;
    };
    return [feed(read, onError)];
  });
}

function networkFeeds(
  deps: SettlementDeps,
  onError: (error: Error) => void,
  confirm: Stage<never>,
): Stage<never>[] {
  return MODES.flatMap((mode) =>
    deps.networks.enabled(mode).map((network) => {
      const memory = newFeedMemory();
      return feed(async () => {
        const seen = await observeDeposits(deps, mode, network, memory);
        if (seen !== undefined && seen > 0) confirm.wake();
        return seen;
      }, onError);
    }),
  );
}

/** Hands over what came within a moment, together. */
function gathering<Item>(
  work: (items: readonly Item[]) => Promise<void>,
  onError: (error: Error) => void,
): (item: Item) => void {
  let items: Item[] = [];
  return (item) => {
    items.push(item);
    if (items.length > 1) return;
    setTimeout(() => {
      const gathered = items;
      items = [];
      work(gathered).catch(onError);
    }, GATHER_MS).unref();
  };
}
