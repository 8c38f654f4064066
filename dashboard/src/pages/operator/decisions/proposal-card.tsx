// A proposal with its effects and the possible decisions. Another person approves it with a second factor or declines it. The
// person who requested it may withdraw it.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import { useSignedIn } from '../../../api/session.ts';
import { ReasonDialog } from '../../../components/dialogs.tsx';
import { naira } from '../../../components/format.ts';
import { Notice } from '../../../components/page.tsx';
import { State, Time } from '../../../components/values.tsx';
import styles from './decisions.module.css';
import { type AnyProposal, withShortIds } from './labels.ts';
import { PreviewView } from './preview.tsx';

export function ProposalCard({ proposal }: { readonly proposal: AnyProposal }) {
  const { what, why, amount, proposed_by_name, proposed_at, obstacle, decision } = proposal;
  // A proposal in a list is always open. Its preview is on its own page.
  const shown = 'state' in proposal ? proposal : null;
  const state = shown?.state ?? 'open';
  return (
    <article className={`card column flush ${styles.proposal}`} data-open={state === 'open' || undefined}>
      <header className={styles.head}>
        <div>
          <p className="row">
            <State state={state} /> {proposed_by_name} proposes to
          </p>
          <p className={styles.what}>
            {withShortIds(what)}
            {amount !== undefined && `, ${naira(amount)}`}
          </p>
          {why ? <p>{why}</p> : null}
          <p className="quiet">
            <Time at={proposed_at} />
          </p>
        </div>
      </header>
      {obstacle !== null && (
        <Notice tone="person">Can no longer be approved: {withShortIds(obstacle)}</Notice>
      )}
      {shown?.preview ? <PreviewView preview={shown.preview} /> : null}
      {decision ? (
        <p className={styles.decision}>
          {shown?.decided_by_name}: “{decision.reason}”, <Time at={decision.at} />
        </p>
      ) : (
        <Decide proposal={proposal} />
      )}
    </article>
  );
}

type Asked = 'approve' | 'decline' | 'withdraw' | null;

const TITLES = {
  approve: 'Approve proposal',
  decline: 'Decline proposal',
  withdraw: 'Withdraw proposal',
} as const;
const MEANS = {
  approve: 'It takes effect immediately, with the postings above.',
  decline: 'Nothing changes; the proposal is closed.',
  withdraw: 'Nothing changes; the proposal is closed.',
} as const;

function Decide({ proposal }: { readonly proposal: AnyProposal }) {
  const { person } = useSignedIn();
  const [asked, setAsked] = useState<Asked>(null);
  const own = proposal.proposed_by === person.person_id;
  const role = person.operator_role;
  const mayApprove = role === 'admin' || role === 'approver';
  const mayPropose = role === 'admin' || role === 'reviewer';
  if (own)
    return (
      <div className="row at-end">
        <span className="quiet">Another person must decide.</span>
        {mayPropose && (
          <Button variant="default" onClick={() => setAsked('withdraw')}>
            Withdraw proposal
          </Button>
        )}
        <Decision proposal={proposal} asked={asked} onClose={() => setAsked(null)} />
      </div>
    );
  if (!mayApprove) return <p className="quiet">An approver or an admin must decide.</p>;
  return (
    <div className="row at-end">
      <Button variant="default" onClick={() => setAsked('decline')}>
        Decline proposal
      </Button>
      <Button disabled={proposal.obstacle !== null} onClick={() => setAsked('approve')}>
        Approve proposal
      </Button>
      <Decision proposal={proposal} asked={asked} onClose={() => setAsked(null)} />
    </div>
  );
}

interface DecisionProps {
  readonly proposal: AnyProposal;
  readonly asked: Asked;
  readonly onClose: () => void;
}

function Decision({ proposal: { id, what }, asked, onClose }: DecisionProps) {
  const how = asked ?? 'decline';
  const params = { proposal_id: id };
  return (
    <ReasonDialog
      opened={asked !== null}
      onClose={onClose}
      title={TITLES[how]}
      confirm={how === 'approve' ? 'Continue to second factor' : TITLES[how]}
      description="Kept with the decision; visible to the operator only."
      run={(reason) => post(`/operator/proposals/{proposal_id}/${how}`, { params, body: { reason } })}
      refreshes={['/operator']}
      done={{ approve: 'Approved and carried out', decline: 'Declined', withdraw: 'Withdrawn' }[how]}
      {...(how === 'approve' && {
        stepUp: {
          subjectId: id,
          title: 'Approve with your second factor',
          children: <p>To {withShortIds(what)}. It takes effect immediately.</p>,
        },
      })}
    >
      <p>
        To {withShortIds(what)}. {MEANS[how]}
      </p>
    </ReasonDialog>
  );
}
