// Statement files of the bank accounts: the import, the imported files, and the days that need another file.
import type { StatementDoubt, StatementFile } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Empty, Page, Section } from '../../../components/page.tsx';
import { Ago, BankAccount, Day, Money, State, TwoLines } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useMay } from '../rules.tsx';
import { useStatements } from './data.ts';
import { DAYS, dayKey } from './tables.tsx';
import { UploadForm } from './upload.tsx';

export default function StatementsPage() {
  const { mode, base } = useOperatorLocation();
  const { data, error, refetch } = useStatements(mode);
  const mayImport = useMay('propose');
  const table = { error, retry: () => void refetch() };
  return (
    <Page
      title="Statements"
      lead={`Bank statement files for ${mode} accounts. Files may overlap; each row is stored once.`}
    >
      {mayImport && (
        <Section title="Import file">
          <UploadForm
            mode={mode}
            base={base}
            profiles={data?.profiles ?? []}
            payoutAccounts={data?.payout_accounts ?? []}
          />
        </Section>
      )}
      {data !== undefined && data.open_days.length > 0 && (
        <Section
          title="Incomplete days"
          lead="Gap: balances and rows contradict each other, so new rows are not credited. Partial: import a file that starts before the day and ends after it."
          bare
        >
          <DataTable
            caption="Incomplete days"
            columns={DAYS}
            rows={data.open_days}
            rowKey={dayKey}
            empty={null}
          />
        </Section>
      )}
      {data !== undefined && data.doubts.length > 0 && (
        <Section title="Doubtful reversals" lead="They are not applied automatically: ask the bank." bare>
          <DataTable
            caption="Doubtful reversals"
            columns={DOUBTS}
            rows={data.doubts}
            rowKey={({ file_id: id, line }) => `${id} ${line}`}
            rowHref={({ file_id: id }) => `${base}/statements/${id}`}
            empty={null}
          />
        </Section>
      )}
      <Section title="Imported files" bare>
        <DataTable
          caption="Imported files"
          columns={FILES}
          rows={data?.files}
          rowKey={({ file_id: id }) => id}
          rowHref={({ file_id: id }) => `${base}/statements/${id}`}
          {...table}
          empty={
            <Empty icon="list" title={`No ${mode} statements yet`}>
              Download a statement from the bank and import it to reconcile the books.
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

const FILES: readonly Column<StatementFile>[] = [
  {
    title: 'File',
    cell: ({ name, account }) => <TwoLines main={name} below={<BankAccount account={account} />} />,
  },
  {
    title: 'State',
    cell: ({ state, awaits_confirmation: awaits }) =>
      awaits ? <State state={state} tone="person" label="To confirm" /> : <State state={state} />,
  },
  { title: 'Imported', from: 'sm', cell: ({ started_at: at }) => <Ago at={at} /> },
  {
    title: 'Days',
    from: 'md',
    cell: ({ from_day: from, to_day: to }) => {
      if (from === null || to === null) return '—';
      return from === to ? (
        <Day day={from} />
      ) : (
        <TwoLines main={<Day day={from} />} below={<Day day={to} />} />
      );
    },
  },
  { title: 'New rows', align: 'right', cell: ({ rows_new: rows }) => rows },
  { title: 'Known rows', align: 'right', from: 'sm', cell: ({ rows_known: rows }) => rows },
  { title: 'Unreadable rows', align: 'right', from: 'sm', cell: ({ problem_count: count }) => count },
];

const DOUBTS: readonly Column<StatementDoubt>[] = [
  {
    title: 'Narration',
    cell: ({ narration, account, day }) => (
      <TwoLines
        main={narration}
        below={
          <>
            <Day day={day} />, <BankAccount account={account} />
          </>
        }
      />
    ),
  },
  { title: 'Reason', from: 'md', cell: ({ why }) => why },
  { title: 'Amount', align: 'right', cell: ({ amount }) => <Money amount={amount} /> },
];
