// The cases, such as payments that a bank reversed, returned or made twice. Open cases are grouped by kind and show their
// possible outcomes. Closed cases show their outcome.
import { Button, SegmentedControl } from '@mantine/core';
import type { Case } from '../../../api/console-types.ts';
import { useList } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Empty, Failure, Notice, Page, Section } from '../../../components/page.tsx';
import { Ago, BankAccount, Day, Money, State, TwoLines } from '../../../components/values.tsx';
import { type Mode, useFilters, useOperatorLocation } from '../../../layout/location.ts';
import { useRefreshOnChanges } from '../rules.tsx';
import { isAboutAccount, KINDS, kindWords, outcomeWords } from './data.ts';
import { CaseGroups, useCaseGroups } from './groups.tsx';

type List = ReturnType<typeof useCases>;

/** `file`: only the cases about this statement file; without it, these cases are shown as one line. */
function useCases(mode: Mode, state: Case['state'], file: string) {
  const shown = state === 'closed' ? file : file || 'loose';
  return useList('/operator/cases', 'cases', {
    query: { mode, state, ...(shown !== '' && { file: shown }) },
  });
}

export default function CasesPage() {
  const { mode, base } = useOperatorLocation();
  const { filters, set } = useFilters();
  const state = filters.state === 'closed' ? 'closed' : 'open';
  const file = filters.file ?? '';
  const list = useCases(mode, state, file);
  const groups = useCaseGroups(mode);
  const shown = state === 'open' && file === '' ? (groups.data?.groups ?? []) : [];
  useRefreshOnChanges('/operator/cases', '/operator/case-groups');
  return (
    <Page
      title="Cases"
      lead="Reversed payments, returned or duplicate payouts, short deposits, and differences between the books and the bank. One person proposes an outcome, another approves."
      actions={
        <SegmentedControl
          aria-label="Filter cases by state"
          value={state}
          onChange={(value) => set({ state: value === 'open' ? '' : value })}
          data={[
            { value: 'open', label: 'Open' },
            { value: 'closed', label: 'Closed' },
          ]}
        />
      }
    >
      {file !== '' && (
        <Notice>
          Only the cases about one statement file. <TextLink to={`${base}/cases`}>Show all cases</TextLink>
        </Notice>
      )}
      {shown.length > 0 && <CaseGroups groups={shown} base={base} />}
      {state === 'closed' ? (
        <Closed list={list} base={base} />
      ) : (
        (shown.length === 0 || list.rows?.length !== 0) && <Open list={list} base={base} />
      )}
    </Page>
  );
}

interface ListProps {
  readonly list: List;
  readonly base: string;
}

function Open({ list, base }: ListProps) {
  const { rows } = list;
  if (list.error !== null && rows === undefined) return <Failure error={list.error} retry={list.retry} />;
  if (rows === undefined || rows.length === 0)
    return (
      <DataTable
        caption="Open cases"
        columns={openColumns(base)}
        rows={rows}
        rowKey={({ id }) => id}
        empty={
          <Empty icon="case" title="No open cases">
            A case opens automatically when a bank reverses a payment after its tokens were sent, returns a
            payout, or pays one that it had refused; when a report or a statement does not match the books;
            and when a deposit is short.
          </Empty>
        }
      />
    );
  return (
    <>
      {KINDS.map(({ kind, many, lead }) => {
        const own = rows.filter((each) => each.kind === kind);
        if (own.length === 0) return null;
        return (
          <Section key={kind} title={many} lead={lead} bare>
            <DataTable
              caption={many}
              columns={isAboutAccount(kind) ? QUESTIONS : openColumns(base)}
              rows={own}
              rowKey={({ id }) => id}
              rowHref={({ id }) => `${base}/cases/${id}`}
              empty={null}
            />
          </Section>
        );
      })}
      {list.more !== undefined && (
        <div>
          <Button variant="default" onClick={list.more} loading={list.loadingMore}>
            Load more cases
          </Button>
        </div>
      )}
    </>
  );
}

function Closed({ list, base }: ListProps) {
  return (
    <DataTable
      caption="Closed cases"
      columns={CLOSED}
      {...list}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `${base}/cases/${id}`}
      empty={
        <Empty icon="case" title="No closed cases">
          Closed cases appear here with their outcome and approver.
        </Empty>
      }
    />
  );
}

const business: Column<Case> = {
  title: 'Business',
  cell: ({ business_name: name }) => name ?? 'No business',
};
const amount: Column<Case> = {
  title: 'Amount',
  align: 'right',
  cell: ({ amount: value }) => <Money amount={value} />,
};

const opened: Column<Case> = {
  title: 'Opened',
  align: 'right',
  cell: ({ opened_at: at }) => <Ago at={at} />,
};

/** These cases do not belong to a business, so the table has no business column. */
const QUESTIONS: readonly Column<Case>[] = [
  {
    title: 'Account and day',
    cell: ({ account, day }) => (
      <TwoLines
        main={account === null ? '—' : <BankAccount account={account} />}
        below={day === null ? null : <Day day={day} />}
      />
    ),
  },
  amount,
  opened,
];

function openColumns(base: string): readonly Column<Case>[] {
  return [
    business,
    {
      ...{ title: 'Transaction', from: 'sm' },
      cell: ({ transaction_id: id }) =>
        id === null ? '—' : <TextLink to={`${base}/review/${id}`}>Open transaction</TextLink>,
    },
    amount,
    opened,
  ];
}

const CLOSED: readonly Column<Case>[] = [
  { title: 'Kind', cell: ({ kind }) => kindWords(kind).one },
  { ...business, from: 'md' },
  {
    title: 'Outcome',
    cell: ({ outcome }) => (
      <State
        state={outcome ?? 'closed'}
        tone={outcome === 'accepted' ? 'failed' : 'completed'}
        label={outcomeWords(outcome)}
      />
    ),
  },
  amount,
  { title: 'Approved by', from: 'md', cell: ({ closed_by: by }) => by ?? '—' },
  { title: 'Closed', align: 'right', from: 'sm', cell: ({ closed_at: at }) => <Ago at={at} /> },
];
