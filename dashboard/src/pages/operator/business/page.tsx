// One business as the operator sees it: facts, limits, fees, freeze, members, keys and transactions.
import { pathTo } from '../../../api/calls.ts';
import type { GetBusinessAsOperatorAnswer, Transaction } from '../../../api/console-types.ts';
import { useList, useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { Columns, Empty, Facts, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { Ago, Id, Money, State, Time } from '../../../components/values.tsx';
import { type Mode, useOperatorLocation, useParam } from '../../../layout/location.ts';
import { countOf } from '../businesses/data.ts';
import { useRefreshOnChanges } from '../rules.tsx';
import { FreezeAction } from './dialogs.tsx';
import { Terms } from './terms.tsx';

export default function BusinessPage() {
  const { mode, base } = useOperatorLocation();
  const id = useParam('businessId');
  const params = { business_id: id };
  const { data, error, refetch } = useRead('/operator/businesses/{business_id}', { params, query: { mode } });
  useRefreshOnChanges(pathTo('/operator/businesses/{business_id}', { params }));
  const back = { to: `${base}/businesses`, label: 'Businesses' };
  if (data === undefined)
    return (
      <Page title="Business" back={back}>
        {error !== null ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <Section>
            <Loading lines={8} label="Loading business" />
          </Section>
        )}
      </Page>
    );
  const { business } = data;
  return (
    <Page title={business.name} back={back} actions={<FreezeAction business={business} mode={mode} />}>
      {business.frozen !== null && (
        <Notice tone="failed">
          Frozen in this mode since <Time at={business.frozen.since} />: {business.frozen.reason}
        </Notice>
      )}
      <Columns>
        <div>
          <About data={data} />
          <Transactions params={{ ...params, mode }} base={base} />
        </div>
        <div>
          <Terms business={business} mode={mode} />
          <People data={data} />
        </div>
      </Columns>
    </Page>
  );
}

function About({
  data: { business, default_wallet: wallet },
}: {
  readonly data: GetBusinessAsOperatorAnswer;
}) {
  const { volume } = business;
  return (
    <Section title="Details">
      <Facts
        facts={[
          { label: 'Business id', value: <Id value={business.business_id} label="business id" /> },
          { label: 'Link tag', value: <span className="mono">{business.link_tag}</span> },
          { label: 'State', value: <State state={business.frozen === null ? 'active' : 'frozen'} /> },
          business.sandbox && { label: 'Sandbox', value: 'Sandbox business' },
          { label: 'Volume (30 days)', value: <Money amount={volume.amount} /> },
          {
            label: 'Transactions (30 days)',
            value: `${countOf(volume)}, ${volume.completed.toLocaleString('en-GB')} completed`,
          },
          {
            label: 'Default wallet',
            value:
              wallet === null ? (
                'None'
              ) : (
                <>
                  {wallet.network} <Id value={wallet.wallet_address} label="wallet" />
                </>
              ),
          },
          { label: 'Created', value: <Time at={business.created_at} /> },
        ]}
      />
    </Section>
  );
}

const COLUMNS: readonly Column<Transaction>[] = [
  { title: 'Type', cell: ({ type }) => type },
  { title: 'State', cell: ({ state }) => <State state={state} /> },
  { title: 'Amount', align: 'right', cell: ({ amount }) => <Money amount={amount} /> },
  { title: 'Created', align: 'right', from: 'sm', cell: ({ created_at }) => <Ago at={created_at} /> },
];

interface TransactionsProps {
  readonly params: { readonly business_id: string; readonly mode: Mode };
  readonly base: string;
}

function Transactions({ params, base }: TransactionsProps) {
  const path = '/operator/businesses/{business_id}/transactions/{mode}';
  const list = useList(path, 'transactions', { params, query: { limit: 20 } });
  return (
    <Section title="Transactions" bare>
      <DataTable
        caption="Transactions of the business"
        columns={COLUMNS}
        {...list}
        rowKey={({ transaction_id }) => transaction_id}
        rowHref={({ transaction_id }) => `${base}/review/${transaction_id}`}
        empty={<Empty title="No transactions in this mode yet" />}
      />
    </Section>
  );
}

function People({ data: { members, keys } }: { readonly data: GetBusinessAsOperatorAnswer }) {
  return (
    <>
      <Section title="Members">
        {members.length === 0 ? (
          <p className="quiet">No one has accepted an invitation yet.</p>
        ) : (
          <Facts
            facts={members.map(({ email, name, role }) => ({ label: name, value: `${email}, ${role}` }))}
          />
        )}
      </Section>
      <Section title="Keys">
        {keys.length === 0 ? (
          <p className="quiet">No keys yet.</p>
        ) : (
          <Facts
            facts={keys.map(({ hint, mode, revoked_at }) => ({
              label: hint,
              value: (
                <>
                  {mode === 'live' ? 'Live' : 'Test'}{' '}
                  <State state={revoked_at === null ? 'active' : 'revoked'} />
                </>
              ),
            }))}
          />
        )}
      </Section>
    </>
  );
}
