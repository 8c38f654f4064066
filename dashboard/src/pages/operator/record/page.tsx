// The review of one record. The record is on the left and its possible matches are on the right. Its proposals are above, and
// its actions are below. Each action shows a preview of its postings.
import { pathTo } from '../../../api/calls.ts';
import { useRead } from '../../../api/reads.ts';
import { Failure, Loading, Page, Section } from '../../../components/page.tsx';
import { State } from '../../../components/values.tsx';
import { useFilters, useOperatorLocation, useParam } from '../../../layout/location.ts';
import { amountOf, nounOf, type Review } from '../decisions/labels.ts';
import { ProposalCard } from '../decisions/proposal-card.tsx';
import { useRefreshOnChanges } from '../rules.tsx';
import { Actions } from './actions.tsx';
import { Candidates } from './candidates.tsx';
import styles from './record.module.css';
import { Related, Timeline } from './related.tsx';
import { SubjectFacts } from './subject-facts.tsx';

export default function RecordPage() {
  const { base } = useOperatorLocation();
  const id = useParam('recordId');
  const { filters } = useFilters();
  const params = { record_id: id };
  const { data, error, refetch } = useRead('/operator/reviews/{record_id}', {
    params,
    query: { compare: filters.compare },
    keepPrevious: true,
  });
  useRefreshOnChanges(pathTo('/operator/reviews/{record_id}', { params }));
  const back = { to: `${base}/review`, label: 'Review' };
  if (data === undefined)
    return (
      <Page title="Record" back={back}>
        {error !== null ? (
          <Failure error={error} retry={() => void refetch()} />
        ) : (
          <div className={styles.columns}>
            <Section title="Record">
              <Loading lines={8} label="Loading record" />
            </Section>
            <Section title="Related records">
              <Loading lines={8} label="Loading related records" />
            </Section>
          </div>
        )}
      </Page>
    );
  return <Loaded review={data} base={base} back={back} />;
}

interface LoadedProps {
  readonly review: Review;
  readonly base: string;
  readonly back: { readonly to: string; readonly label: string };
}

function Loaded({ review, base, back }: LoadedProps) {
  const { subject, proposals } = review;
  const noun = nounOf(subject);
  const name = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} of ${amountOf(subject) || 'unknown amount'}`;
  const isCredit = subject.kind === 'credit';
  return (
    <Page title={name} state={<State state={subject.state} />} lead={subject.why ?? undefined} back={back}>
      {proposals.map((proposal) => (
        <ProposalCard key={proposal.id} proposal={proposal} />
      ))}
      <div className={styles.columns}>
        <Section title="Details">
          <SubjectFacts subject={subject} base={base} />
        </Section>
        {isCredit ? (
          <Candidates review={review} base={base} />
        ) : (
          <div className={styles.stack}>
            <Related review={review} base={base} />
            <Timeline review={review} />
          </div>
        )}
      </div>
      {isCredit && <Related review={review} base={base} />}
      <Actions review={review} />
    </Page>
  );
}
