// One payout or bank refund: its destination, all attempts with the responses of the bank, its transaction and its cases.
import { pathTo } from '../../../api/calls.ts';
import type { Payout } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { naira, words } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Columns, Facts, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { Id, Money, State, Time } from '../../../components/values.tsx';
import { useOperatorLocation, useParam } from '../../../layout/location.ts';
import { kindWords } from '../cases/data.ts';
import { payoutStatus } from '../payouts/data.ts';
import { useRefreshOnChanges } from '../rules.tsx';
import { Attempts } from './attempts.tsx';

export default function PayoutPage() {
  const { base } = useOperatorLocation();
  const params = { record_id: useParam('payoutId') };
  const { data, error, refetch } = useRead('/operator/payouts/{record_id}', { params });
  useRefreshOnChanges(pathTo('/operator/payouts/{record_id}', { params }));
  const back = { to: `${base}/payouts`, label: 'Payouts' };
  if (data === undefined)
    return (
      <Page title="Payout" back={back}>
        {error === null ? (
          <Section>
            <Loading lines={8} label="Loading payout" />
          </Section>
        ) : (
          <Failure error={error} retry={() => void refetch()} />
        )}
      </Page>
    );
  const { payout, attempts, cases } = data;
  const title = `${words(payout.kind)} of ${naira(payout.amount)}`;
  const open = cases.filter(({ state }) => state === 'open');
  const { means, shown } = payoutStatus(payout);
  return (
    <Page title={title} state={<State state={payout.state} {...shown} />} lead={means} back={back}>
      {open.map(({ id, what }) => (
        <Notice key={id} tone="person">
          {what} <TextLink to={`${base}/cases/${id}`}>Resolve case</TextLink>
        </Notice>
      ))}
      <WhatToDo payout={payout} base={base} />
      <Columns>
        <div>
          <Attempts attempts={attempts} />
        </div>
        <div>
          <Section title="Details">
            <PayoutFacts payout={payout} base={base} />
          </Section>
          {cases.length > 0 && (
            <Section title="Cases">
              <ul className="plain-list">
                {cases.map(({ id, kind, state, amount }) => (
                  <li key={id} className="row" data-gap="small">
                    <TextLink to={`${base}/cases/${id}`}>{kindWords(kind).one}</TextLink>
                    <Money amount={amount} />
                    <State state={state} />
                  </li>
                ))}
              </ul>
            </Section>
          )}
        </div>
      </Columns>
    </Page>
  );
}

interface PayoutProps {
  readonly payout: Payout;
  readonly base: string;
}

function WhatToDo({ payout, base }: PayoutProps) {
  const byHand = 'Do not pay it manually: it may already be paid.';
  if (payout.needs_people)
    return (
      <Notice tone="person">
        Ask the bank in writing for the outcome, quoting the reference of the last attempt. Then{' '}
        <TextLink to={`${base}/review/${payout.id}`}>record the outcome in Review</TextLink>. {byHand}
      </Notice>
    );
  if (payout.sure_at !== null)
    return (
      <Notice>
        The refusal is confirmed at about <Time at={payout.sure_at} />. No action is needed until then.{' '}
        {byHand}
      </Notice>
    );
  if (payout.state !== 'unknown') return null;
  return <Notice tone="person">Ask the bank, quoting the reference of the last attempt. {byHand}</Notice>;
}

/** The reasons of the service are codes. The reasons of a bank are free text. */
function reasonOf(reason: string): string {
  return /^[a-z_]+$/.test(reason) ? words(reason) : reason;
}

function PayoutFacts({ payout, base }: PayoutProps) {
  const { to, transaction_id: transaction, credit_id: credit, business_id: business } = payout;
  const waits = payout.kind === 'refund' && (payout.state === 'failed' || to === null);
  return (
    <Facts
      facts={[
        { label: 'Amount', value: <Money amount={payout.amount} /> },
        { label: 'To', value: to?.account_name ?? null },
        to !== null && {
          label: 'Account',
          value: <Id value={to.account_number} label="account number" keep={false} />,
        },
        to !== null && { label: 'Bank', value: to.bank },
        payout.from_account !== null && {
          label: 'Paid from',
          value: <span className="mono">{payout.from_account}</span>,
        },
        payout.reason !== null && { label: 'Reason', value: reasonOf(payout.reason) },
        payout.next_try_at !== null && {
          label: 'Next check',
          value: <Time at={payout.next_try_at} />,
        },
        business !== null && {
          label: 'Business',
          value: (
            <TextLink to={`${base}/businesses/${business}`}>{payout.business_name ?? business}</TextLink>
          ),
        },
        transaction !== null && {
          label: 'Transaction',
          value: <TextLink to={`${base}/review/${transaction}`}>Open transaction</TextLink>,
        },
        credit !== null && {
          label: 'Bank credit',
          value: <TextLink to={`${base}/review/${credit}`}>Open bank credit</TextLink>,
        },
        waits && {
          label: 'Destination',
          value: <TextLink to={`${base}/review/${payout.id}`}>Set the account in Review</TextLink>,
        },
        { label: 'Created', value: <Time at={payout.created_at} /> },
        { label: 'Last change', value: <Time at={payout.updated_at} /> },
        { label: 'Id', value: <Id value={payout.id} label="payout id" /> },
      ]}
    />
  );
}
