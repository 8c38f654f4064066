// Shows the review queue as tables, with the oldest record first and the commands for each record.
import type { TokenDecimals } from '../../app/ledger/judge-ledger.ts';
import { describeProposal } from '../../app/review/decide-proposal.ts';
import type { OpenProposal } from '../../app/review/list-proposals.ts';
import type { Movement } from '../../domain/records/movement.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import { formatNaira } from '../../domain/values/money.ts';
import type { CaseGroup } from '../../ports/operations/operations-store.ts';
import type { ReviewQueue, UnknownPayout } from '../../ports/review-store.ts';
import { renderCase, renderCaseGroup } from '../../renderings/cases.ts';
import { renderPayout, toPayoutRow } from '../../renderings/payouts.ts';
import { renderOpenProposal } from '../../renderings/proposals.ts';
import { renderQueueKinds } from '../../renderings/queue.ts';
import { readSubjectContext } from '../../renderings/review.ts';
import type { DescribedFoundation } from '../../wire/foundation.ts';
import { printTable, type Terminal } from '../command.ts';
import { amountText, readEveryRow } from '../ledger-tables.ts';
import { asJsonObject, type Json } from '../terminal/json.ts';
import { CASE_GROUPS_HEAD, CASE_GROUPS_TITLE, caseGroupRow } from './case-groups.ts';

const SET_ASIDE = 'Unreadable reports of a bank or a network, kept as received; newest first';

export interface QueuePage {
  readonly proposals: readonly OpenProposal[];
  readonly queue: ReviewQueue;
  readonly unknown: readonly UnknownPayout[];
  readonly groups: readonly CaseGroup[];
  readonly limit: number;
  readonly nowMs: number;
  readonly decimals: TokenDecimals;
}

export function printQueue(terminal: Terminal, page: QueuePage): void {
  const filled = sectionsOf(page).filter(({ rows }) => rows.length > 0);
  if (filled.length === 0) {
    terminal.print('Nothing needs review.');
    return;
  }
  for (const { title, head, rows } of filled) {
    terminal.print(title);
    printTable(terminal, [head, ...rows]);
    terminal.print('');
    const end = title === SET_ASIDE ? 'newest' : 'oldest';
    if (rows.length >= page.limit)
      terminal.print(`Only the ${end} ${page.limit} records of each mode are shown.\n`);
  }
  terminal.print('To show a record with its related records: bin/sliproad reviews show ID');
}

type QueueReads = Pick<DescribedFoundation, 'operations' | 'reviewDesk' | 'networks' | 'clock' | 'banks'>;

export async function queueJson(
  reads: QueueReads,
  { proposals, unknown, groups, limit }: QueuePage,
  mode: Mode | undefined,
): Promise<Json> {
  const { operations } = reads;
  const modes = mode === undefined ? MODES : [mode];
  const kinds = await Promise.all(modes.map((each) => readKinds(reads, each, limit)));
  const filter = { mode: mode ?? null, open: true, ofFile: 'loose' };
  const cases = await readEveryRow((page) => operations.listCases({ ...filter, ...page }));
  return asJsonObject({
    proposals: proposals.map(renderOpenProposal),
    kinds: kinds.flat(),
    cases: cases.map(renderCase),
    groups: groups.map(renderCaseGroup),
    unknown_for_long: unknown.map((each) => renderPayout(toPayoutRow(each), reads)),
  });
}

async function readKinds(reads: QueueReads, mode: Mode, limit: number) {
  const { operations, reviewDesk, clock } = reads;
  const queue = await reviewDesk.listQueue(limit, mode);
  const sums = await operations.waiting(mode, clock.now(), 0);
  const businesses = queue.transactions.map(({ businessId }) => businessId);
  return renderQueueKinds(mode, queue, sums, await readSubjectContext(reads, businesses));
}

