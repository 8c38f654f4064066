// One proposal: its effects, its subject, and the decision about it.
import type { ShownProposal } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { TextLink } from '../../../components/link.tsx';
import { Facts, Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { Id } from '../../../components/values.tsx';
import { useOperatorLocation, useParam } from '../../../layout/location.ts';
import { ProposalCard } from '../decisions/proposal-card.tsx';
import { useRefreshOnChanges } from '../rules.tsx';

const RECORD = /^(txn|crd|dep|mov|ntc)_/;

export default function ProposalPage() {
  const { base } = useOperatorLocation();
  const id = useParam('proposalId');
  const { data, error, refetch } = useRead('/operator/proposals/{record_id}', { params: { record_id: id } });
  useRefreshOnChanges('/operator/proposals');
  const proposal = data?.proposal;
  return (
    <Page title="Proposal" back={{ to: `${base}/proposals`, label: 'Proposals' }}>
      {error !== null && proposal === undefined && <Failure error={error} retry={() => void refetch()} />}
      {error === null && proposal === undefined && (
        <Section>
          <Loading lines={6} label="Loading proposal" />
        </Section>
      )}
      {proposal !== undefined && (
        <>
          <ProposalCard proposal={proposal} />
          <Section title="Details">
            <Facts
              facts={[
                { label: 'Proposal', value: <Id value={proposal.id} label="proposal id" keep={false} /> },
                {
                  label: 'Mode',
                  value: proposal.mode === 'live' ? 'Live' : 'Test',
                },
                about(proposal, base),
              ]}
            />
          </Section>
        </>
      )}
    </Page>
  );
}

function about({ subject_id }: ShownProposal, base: string) {
  if (subject_id === undefined) return false;
  const shown = <Id value={subject_id} label="record id" keep={false} />;
  if (subject_id.startsWith('stf_'))
    return {
      label: 'Statement file',
      value: <TextLink to={`${base}/statements/${subject_id}`}>{subject_id}</TextLink>,
    };
  if (!RECORD.test(subject_id)) return { label: 'Record', value: subject_id };
  return {
    label: 'Record',
    value: (
      <>
        {shown} <TextLink to={`${base}/review/${subject_id}`}>Open record</TextLink>
      </>
    ),
  };
}
