// The plan of an erasure: what is erased now, what is kept until which day and why, and what stays.
import { Button } from '@mantine/core';
import type { ErasurePlan } from '../../../api/console-types.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { counted } from '../../../components/format.ts';
import { Empty, Section } from '../../../components/page.tsx';
import { Day } from '../../../components/values.tsx';

type PlanRow = ErasurePlan['stays'][number] & {
  readonly when: 'now' | 'end' | 'never' | { readonly day: string };
};

/** The names of the tables, as operators say them. */
const NAMES: Readonly<Record<string, string>> = {
  timeline: 'Timeline',
  account_enquiries: 'Account checks',
  movements: 'Payouts and refunds',
  movement_attempts: 'Answers of banks to payouts',
  bank_credits: 'Bank credits',
  credit_reports: 'Reports of bank credits',
  bank_notices: 'Notices of banks',
  quarantine: 'Unreadable lines',
  statement_rows: 'Statement rows',
  statement_files: 'Names of statement files',
  request_log: 'API requests',
  webhook_attempts: 'Answers to webhooks',
  rail_events: 'Messages of rails',
  simulated_statement: 'Statement of the simulated bank',
  simulated_payouts: 'Payouts of the simulated bank',
  transactions: 'Transactions',
  travel_rule_records: 'Travel Rule records',
  audit_log: 'Audit log',
  proposals: 'Proposals',
  proposal_decisions: 'Decisions',
};

function rowsOf({ erasable, kept, open, stays }: ErasurePlan): readonly PlanRow[] {
  return [
    ...erasable.map(({ place, rows }) => ({
      place,
      rows,
      when: 'now' as const,
      why: 'Nothing requires it.',
    })),
    ...kept.map(({ place, rows, until }) => ({
      ...{ place, rows, when: { day: until.slice(0, 10) } },
      why: 'The law requires records of live transactions.',
    })),
    ...(open.length === 0
      ? []
      : [
          {
            ...{ place: 'Open records', rows: open.length, when: 'end' as const },
            why: 'Not finished, or finished within the last hour.',
          },
        ]),
    ...stays.map(({ place, rows, why }) => ({
      ...{ place, rows, when: 'never' as const },
      why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    })),
  ];
}

const WORDS = { now: 'Now', end: 'When they end', never: 'Never' } as const;

const COLUMNS: readonly Column<PlanRow>[] = [
  { title: 'Data', cell: ({ place }) => NAMES[place] ?? place },
  { title: 'Rows', align: 'right', width: 70, cell: ({ rows }) => rows },
  { title: 'Erased', cell: ({ when }) => (typeof when === 'string' ? WORDS[when] : <Day day={when.day} />) },
  { title: 'Reason', from: 'sm', cell: ({ why }) => <span className="quiet">{why}</span> },
];

export function Plan({ plan, onErase }: { readonly plan: ErasurePlan; readonly onErase: () => void }) {
  const rows = rowsOf(plan);
  const before = plan.erased_before;
  return (
    <Section
      title="What an erasure does"
      lead={before > 0 ? `Erased before: ${counted(before, 'row')}.` : undefined}
      actions={
        plan.records > 0 && (
          <Button color="red" variant="light" onClick={onErase}>
            {plan.mode === 'live' ? 'Propose to erase' : 'Erase'}
          </Button>
        )
      }
      bare
    >
      <DataTable
        caption="What an erasure does"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ place, when }) => `${place} ${typeof when === 'string' ? when : when.day}`}
        empty={
          <Empty icon="shield" title={`Nothing is stored about this account in ${plan.mode} mode`}>
            Check the number and the bank.
          </Empty>
        }
      />
    </Section>
  );
}