interface Section {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function sectionsOf(page: QueuePage): readonly Section[] {
  const age = (atMs: number) => ageOf(page.nowMs - atMs);
  return [...transactionSections(page, age), ...moneySections(page, age), ...bankSections(page, age)];
}

type Age = (atMs: number) => string;

function transactionSections({ proposals, queue }: QueuePage, age: Age): readonly Section[] {
  return [
    {
      title:
        'Proposals that need a second person: reviews approve, reviews decline; for their author: reviews withdraw',
      head: ['PROPOSAL', 'MODE', 'WHAT', 'AMOUNT', 'BY', 'AGE', 'NOW'],
      rows: proposals.map((each) => proposalRow(each, age)),
    },
    {
      title: 'Transactions on hold: reviews propose release, propose refund, reject',
      head: ['TRANSACTION', 'MODE', 'TYPE', 'AMOUNT', 'RECEIVED', 'WHY', 'AGE'],
      rows: queue.transactions.map((each) => [
        ...[each.id, each.mode, each.type, formatNaira(each.amountMinor), formatNaira(each.receivedMinor)],
        ...[reasonText(each.exception, each.stateReason), age(each.updatedAtMs)],
      ]),
    },
  ];
}

function proposalRow(each: OpenProposal, age: Age): string[] {
  const { id, mode, proposedAtMs } = each.proposal;
  const what = describeProposal(each);
  const amount = each.kind === 'review' ? formatNaira(each.proposal.amountMinor) : '-';
  const now = each.obstacle === null ? 'can be approved' : `no longer applies: ${each.obstacle}`;
  return [id, mode, what, amount, each.proposedByName, age(proposedAtMs), now];
}

function moneySections({ queue, decimals }: QueuePage, age: Age): readonly Section[] {
  return [
    {
      title: 'Bank credits in review: reviews propose match, split, refund, write-off',
      head: ['CREDIT', 'MODE', 'AMOUNT', 'PAYER', 'WHY', 'MEANT FOR', 'AGE'],
      rows: queue.credits.map((each) => [
        ...[each.id, each.mode, formatNaira(each.amountMinor), each.payerName ?? each.payerAccount ?? '-'],
        each.exception ?? '-',
        each.transactionId ?? (each.candidates.map((found) => found.transactionId).join(' or ') || '-'),
        age(each.receivedAtMs),
      ]),
    },
    {
      title: 'Token deposits in review: reviews propose refund --address, write-off, own-funds',
      head: ['DEPOSIT', 'MODE', 'ASSET', 'AMOUNT', 'WHY', 'SELL', 'AGE'],
      rows: queue.deposits.map((each) => [
        ...[each.id, each.mode, each.asset, amountText(each.amountMinor, each.mode, each.asset, decimals)],
        ...[each.exception ?? '-', each.transactionId ?? '-', age(each.seenAtMs)],
      ]),
    },
    {
      title:
        'Refunds that were refused or have no destination: reviews propose refund with an account or an address',
      head: ['REFUND', 'MODE', 'AMOUNT', 'BY', 'STATE', 'WHY', 'AGE'],
      rows: queue.refunds.map((each) => [
        ...[each.id, each.mode, formatNaira(each.nairaMinor), each.network ?? 'bank', refundState(each)],
        ...[each.reason ?? '-', age(each.createdAtMs)],
      ]),
    },
  ];
}

function bankSections({ queue, unknown, groups }: QueuePage, age: Age): readonly Section[] {
  return [
    {
      title: 'Payouts with an unknown outcome: ask the bank about the reference; never pay them by hand',
      head: ['MOVEMENT', 'MODE', 'AMOUNT', 'ATTEMPTS', 'WHY', 'AGE'],
      rows: unknown.map((each) => [
        ...[each.id, each.mode, formatNaira(each.nairaMinor)],
        each.tried.map(({ rail, reference, state }) => `${rail} ${reference} ${state}`).join('; '),
        ...[each.reason ?? '-', age(each.createdAtMs)],
      ]),
    },
    {
      title: 'Notices of the bank that match no record: reviews propose loss, dismiss',
      head: ['NOTICE', 'MODE', 'KIND', 'ABOUT', 'AMOUNT', 'AGE'],
      rows: queue.notices.map((each) => [
        ...[each.id, each.mode, each.kind, each.about, formatNaira(each.amountMinor), age(each.receivedAtMs)],
      ]),
    },
    {
      title: CASE_GROUPS_TITLE,
      head: CASE_GROUPS_HEAD,
      rows: groups.map(caseGroupRow),
    },
    {
      title: 'Open cases: reversed payments, returned payouts, double payouts (cases show)',
      head: ['CASE', 'MODE', 'KIND', 'TRANSACTION', 'AMOUNT', 'AGE'],
      rows: queue.cases.map((each) => [
        ...[each.id, each.mode, each.kind, each.transactionId ?? '-', formatNaira(each.amountMinor)],
        age(each.openedAtMs),
      ]),
    },
    {
      title: SET_ASIDE,
      head: ['LINE', 'MODE', 'SOURCE', 'WHY', 'AGE'],
      rows: queue.quarantined.map((each) => [each.id, each.mode, each.source, each.reason, age(each.atMs)]),
    },
  ];
}
function reasonText(exception: string | null, reason: string | null): string {
  if (exception === null || exception === reason) return reason ?? '-';
  return reason === null ? exception : `${exception}: ${reason}`;
}

function refundState({ state, destination }: Movement): string {
  return destination === null ? 'no destination' : state;
}

function ageOf(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 120) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours}h` : `${Math.floor(hours / 24)}d`;
}
