// Tables about statements: what could not be read, and days.
import { Money } from '../../../parts/amount.tsx';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { State } from '../../../parts/state.tsx';
import type { RowProblem, StatementDay } from './data.ts';

const PROBLEMS: readonly Column<RowProblem>[] = [
  { title: 'Line', align: 'right', width: 70, cell: ({ line }) => line },
  { title: 'Column', align: 'right', width: 80, from: 'sm', cell: ({ column }) => column },
  { title: 'Reason', cell: ({ reason }) => reason },
];

interface ProblemProps {
  readonly problems: readonly RowProblem[];
  readonly count: number;
}

export function ProblemTable({ problems, count }: ProblemProps) {
  return (
    <>
      <DataTable
        caption="Rows that could not be read"
        columns={PROBLEMS}
        rows={problems}
        rowKey={({ line, column, reason }) => `${line} ${column} ${reason}`}
        empty={null}
      />
      {count > problems.length && <p className="quiet">And {count - problems.length} more.</p>}
    </>
  );
}

const naira = (amount: string | null) =>
  amount === null ? <span className="quiet">—</span> : <Money amount={amount} />;

export const DAYS: readonly Column<StatementDay>[] = [
  { title: 'Day', cell: ({ day }) => <span className="mono">{day}</span> },
  { title: 'Account', from: 'md', cell: ({ account }) => <span className="mono">{account}</span> },
  { title: 'State', cell: ({ state }) => <State state={state} /> },
  { title: 'Complete', cell: ({ complete }) => (complete ? 'yes' : 'no') },
  { title: 'Rows', align: 'right', from: 'sm', cell: ({ rows }) => rows },
  { title: 'Closing', align: 'right', from: 'sm', cell: ({ closing }) => naira(closing) },
  {
    title: 'Why',
    from: 'md',
    cell: ({ why, complete }) => why ?? (complete ? '' : 'Files cover it only in part.'),
  },
];

export function dayKey({ account, day }: StatementDay): string {
  return `${account} ${day}`;
}
