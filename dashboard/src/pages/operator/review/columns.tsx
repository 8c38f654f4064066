// The tables of the review queue: of each kind what a reviewer needs to choose the next record.
import { Money, TokenAmount } from '../../../parts/amount.tsx';
import type { Column } from '../../../parts/data-table.tsx';
import { counted, words } from '../../../parts/format.ts';
import { Id } from '../../../parts/id.tsx';
import { State } from '../../../parts/state.tsx';
import { Ago } from '../../../parts/time.tsx';
import type { Subject } from '../decisions/types.ts';
import type { QueueKind } from './data.ts';

export type Kind = QueueKind['kind'];

export const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly empty: string }[] = [
  { kind: 'credits', label: 'Bank credits', empty: 'No bank credit waits for review' },
  { kind: 'transactions', label: 'On hold', empty: 'No transaction is on hold' },
  { kind: 'refunds', label: 'Refunds', empty: 'Every refund has a destination' },
  { kind: 'deposits', label: 'Deposits', empty: 'No token deposit waits for review' },
  { kind: 'notices', label: 'Notices', empty: 'No notice of a bank waits for review' },
  { kind: 'quarantined', label: 'Unreadable', empty: 'Every report of banks and networks was read' },
];

const text = (field: string) => (subject: Subject) => {
  const value = subject[field];
  return typeof value === 'string' && value !== '' ? value : <span className="quiet">—</span>;
};
const amount: Column<Subject> = {
  title: 'Amount',
  align: 'right',
  cell: ({ amount: value, asset, network }) =>
    value === null ? (
      <span className="quiet">—</span>
    ) : typeof network === 'string' && typeof asset === 'string' ? (
      <TokenAmount amount={value} asset={asset} />
    ) : (
      <Money amount={value} />
    ),
};
const since: Column<Subject> = { title: 'Since', align: 'right', cell: ({ since: at }) => <Ago at={at} /> };
const why: Column<Subject> = {
  title: 'Why it waits',
  from: 'sm',
  cell: ({ why: reason, exception }) => reason ?? (exception === null ? '—' : words(exception)),
};
/** What matching found when it last decided. */
const best: Column<Subject> = {
  title: 'Best score',
  from: 'md',
  align: 'right',
  cell: ({ best_score: score, candidates }) =>
    typeof score === 'number' && typeof candidates === 'number' ? (
      <>
        <b>{score}</b> <span className="quiet">({counted(candidates, 'buy')})</span>
      </>
    ) : (
      <span className="quiet">no buy fits</span>
    ),
};
const id: Column<Subject> = { title: 'Id', from: 'lg', cell: ({ id: value }) => <Id value={value} /> };

export const COLUMNS: Readonly<Record<Exclude<Kind, 'quarantined'>, readonly Column<Subject>[]>> = {
  credits: [{ title: 'Payer', cell: text('payer_name') }, why, best, amount, since, id],
  transactions: [
    { title: 'Business', cell: text('business_name') },
    { title: 'Type', from: 'md', cell: ({ type }) => words(String(type)) },
    why,
    amount,
    since,
    id,
  ],
  refunds: [
    { title: 'State', cell: ({ state }) => <State state={state} /> },
    { title: 'By', from: 'md', cell: ({ network }) => (typeof network === 'string' ? network : 'Bank') },
    why,
    amount,
    since,
    id,
  ],
  deposits: [{ title: 'Network', cell: text('network') }, why, amount, since, id],
  notices: [{ title: 'About', cell: text('about') }, why, amount, since, id],
};

export const QUARANTINE_COLUMNS: readonly Column<Subject>[] = [
  { title: 'Source', cell: text('source') },
  { title: 'Why it could not be read', cell: text('reason') },
  { title: 'At', align: 'right', cell: ({ at }) => <Ago at={typeof at === 'string' ? at : null} /> },
];
