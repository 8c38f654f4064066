// The reconciliation: it compares the ledger with the statement, for each bank account and day. Unexplained differences are
// highlighted and link to their case.
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { downloadUrl, post } from '../../../api/calls.ts';
import type {
  ListReconciledDaysAnswer,
  ReconciledDay,
  RunReconciliationAnswer,
} from '../../../api/console-types.ts';
import { useAction, useRefresh } from '../../../api/query.ts';
import { useList } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { counted, naira } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { Empty, Notice, Page, Section } from '../../../components/page.tsx';
import { BankAccount, Day as DayText, Money, State, TwoLines } from '../../../components/values.tsx';
import { useFilters, useOperatorLocation } from '../../../layout/location.ts';
import styles from '../operator.module.css';
import { useMay, useRefreshOnChanges } from '../rules.tsx';
import { accountName, isState, STATES, vendorOf } from './data.ts';
import { Holidays } from './holidays.tsx';

const PATH = '/operator/reconciliation';

export default function ReconciliationPage() {
  const { mode, base } = useOperatorLocation();
  const { filters } = useFilters();
  const { account = '', state = '', from = '', to = '' } = filters;
  const filtered = [account, state, from, to].some((each) => each !== '');
  const { first, ...list } = useList('/operator/reconciliation/{mode}', 'days', {
    params: { mode },
    query: { account, from, to, state: isState(state) ? state : undefined },
  });
  const mayExport = useMay('export');
  useRefreshOnChanges(PATH);
  return (
    <Page
      title="Reconciliation"
      lead="The books compared with the bank statement, for each account and day (Lagos time)."
      actions={<RunNow />}
    >
      <Section bare>
        <FilterBar page={first} />
        <DataTable
          caption="Reconciled days"
          columns={columns(first)}
          {...list}
          rowKey={({ account, day }) => `${day} ${account}`}
          rowHref={({ account, day }) => `${base}/reconciliation/${account}/${day}`}
          empty={
            filtered ? (
              <Empty icon="ledger" title="No matching days" />
            ) : (
              <Empty icon="ledger" title={`No reconciled days in ${mode} mode yet`}>
                Live accounts are reconciled every night. Test accounts need a statement first.
              </Empty>
            )
          }
        />
      </Section>
      {first !== undefined && <Holidays today={first.last_whole_day} />}
      {mayExport && <Threshold thresholds={first?.thresholds} />}
    </Page>
  );
}

