// Two tables about statements: the unreadable rows, and the days.
import type { RowProblem, StatementDay } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { counted } from '../../../components/format.ts';
import { BankAccount, Day, Money, State, TwoLines } from '../../../components/values.tsx';
import styles from '../operator.module.css';

const PROBLEMS: readonly Column<RowProblem>[] = [
  { title: 'Line', align: 'right', width: 70, cell: ({ line }) => line },
  { title: 'Column', align: 'right', width: 80, from: 'sm', cell: ({ column }) => column },
  { title: 'Reason', cell: ({ reason }) => <span className={styles.lineReason}>{reason}</span> },
];

interface ProblemProps {
  readonly problems: readonly RowProblem[];
  readonly count: number;
}

export function ProblemTable({ problems, count }: ProblemProps) {
  return (
    <>
      <DataTable
        caption="Unreadable rows"
        columns={PROBLEMS}
        rows={problems}
        rowKey={({ line, column, reason }) => `${line} ${column} ${reason}`}
        empty={null}
      />
      {count > problems.length && (
        <p className="quiet">And {counted(count - problems.length, 'row')} more.</p>
      )}
    </>
  );
}

const naira = (amount: string | null) =>
  amount === null ? <span className="quiet">—</span> : <Money amount={amount} />;

export const DAYS: readonly Column<StatementDay>[] = [
  {
    title: 'Day',
    cell: ({ account, day }) => (
      <TwoLines main={<Day day={day} />} below={<BankAccount account={account} />} />
    ),
  },
  { title: 'Balances', cell: ({ state }) => <State state={state} /> },
  {
    title: 'Coverage',
    cell: ({ complete }) => (complete ? 'Full day' : 'Partial'),
  },
  { title: 'Rows', align: 'right', from: 'sm', cell: ({ rows }) => rows },
  { title: 'Closing balance', align: 'right', from: 'sm', cell: ({ closing }) => naira(closing) },
  { title: 'Reason', from: 'md', cell: ({ why }) => why ?? <span className="quiet">—</span> },
];

export function dayKey({ account, day }: StatementDay): string {
  return `${account} ${day}`;
}
