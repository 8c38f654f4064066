// The tables of the review queue. For each kind of record, they show the columns that a reviewer needs to choose the next
// record.
import type { QuarantinedLine, QueueKind } from '../../../api/console-types.ts';
import type { Column } from '../../../components/data-table.tsx';
import { counted, words } from '../../../components/format.ts';
import { Ago, Id, Money, State, TokenAmount } from '../../../components/values.tsx';
import { tokenOf } from '../decisions/labels.ts';

export type Kind = QueueKind['kind'];
type RowOf<K extends Kind> = Extract<QueueKind, { readonly kind: K }>['records'][number];
export type Row = RowOf<Kind>;
type Queued = Exclude<Row, QuarantinedLine>;

export const KINDS: readonly { readonly kind: Kind; readonly label: string; readonly empty: string }[] = [
  { kind: 'credits', label: 'Bank credits', empty: 'No bank credits to review' },
  { kind: 'transactions', label: 'On hold', empty: 'No transactions on hold' },
  { kind: 'refunds', label: 'Refunds', empty: 'Every refund has a destination' },
  { kind: 'deposits', label: 'Deposits', empty: 'No token deposits to review' },
  { kind: 'notices', label: 'Bank notices', empty: 'No bank notices to review' },
  { kind: 'quarantined', label: 'Unreadable reports', empty: 'No unreadable reports' },
];

const text = (value: string | null) =>
  value === null || value === '' ? <span className="quiet">—</span> : value;

const amount: Column<Queued> = {
  title: 'Amount',
  align: 'right',
  cell: (row) => {
    if (row.amount === null) return <span className="quiet">—</span>;
    const asset = tokenOf(row);
    return asset === null ? <Money amount={row.amount} /> : <TokenAmount amount={row.amount} asset={asset} />;
  },
};
const since: Column<Queued> = { title: 'Since', align: 'right', cell: ({ since: at }) => <Ago at={at} /> };
const why: Column<Queued> = {
  title: 'Reason',
  from: 'sm',
  cell: ({ why: reason, exception }) => reason ?? (exception === null ? '—' : words(exception)),
};
const best: Column<RowOf<'credits'>> = {
  title: 'Best score',
  from: 'md',
  align: 'right',
  cell: ({ best_score: score, candidates }) =>
    score === null ? (
      <span className="quiet">no match</span>
    ) : (
      <>
        <b>{score}</b> <span className="quiet">({counted(candidates, 'buy')})</span>
      </>
    ),
};
const id: Column<Queued> = { title: 'Id', from: 'lg', cell: ({ id: value }) => <Id value={value} /> };

const COLUMNS: { readonly [K in Kind]: readonly Column<RowOf<K>>[] } = {
  credits: [{ title: 'Payer', cell: ({ payer_name: name }) => text(name) }, why, best, amount, since, id],
  transactions: [
    { title: 'Business', cell: ({ business_name: name }) => text(name) },
    { title: 'Type', from: 'md', cell: ({ type }) => words(type) },
    why,
    amount,
    since,
    id,
  ],
  refunds: [
    { title: 'State', cell: ({ state }) => <State state={state} /> },
    { title: 'Method', from: 'md', cell: ({ network }) => network ?? 'Bank' },
    why,
    amount,
    since,
    id,
  ],
  deposits: [{ title: 'Network', cell: ({ network }) => text(network) }, why, amount, since, id],
  notices: [{ title: 'Subject', cell: ({ about }) => text(about) }, why, amount, since, id],
  quarantined: [
    { title: 'Source', cell: ({ source }) => text(source) },
    { title: 'Reason', cell: ({ reason }) => text(reason) },
    { title: 'Received', align: 'right', cell: ({ at }) => <Ago at={at} /> },
  ],
};

export function columnsOf(kind: Kind): readonly Column<Row>[] {
  return COLUMNS[kind] as readonly Column<Row>[];
}
