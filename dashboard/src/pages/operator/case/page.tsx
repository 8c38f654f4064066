// One case: what happened, the related records, and the possible outcomes, each with a preview of its postings. A closed case
// shows the postings that closed it.
import type { Case, EntryPosting, LedgerEntry } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { naira, words } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Columns, Empty, Facts, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { Day, Id, Money, State, Time } from '../../../components/values.tsx';
import { useOperatorLocation, useParam } from '../../../layout/location.ts';
import { kindWords, outcomeWords } from '../cases/data.ts';
import { ProposalCard } from '../decisions/proposal-card.tsx';
import { accountTitle, OnSide, WithSide } from '../ledger/words.tsx';
import { Related, Timeline } from '../record/related.tsx';
import { useRefreshOnChanges } from '../rules.tsx';
import { Outcomes } from './outcomes.tsx';
import { Question } from './question.tsx';

export default function CasePage() {
  const { base } = useOperatorLocation();
  const params = { record_id: useParam('caseId') };
  const found = useRead('/operator/cases/{record_id}', { params });
  const review = useRead('/operator/reviews/{record_id}', { params });
  useRefreshOnChanges('/operator/cases', '/operator/reviews');
  const back = { to: `${base}/cases`, label: 'Cases' };
  const error = found.error ?? review.error;
  if (found.data === undefined || review.data === undefined)
    return (
      <Page title="Case" back={back}>
        {error === null ? (
          <Section>
            <Loading lines={8} label="Loading case" />
          </Section>
        ) : (
          <Failure error={error} retry={() => void Promise.all([found.refetch(), review.refetch()])} />
        )}
      </Page>
    );
  const given = found.data.case;
  const title = `${kindWords(given.kind).one}, ${naira(given.amount)}`;
  return (
    <Page title={title} state={<State state={given.state} />} lead={given.what} back={back}>
      {review.data.proposals.map((proposal) => (
        <ProposalCard key={proposal.id} proposal={proposal} />
      ))}
      {given.state === 'open' && <Outcomes review={review.data} kind={given.kind} />}
      <Columns>
        <div>
          <Question
            report={found.data.report}
            difference={found.data.difference}
            deposit={found.data.deposit}
            base={base}
          />
          <Timeline review={review.data} />
          {given.state === 'closed' && <Postings entries={found.data.entries} />}
        </div>
        <div>
          <Section title="Details">
            <CaseFacts given={given} base={base} />
          </Section>
          <Related review={review.data} base={base} />
        </div>
      </Columns>
    </Page>
  );
}

function CaseFacts({ given, base }: { readonly given: Case; readonly base: string }) {
  const { transaction_id: transaction, movement_id: payout, credit_id: credit } = given;
  return (
    <Facts
      facts={[
        { label: 'Amount', value: <Money amount={given.amount} /> },
        given.account !== null && { label: 'Account', value: <span className="mono">{given.account}</span> },
        given.day !== null && { label: 'Day', value: <Day day={given.day} /> },
        given.business_id !== null && {
          label: 'Business',
          value: (
            <TextLink to={`${base}/businesses/${given.business_id}`}>
              {given.business_name ?? given.business_id}
            </TextLink>
          ),
        },
        transaction !== null && {
          label: 'Transaction',
          value: <TextLink to={`${base}/review/${transaction}`}>Open transaction</TextLink>,
        },
        payout !== null && {
          label: 'Payout',
          value: <TextLink to={`${base}/payouts/${payout}`}>Open payout</TextLink>,
        },
        credit !== null && {
          label: 'Bank credit',
          value: <TextLink to={`${base}/review/${credit}`}>Open bank credit</TextLink>,
        },
        { label: 'Opened', value: <Time at={given.opened_at} /> },
        given.state === 'closed' && { label: 'Outcome', value: outcomeWords(given.outcome) },
        given.closed_at !== null && { label: 'Closed', value: <Time at={given.closed_at} /> },
        given.closed_by !== null && { label: 'Approved by', value: given.closed_by },
        { label: 'Id', value: <Id value={given.id} label="case id" /> },
      ]}
    />
  );
}

const of = ({ account, decimals, amount }: EntryPosting) => ({ asset: account.asset, decimals, amount });

const COLUMNS: readonly Column<EntryPosting>[] = [
  { title: 'Account', cell: ({ account }) => accountTitle(account) },
  {
    ...{ title: 'Debit', align: 'right', from: 'sm' },
    cell: (posting) => <OnSide on="debit" side={posting.side} {...of(posting)} />,
  },
  {
    ...{ title: 'Credit', align: 'right', from: 'sm' },
    cell: (posting) => <OnSide on="credit" side={posting.side} {...of(posting)} />,
  },
  {
    ...{ title: 'Amount', align: 'right', until: 'sm' },
    cell: (posting) => <WithSide side={posting.side} {...of(posting)} />,
  },
];

function Postings({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  const { base } = useOperatorLocation();
  if (entries.length === 0)
    return (
      <Section title="Postings">
        <Empty icon="ledger" title="No postings">
          An earlier version closed this case manually.
        </Empty>
      </Section>
    );
  return entries.map(({ entry_id: id, event, postings }) => (
    <Section
      key={id}
      title={words(event)}
      actions={<TextLink to={`${base}/ledger/entries/${id}`}>Open entry</TextLink>}
      bare
    >
      <DataTable
        caption={`Postings of ${words(event)}`}
        columns={COLUMNS}
        rows={postings}
        rowKey={({ account, side }) => `${account.key} ${side}`}
        empty={null}
      />
    </Section>
  ));
}
