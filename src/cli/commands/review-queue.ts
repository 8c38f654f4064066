// The review queue as tables, oldest first, each with the commands that a reviewer can use on it.

import type { TokenDecimals } from '../../app/ledger/judge-ledger.ts';
import type { Movement } from '../../domain/records/movement.ts';
import type { Proposal } from '../../domain/review/proposal.ts';
import { formatNaira } from '../../domain/values/money.ts';
import type { ReviewQueue } from '../../ports/review-desk.ts';
import { type Terminal, table } from '../command.ts';
import { amountText } from '../ledger-tables.ts';
import { describeRequest } from './review-words.ts';

const SET_ASIDE = 'Reports of a bank or a network that could not be read, kept as received; newest first';

export interface QueuePage {
  readonly proposals: readonly Proposal[];
  readonly queue: ReviewQueue;
  readonly limit: number;
  readonly nowMs: number;
  readonly decimals: TokenDecimals;
}

export function printQueue(
  terminal: Terminal,
  { proposals, queue, limit, nowMs, decimals }: QueuePage,
): void {
  const age = (atMs: number) => ageOf(nowMs - atMs);
  const sections: readonly [string, readonly string[], readonly (readonly string[])[]][] = [
    [
      'Proposals that need a second person: reviews approve, reviews decline',
      ['PROPOSAL', 'MODE', 'WHAT', 'AMOUNT', 'BY', 'AGE'],
      proposals.map((each) => [
        ...[each.id, each.mode, describeRequest(each.request), formatNaira(each.amountMinor)],
        ...[each.proposedBy, age(each.proposedAtMs)],
      ]),
    ],
    [
      'Transactions on hold: reviews propose release, propose refund, reject',
      ['TRANSACTION', 'MODE', 'TYPE', 'AMOUNT', 'RECEIVED', 'WHY', 'AGE'],
      queue.transactions.map((each) => [
        ...[each.id, each.mode, each.type, formatNaira(each.amountMinor), formatNaira(each.receivedMinor)],
        ...[whyOf(each.exception, each.stateReason), age(each.updatedAtMs)],
      ]),
    ],
    [
      'Unmatched bank credits: reviews propose match, split, refund, write-off',
      ['CREDIT', 'MODE', 'AMOUNT', 'PAYER', 'WHY', 'MEANT FOR', 'AGE'],
      queue.credits.map((each) => [
        ...[each.id, each.mode, formatNaira(each.amountMinor), each.payerName ?? each.payerAccount ?? '-'],
        each.exception ?? '-',
        each.transactionId ?? (each.candidates.map((found) => found.transactionId).join(' or ') || '-'),
        age(each.receivedAtMs),
      ]),
    ],
    [
      'Unmatched token deposits: reviews propose refund --address, write-off, own-funds',
      ['DEPOSIT', 'MODE', 'ASSET', 'AMOUNT', 'WHY', 'SELL', 'AGE'],
      queue.deposits.map((each) => [
        ...[each.id, each.mode, each.asset, amountText(each.amountMinor, each.mode, each.asset, decimals)],
        ...[each.exception ?? '-', each.transactionId ?? '-', age(each.seenAtMs)],
      ]),
    ],
    [
      'Refunds without a destination, or refused: reviews propose refund with an account or an address',
      ['REFUND', 'MODE', 'AMOUNT', 'BY', 'STATE', 'WHY', 'AGE'],
      queue.refunds.map((each) => [
        ...[each.id, each.mode, formatNaira(each.nairaMinor), each.network ?? 'bank', refundState(each)],
        ...[each.reason ?? '-', age(each.createdAtMs)],
      ]),
    ],
    [
      'Notices of the bank that match no record: reviews propose loss, dismiss',
      ['NOTICE', 'MODE', 'KIND', 'ABOUT', 'AMOUNT', 'AGE'],
      queue.notices.map((each) => [
        ...[each.id, each.mode, each.kind, each.about, formatNaira(each.amountMinor), age(each.receivedAtMs)],
      ]),
    ],
    [
      'Open cases: reversed payments and returned payouts (cases close)',
      ['CASE', 'MODE', 'KIND', 'TRANSACTION', 'AMOUNT', 'AGE'],
      queue.cases.map((each) => [
        ...[each.id, each.mode, each.kind, each.transactionId ?? '-', formatNaira(each.amountMinor)],
        age(each.openedAtMs),
      ]),
    ],
    [
      SET_ASIDE,
      ['LINE', 'MODE', 'SOURCE', 'WHY', 'AGE'],
      queue.quarantined.map((each) => [each.id, each.mode, each.source, each.reason, age(each.atMs)]),
    ],
  ];
  const filled = sections.filter(([, , rows]) => rows.length > 0);
  if (filled.length === 0) terminal.print('Nothing needs review.');
  for (const [title, head, rows] of filled) {
    terminal.print(`${title}\n${table([head, ...rows])}\n`);
    const end = title === SET_ASIDE ? 'newest' : 'oldest';
    if (rows.length >= limit) terminal.print(`Only the ${end} ${limit} of each mode are shown.\n`);
  }
  if (filled.length > 0) terminal.print('To see one with its related records: bin/sliproad reviews show ID');
}

function whyOf(exception: string | null, reason: string | null): string {
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