function FilterBar({ page }: { readonly page: ListReconciledDaysAnswer | undefined }) {
  const { filters, set } = useFilters();
  return (
    <search className={styles.toolbar}>
      <NativeSelect
        label="Account"
        value={filters.account ?? ''}
        onChange={(event) => set({ account: event.currentTarget.value })}
        data={[
          { value: '', label: 'All accounts' },
          ...(page?.accounts ?? []).map(({ account }) => ({
            value: account,
            label: accountName(account, page?.accounts),
          })),
        ]}
      />
      <NativeSelect
        label="State"
        value={filters.state ?? ''}
        onChange={(event) => set({ state: event.currentTarget.value })}
        data={[
          { value: '', label: 'All' },
          ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      {(['from', 'to'] as const).map((name) => (
        <TextInput
          key={name}
          type="date"
          label={name === 'from' ? 'From' : 'To'}
          value={filters[name] ?? ''}
          max={page?.last_whole_day}
          onChange={(event) => set({ [name]: event.currentTarget.value })}
        />
      ))}
    </search>
  );
}

type Done = Omit<RunReconciliationAnswer, 'status'>;

/** Repeats the request until no days are left to reconcile, and shows the progress. */
function RunNow() {
  const { mode } = useOperatorLocation();
  const may = useMay('reconcile');
  const refresh = useRefresh();
  const [done, setDone] = useState<Done | null>(null);
  const run = useAction(async () => {
    let sum: Done = { days: 0, opened: 0, resolved: 0, more: true };
    while (sum.more) {
      const next = await post('/operator/reconciliation/{mode}/runs', { params: { mode } });
      sum = {
        ...{ days: sum.days + next.days, opened: sum.opened + next.opened },
        ...{ resolved: sum.resolved + next.resolved, more: next.more },
      };
      setDone(sum);
    }
    await refresh(PATH);
  });
  if (!may) return null;
  return (
    <div className="row" data-gap="large">
      {done !== null && (
        <Notice tone={done.opened > 0 ? 'person' : 'info'}>
          {done.days === 0 ? 'Already up to date.' : `${counted(done.days, 'day')} reconciled.`}
          {done.opened > 0 && ` ${counted(done.opened, 'case')} opened.`}
          {done.resolved > 0 && ` ${counted(done.resolved, 'case')} resolved.`}
        </Notice>
      )}
      <Button
        variant="default"
        leftSection={<Icon name="refresh" />}
        loading={run.isPending}
        onClick={() => run.mutate()}
      >
        Reconcile now
      </Button>
    </div>
  );
}

function Threshold({
  thresholds,
}: {
  readonly thresholds: ListReconciledDaysAnswer['thresholds'] | undefined;
}) {
  const { mode } = useOperatorLocation();
  const [month, setMonth] = useState('');
  return (
    <Section
      title="Threshold report"
      lead={`Single transfers of a month above ${thresholds === undefined ? 'the thresholds' : `${naira(thresholds.individual)} (individuals) and ${naira(thresholds.corporate)} (companies)`}, as a CSV file. Downloads are recorded in the audit log.`}
    >
      <div className={styles.toolbar}>
        <TextInput
          type="month"
          label="Month"
          placeholder="2026-11"
          value={month}
          onChange={(event) => setMonth(event.currentTarget.value)}
        />
        <Button
          component="a"
          variant="default"
          className={styles.download}
          leftSection={<Icon name="download" />}
          href={downloadUrl('/operator/reports/threshold/{mode}/{month}', { params: { mode, month } })}
          data-disabled={month === '' || undefined}
          aria-disabled={month === ''}
          onClick={(event) => {
            if (month === '') event.preventDefault();
          }}
        >
          Download CSV
        </Button>
      </div>
    </Section>
  );
}

function DayState({ row: { state } }: { readonly row: ReconciledDay }) {
  return <State state={state} tone={STATES[state].tone} label={STATES[state].label} />;
}

function columns(page: ListReconciledDaysAnswer | undefined): readonly Column<ReconciledDay>[] {
  return [
    {
      title: 'Day and account',
      cell: ({ account, day }) => {
        const vendor = vendorOf(account, page?.accounts);
        return (
          <TwoLines
            main={<DayText day={day} />}
            below={
              <>
                {vendor !== null && `${vendor}, `}
                <BankAccount account={account} />
              </>
            }
          />
        );
      },
    },
    { title: 'State', from: 'sm', cell: (row) => <DayState row={row} /> },
    {
      ...{ title: 'Result', align: 'right', until: 'sm' },
      cell: (row) => (
        <TwoLines
          main={<DayState row={row} />}
          below={row.unexplained === 0 ? null : <Money amount={row.unexplained_amount} />}
        />
      ),
    },
    { title: 'Books', align: 'right', from: 'md', cell: ({ books }) => <Money amount={books.closing} /> },
    {
      ...{ title: 'Statement', align: 'right', from: 'md' },
      cell: ({ statement }) => (statement === null ? '—' : <Money amount={statement.closing} />),
    },
    { title: 'Explained', align: 'right', from: 'lg', cell: ({ explained }) => explained },
    {
      ...{ title: 'Unexplained', align: 'right', from: 'sm' },
      cell: ({ unexplained, unexplained_amount: amount }) =>
        unexplained === 0 ? '—' : <Money amount={amount} />,
    },
  ];
}
