// Asks a bank about the account of every accepted sell, once and off the path of acceptance: a business that mistyped an account
// hears of it before it sends tokens. It changes no state; the question directly before the payout decides.
import { compareNames, readName } from '../../domain/matching/name-match.ts';
import type { Enquiry } from '../../domain/records/enquiry.ts';
import type { State } from '../../domain/records/states.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import type { Clock, Entropy } from '../../ports/clock.ts';
import type { DueEnquiry, Enquiries } from '../../ports/enquiries.ts';
import type { EventLog, LogReaders } from '../../ports/events.ts';
import type { Banks } from '../../ports/rails/rail.ts';
import type { ReadStore } from '../../ports/store/reads.ts';
import { apart, backOffMs } from '../engine/retries.ts';
import { askOwner, type Owner } from './read-account.ts';

export interface AskAboutSellsDeps {
  readonly store: Pick<ReadStore, 'transactionsById'>;
  readonly enquiries: Enquiries;
  readonly eventLog: Pick<EventLog, 'read'>;
  readonly logReaders: LogReaders;
  readonly banks: Banks;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

const READER = 'account_enquiries';
const PAGE = 500;
const RETRY_MS = 2_000;
/** A sell in another state is being paid out, or has ended: the answer comes too late to be of use. */
const ASKED: ReadonlySet<State> = new Set(['awaiting_deposit', 'confirming', 'deposited', 'on_hold']);

/** Queues the sells that were accepted since it last looked. A page that is read twice queues nothing twice. */
export async function queueAcceptedSells(deps: AskAboutSellsDeps): Promise<void> {
  for (let atEnd = false; !atEnd; ) {
    const from = await deps.logReaders.position(READER);
    const page = await deps.eventLog.read(from, PAGE);
    const sells = page.events.flatMap((event) =>
      event.type === 'transaction.accepted' &&
      event.kind === 'transaction' &&
      event.transaction.type === 'sell'
        ? [event.transaction.id]
        : [],
    );
    await deps.enquiries.add(sells, deps.clock.now());
    if (page.position !== from) await deps.logReaders.move(READER, from, page.position);
    atEnd = page.atEnd;
  }
}

/** Sells whose lease the caller holds. */
export async function askAboutSells(deps: AskAboutSellsDeps, due: readonly DueEnquiry[]): Promise<void> {
  const sells = await deps.store.transactionsById(due.map(({ transactionId }) => transactionId));
  const { rethrow } = await apart(due, (each) => askAbout(deps, each, sells.get(each.transactionId)));
  rethrow();
}

async function askAbout(
  { enquiries, banks, clock, entropy }: AskAboutSellsDeps,
  due: DueEnquiry,
  sell: Transaction | undefined,
): Promise<void> {
  if (sell === undefined || sell.bankCode === null || !ASKED.has(sell.state))
    return enquiries.putOff(due, null);
  const { id: about, mode, bankCode, accountNumber, accountName: expectedName } = sell;
  const owner = await askOwner(banks, mode, { bankCode, accountNumber, expectedName, about });
  const atMs = clock.now();
  if (owner.kind === 'unknown')
    return enquiries.putOff(due, atMs + backOffMs({ entropy }, due.tries, RETRY_MS));
  await enquiries.answer(due, enquiryOf(sell, owner, atMs));
}

function enquiryOf(
  { id: transactionId, accountName }: Transaction,
  owner: Exclude<Owner, { kind: 'unknown' }>,
  atMs: number,
): Enquiry {
  const facts = { transactionId, rail: owner.rail, atMs };
  if (owner.kind === 'no_account') return { ...facts, verdict: 'no_account', score: null, bankSays: null };
  const { verdict, score } = compareNames(readName(owner.name), readName(accountName));
  return {
    ...facts,
    verdict: verdict === 'strong' ? 'same_name' : 'other_name',
    score,
    bankSays: owner.name,
  };
}
