// Businesses that signed up. An admin or an approver approves or declines those that wait for approval.
import { Button, Group, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { SignUp } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { type Column, DataTable } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { TextLink } from '../../../components/link.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago } from '../../../components/values.tsx';
import { useOperatorLocation } from '../../../layout/location.ts';
import { SIGN_UPS } from './operators.tsx';

type SignUpState = SignUp['state'];
type Decision = 'approve' | 'decline';

interface SignUpDecision {
  readonly decision: Decision;
  readonly signUp: SignUp;
}

const EMPTY: Readonly<Record<SignUpState, string>> = {
  waiting: 'No sign-ups await a decision',
  approved: 'No approved sign-ups',
  declined: 'No declined sign-ups',
};

export function SignUps({ decides }: { readonly decides: boolean }) {
  const [state, setState] = useState<SignUpState>('waiting');
  const { data, error, refetch } = useRead('/operator/sign-ups', { query: { state } });
  const [wanted, setWanted] = useState<SignUpDecision | null>(null);
  const { base } = useOperatorLocation();
  const last = state === 'waiting' ? (decides ? [decideColumn(setWanted)] : []) : [decidedColumn(base)];
  return (
    <Section
      bare
      title="Business sign-ups"
      actions={
        <SegmentedControl
          aria-label="Filter sign-ups by state"
          value={state}
          onChange={(value) => setState(value as SignUpState)}
          data={[
            { value: 'waiting', label: 'Waiting' },
            { value: 'approved', label: 'Approved' },
            { value: 'declined', label: 'Declined' },
          ]}
        />
      }
    >
      <DataTable
        caption="Business sign-ups"
        columns={[...FACTS, ...last]}
        rows={data?.sign_ups}
        rowKey={({ id }) => id}
        error={error}
        retry={() => void refetch()}
        empty={
          <Empty icon="building" title={EMPTY[state]}>
            Businesses sign up at /app/sign-up.
          </Empty>
        }
      />
      {wanted !== null && <Decide {...wanted} onClose={() => setWanted(null)} />}
    </Section>
  );
}

const FACTS: readonly Column<SignUp>[] = [
  { title: 'Business', cell: ({ business_name }) => business_name },
  { title: 'Link tag', cell: ({ link_tag }) => <span className="mono">{link_tag}</span>, from: 'md' },
  { title: 'Owner', cell: ({ email }) => email, from: 'sm' },
  { title: 'Signed up', cell: ({ created_at }) => <Ago at={created_at} />, from: 'sm' },
];

function decideColumn(onWanted: (wanted: SignUpDecision) => void): Column<SignUp> {
  return {
    title: 'Decision',
    align: 'right',
    cell: (signUp) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <Button size="compact-sm" variant="light" onClick={() => onWanted({ decision: 'approve', signUp })}>
          Approve
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          c="var(--state-failed)"
          onClick={() => onWanted({ decision: 'decline', signUp })}
        >
          Decline
        </Button>
      </Group>
    ),
  };
}

function decidedColumn(base: string): Column<SignUp> {
  return {
    title: 'Decided',
    align: 'right',
    cell: ({ decided_at, business_id }) => (
      <span>
        <Ago at={decided_at} />
        {business_id !== null && (
          <>
            {' '}
            <TextLink to={`${base}/businesses/${encodeURIComponent(business_id)}`}>Open business</TextLink>
          </>
        )}
      </span>
    ),
  };
}

function Decide({ decision, signUp, onClose }: SignUpDecision & { readonly onClose: () => void }) {
  const approves = decision === 'approve';
  const params = { sign_up_id: signUp.id };
  return (
    <FormDialog
      onClose={onClose}
      title={`${approves ? 'Approve' : 'Decline'} ${signUp.business_name}`}
      confirm={approves ? 'Approve business' : 'Decline business'}
      danger={!approves}
      run={() => post(`/operator/sign-ups/{sign_up_id}/${decision}`, { params })}
      refreshes={[SIGN_UPS, '/operator/businesses']}
      done={`${signUp.business_name} is ${approves ? 'approved' : 'declined'}.`}
    >
      <p>
        {approves
          ? `Creates the business “${signUp.business_name}” with the link tag ${signUp.link_tag}, and invites ${signUp.email} by e-mail as its owner.`
          : `${signUp.email} gets an e-mail which says that the business was declined and can sign up again.`}
      </p>
    </FormDialog>
  );
}
