// The payout rails: whether each rail gets payouts, its success rate, its balance, and the routing table. One person can pause
// a rail. In live mode every other change needs two people.

import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { ListRailsAnswer, RailProposal } from '../../../api/console-types.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { capitalised } from '../../../components/format.ts';
import { GuideLink } from '../../../components/link.tsx';
import { Empty, Failure, Page, Section } from '../../../components/page.tsx';
import { Ago } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { useRefreshOnHints } from '../rules.tsx';
import { RailCard } from './card.tsx';
import { CapDialog, PauseRail, type RailAction, ResumeRail, TrustRail, useRails } from './dialogs.tsx';
import styles from './rails.module.css';
import { Routing } from './routing.tsx';

export default function RailsPage() {
  const { mode } = useOperatorLocation();
  const { data, error, refetch } = useRails(mode);
  useRefreshOnHints(['proposals', 'stops'], '/operator/rails');
  return (
    <Page
      title="Rails"
      lead={`Bank connections that pay out naira in ${mode} mode. Each payout uses the healthy rail that the routing table prefers.`}
    >
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Overview data={data} />
      )}
    </Page>
  );
}

function Overview({ data }: { readonly data: ListRailsAnswer | undefined }) {
  const { mode } = useOperatorLocation();
  const [asked, setAsked] = useState<RailAction>(null);
  if (data !== undefined && data.rails.length === 0)
    return (
      <Section>
        <Empty icon="link" title={`No rail pays in ${mode} mode`}>
          A rail appears here after you add it to the banks file and restart the service.
          <GuideLink page="operate/rail-settings">The guide</GuideLink> says how.
        </Empty>
      </Section>
    );
  const needsTwo = data?.needs_two ?? true;
  const close = () => setAsked(null);
  return (
    <>
      <div className="cards">
        {data === undefined
          ? ['first', 'second'].map((each) => <Skeleton key={each} height={280} radius={8} />)
          : data.rails.map((each) => <RailCard key={each.rail} rail={each} data={data} onAsk={setAsked} />)}
      </div>
      {data !== undefined && <Proposals proposals={data.proposals} />}
      {data !== undefined && <Routing data={data} />}
      {asked?.what === 'pause' && <PauseRail rail={asked.rail} needsTwo={needsTwo} onClose={close} />}
      {asked?.what === 'resume' && <ResumeRail rail={asked.rail} needsTwo={needsTwo} onClose={close} />}
      {asked?.what === 'trust' && <TrustRail rail={asked.rail} needsTwo={needsTwo} onClose={close} />}
      {asked?.what === 'cap' && <CapDialog rail={asked.rail} needsTwo={needsTwo} onClose={close} />}
    </>
  );
}

function Proposals({ proposals }: { readonly proposals: readonly RailProposal[] }) {
  const { base } = useOperatorLocation();
  if (proposals.length === 0) return null;
  return (
    <Section title="Awaiting approval" bare>
      <DataTable
        caption="Proposed rail changes"
        rows={proposals}
        rowKey={({ proposal_id: id }) => id}
        rowHref={({ proposal_id: id }) => `${base}/proposals/${id}`}
        columns={[
          { title: 'Change', cell: ({ what }) => <span className={styles.wrap}>{capitalised(what)}</span> },
          { title: 'Proposed by', from: 'sm', cell: ({ proposed_by_name: name }) => name },
          { title: 'Proposed', from: 'sm', align: 'right', cell: ({ proposed_at: at }) => <Ago at={at} /> },
        ]}
        empty={null}
      />
    </Section>
  );
}
