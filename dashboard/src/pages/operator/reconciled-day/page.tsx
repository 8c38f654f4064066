// One bank account on one day: its balances in the ledger, on the statement and at the rail, the differences with their cases,
// and the records of both sides next to each other.
import type {
  BookItem,
  DaySide,
  Difference,
  Link,
  ReconciledDay,
  StatementRow,
} from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { words } from '../../../components/format.ts';
import { TextLink, WithCommands } from '../../../components/link.tsx';
import { Empty, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { BankAccount, Day as DayText, Money, State, Time, TwoLines } from '../../../components/values.tsx';
import { useOperatorLocation, useParam } from '../../../layout/location.ts';
import styles from '../operator.module.css';
import { STATES, WAYS } from '../reconciliation/data.ts';
import { useRefreshOnChanges } from '../rules.tsx';
import { BookingButton } from './booking.tsx';

export default function ReconciledDayPage() {
  const { mode, base } = useOperatorLocation();
  const account = useParam('bankAccount');
  const day = useParam('day');
  const { data, error, refetch } = useRead('/operator/reconciliation/{mode}/{bank_account}/{day}', {
    params: { mode, bank_account: account, day },
  });
  useRefreshOnChanges('/operator/reconciliation');
  const back = { to: `${base}/reconciliation`, label: 'Reconciliation' };
  const title = `${account}, ${day}`;
  const heading = (
    <span>
      <BankAccount account={account} />, <DayText day={day} />
    </span>
  );
  if (data === undefined)
    return (
      <Page title={title} heading={heading} back={back}>
        {error === null ? (
          <Section>
            <Loading lines={8} label="Loading day" />
          </Section>
        ) : (
          <Failure error={error} retry={() => void refetch()} />
        )}
      </Page>
    );
  const state = STATES[data.day.state];
  return (
    <Page
      title={title}
      heading={heading}
      state={<State state={data.day.state} tone={state.tone} label={state.label} />}
      lead={state.means}
      back={back}
    >
      <Section title="Balances" bare>
        <DataTable
          caption="Balances of the day"
          columns={balanceColumns(data.day)}
          rows={PARTS}
          rowKey={({ part }) => part}
          empty={null}
        />
        {data.day.rail !== null && (
          <p className={styles.noteBelow}>
            The rail reported <Money amount={data.day.rail.balance} /> at <Time at={data.day.rail.at} />; the
            books showed <Money amount={data.day.rail.books} />.
          </p>
        )}
      </Section>
      <Differences differences={data.differences} base={base} of={{ mode, account }} />
      <Section title="Matched items" bare>
        {data.links_left_out > 0 && <Notice>{`${data.links_left_out} more are not shown.`}</Notice>}
        <DataTable
          caption="Items in both the books and the statement"
          columns={linkColumns(base)}
          rows={data.links}
          rowKey={({ items, rows }) => `${items[0]?.entry} ${rows[0]?.id}`}
          empty={
            <Empty icon="ledger" title="No matched items">
              Items that are in both the books and the statement appear here.
            </Empty>
          }
        />
      </Section>
    </Page>
  );
}

const PARTS: readonly { readonly part: keyof DaySide; readonly title: string }[] = [
  { part: 'opening', title: 'Opening' },
  { part: 'in', title: 'In' },
  { part: 'out', title: 'Out' },
  { part: 'charges', title: 'Charges' },
  { part: 'closing', title: 'Closing' },
];

function balanceColumns({ books, statement }: ReconciledDay): readonly Column<(typeof PARTS)[number]>[] {
  return [
    { title: 'Line', cell: ({ title }) => title },
    { title: 'Books', align: 'right', cell: ({ part }) => <Money amount={books[part]} /> },
    {
      ...{ title: 'Statement', align: 'right' },
      cell: ({ part }) => (statement === null ? '—' : <Money amount={statement[part]} />),
    },
  ];
}

interface DifferencesProps {
  readonly differences: readonly Difference[];
  readonly base: string;
  readonly of: Pick<ReconciledDay, 'mode' | 'account'>;
}

function Differences({ differences, base, of }: DifferencesProps) {
  return (
    <Section
      title="Differences"
      lead="Amounts by which the books are above (+) or below (−) the bank. They add up to the difference of the balances, to the kobo."
      bare
    >
      <DataTable
        caption="Differences"
        columns={differenceColumns(base, of)}
        rows={differences}
        rowKey={({ id }) => id}
        empty={
          <Empty icon="check" title="No differences">
            The books and the bank agree on every kobo.
          </Empty>
        }
      />
    </Section>
  );
}

function differenceColumns(base: string, of: DifferencesProps['of']): readonly Column<Difference>[] {
  return [
    {
      title: 'Description',
      cell: ({ what, next, booking, explained, item, row, case_id: caseId, case_outcome: outcome }) => (
        <span className={styles.items}>
          <span>{what}</span>
          {item !== null && <Subject item={item} base={base} />}
          {row !== null && <span className="quiet">{row.narration}</span>}
          {!explained && next !== null && (
            <strong>
              <WithCommands text={next} />
            </strong>
          )}
          {!explained && booking !== null && <BookingButton booking={booking} {...of} />}
          {caseId !== null && (
            <span>
              <TextLink to={`${base}/cases/${caseId}`}>
                {outcome === null ? 'Open case' : `Case: ${words(outcome).toLowerCase()}`}
              </TextLink>
            </span>
          )}
        </span>
      ),
    },
    { title: 'State', from: 'sm', cell: ({ explained }) => <DifferenceState explained={explained} /> },
    { title: 'Since', from: 'md', cell: ({ day }) => <DayText day={day} /> },
    {
      ...{ title: 'Amount', align: 'right', from: 'sm' },
      cell: ({ amount }) => <Money amount={amount} />,
    },
    {
      ...{ title: 'Difference', align: 'right', until: 'sm' },
      cell: ({ amount, explained }) => (
        <TwoLines main={<Money amount={amount} />} below={<DifferenceState explained={explained} />} />
      ),
    },
  ];
}

function DifferenceState({ explained }: { readonly explained: boolean }) {
  return (
    <State
      state={explained ? 'explained' : 'differs'}
      tone={explained ? 'completed' : 'failed'}
      label={explained ? 'Explained' : 'Unexplained'}
    />
  );
}

function Subject({ item, base }: { readonly item: BookItem; readonly base: string }) {
  return (
    <span>
      {words(item.event)} <TextLink to={`${base}/ledger/entries/${item.entry}`}>Open entry</TextLink>
    </span>
  );
}

function linkColumns(base: string): readonly Column<Link>[] {
  return [
    {
      title: 'Books',
      cell: ({ items }) => (
        <span className={styles.items}>
          {items.map((item) => (
            <span key={item.entry} className={styles.item}>
              <Subject item={item} base={base} /> <Money amount={item.amount} />
            </span>
          ))}
        </span>
      ),
    },
    {
      title: 'Statement',
      cell: ({ rows }) => (
        <span className={styles.items}>
          {rows.map((row) => (
            <StatementLine key={row.id} row={row} />
          ))}
        </span>
      ),
    },
    { title: 'Linked by', from: 'md', cell: ({ way }) => WAYS[way] ?? words(way) },
  ];
}

function StatementLine({ row }: { readonly row: StatementRow }) {
  return (
    <span className={styles.item}>
      <span className={styles.narration}>{row.narration === '' ? words(row.kind) : row.narration}</span>
      <Money amount={row.amount} />
    </span>
  );
}
