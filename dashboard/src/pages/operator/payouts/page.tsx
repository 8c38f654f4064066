// Payouts and bank refunds. Those with a long-unknown outcome come first, followed by the newest. Filters select state and
// rail.
import { NativeSelect } from '@mantine/core';
import type { Payout } from '../../../api/console-types.ts';
import { useList, useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { lagosClock, words } from '../../../components/format.ts';
import { Empty, Notice, Page, Section } from '../../../components/page.tsx';
import { Ago, Money, State, TwoLines } from '../../../components/values.tsx';
import { useFilters, useOperatorLocation } from '../../../layout/location.ts';
import styles from '../operator.module.css';
import { useRefreshOnChanges } from '../rules.tsx';
import { payoutStatus, STATES } from './data.ts';

const PATH = '/operator/payouts';

export default function PayoutsPage() {
  const { mode, base } = useOperatorLocation();
  const { filters, set } = useFilters();
  const { rail = '' } = filters;
  const state = STATES.find(({ value }) => value === filters.state)?.value ?? '';
  const query = { mode, rail, state: state === '' ? undefined : state };
  const { first, ...list } = useList(PATH, 'payouts', { query });
  useRefreshOnChanges(PATH);
  const unknown = first?.unknown_for_long ?? [];
  const href = ({ id }: Payout) => `${base}/payouts/${id}`;
  return (
    <Page
      title="Payouts"
      lead="Naira paid by bank: payouts of sells and refunds of buys. Open one to see its attempts."
    >
      {unknown.length > 0 && (
        <Section title="Outcome still unknown" bare>
          <Notice tone="failed">
            No bank response proves the outcome of these. Ask the bank, quoting the reference of the attempt.
            Do not pay them manually: they may already be paid.
          </Notice>
          <div className={styles.below}>
            <DataTable
              caption="Payouts with an unknown outcome"
              columns={COLUMNS_WITHOUT_BUSINESS}
              rows={unknown}
              rowKey={({ id }) => id}
              rowHref={href}
              empty={null}
            />
          </div>
        </Section>
      )}
      <Section bare>
        <search className={styles.payoutFilters}>
          <NativeSelect
            label="State"
            value={state}
            onChange={(event) => set({ state: event.currentTarget.value })}
            data={[...STATES]}
          />
          <RailFilter value={rail} onChange={(value) => set({ rail: value })} />
        </search>
        <DataTable
          caption="Payouts and refunds by bank"
          columns={COLUMNS}
          {...list}
          rowKey={({ id }) => id}
          rowHref={href}
          empty={
            state !== '' || rail !== '' ? (
              <Empty icon="swap" title="No matching payouts" />
            ) : (
              <Empty icon="swap" title={`No payouts in ${mode} mode yet`}>
                The first one appears when the tokens of a sell have arrived, or when a buy is refunded.
              </Empty>
            )
          }
        />
      </Section>
    </Page>
  );
}

interface RailFilterProps {
  readonly value: string;
  readonly onChange: (rail: string) => void;
}

function RailFilter({ value, onChange }: RailFilterProps) {
  const { mode } = useOperatorLocation();
  const names =
    useRead('/operator/rails/{mode}', { params: { mode } }).data?.rails.map(({ rail }) => rail) ?? [];
  const known = value === '' || names.includes(value) ? names : [...names, value];
  return (
    <NativeSelect
      label="Rail"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      data={[{ value: '', label: 'All rails' }, ...known]}
    />
  );
}

const COLUMNS: readonly Column<Payout>[] = [
  {
    title: 'To',
    cell: ({ to, kind }) => (
      <TwoLines
        main={to?.account_name ?? (to === null ? 'No account yet' : '—')}
        below={to === null ? words(kind) : `${to.account_number}, ${to.bank}`}
      />
    ),
  },
  {
    title: 'State',
    cell: (payout) => (
      <>
        <State state={payout.state} {...payoutStatus(payout).shown} />
        {payout.sure_at !== null && (
          <span className={styles.until}>refused; confirmed at about {lagosClock(payout.sure_at)}</span>
        )}
      </>
    ),
  },
  { title: 'Kind', from: 'lg', cell: ({ kind }) => words(kind) },
  { title: 'Rail', from: 'md', cell: ({ rail }) => rail ?? '—' },
  { title: 'Attempts', from: 'lg', align: 'right', cell: ({ attempts }) => attempts },
  { title: 'Business', from: 'md', cell: ({ business_name: name }) => name ?? '—' },
  { title: 'Amount', align: 'right', cell: ({ amount }) => <Money amount={amount} /> },
  { title: 'Created', from: 'sm', align: 'right', cell: ({ created_at: at }) => <Ago at={at} /> },
];

const COLUMNS_WITHOUT_BUSINESS = COLUMNS.filter(({ title }) => title !== 'Business');
