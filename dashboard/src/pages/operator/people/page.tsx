// The people of the operator with their roles, the invitations to the operator, and the new businesses that wait for approval.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { del, post } from '../../../api/calls.ts';
import { useRead } from '../../../api/reads.ts';
import { type OperatorRole, useSignedIn } from '../../../api/session.ts';
import { AppLink } from '../../../components/link.tsx';
import { Page, Section } from '../../../components/page.tsx';
import { Invitations, Invite } from '../../people/invitations.tsx';
import { OPERATOR_ROLES, RoleList } from '../../people/roles.tsx';
import { useSignInOptions } from '../../sign-in/data.ts';
import { Operators } from './operators.tsx';
import { SignUps } from './sign-ups.tsx';

const INVITATIONS = '/operator/invitations';
/** Repeats the rule of src/domain/people/roles.ts. The service checks the rule again. */
const PEOPLE_READERS: readonly OperatorRole[] = ['admin', 'auditor'];
const SIGN_UP_DECIDERS: readonly OperatorRole[] = ['admin', 'approver'];

export default function PeoplePage() {
  const { person } = useSignedIn();
  const [inviting, setInviting] = useState(false);
  const role = person.operator_role ?? 'reviewer';
  const admin = role === 'admin';
  const reads = PEOPLE_READERS.includes(role);
  const list = useRead(INVITATIONS, { enabled: admin });
  return (
    <Page
      title="People"
      lead="Operator team and business sign-ups, for both test and live mode."
      actions={
        <>
          {reads && <SandboxMailsLink />}
          {admin && <Button onClick={() => setInviting(true)}>Invite person</Button>}
        </>
      }
    >
      <SignUps decides={SIGN_UP_DECIDERS.includes(role)} />
      {reads && <Operators manages={admin} />}
      {admin && (
        <Invitations
          list={list}
          path={INVITATIONS}
          withdraw={(id) => del('/operator/invitations/{invitation_id}', { params: { invitation_id: id } })}
        />
      )}
      <Section title="Roles">
        <RoleList roles={OPERATOR_ROLES} />
      </Section>
      {admin && (
        <Invite
          opened={inviting}
          onClose={() => setInviting(false)}
          organisation="the operator"
          path={INVITATIONS}
          send={(body) => post(INVITATIONS, { body })}
          roles={OPERATOR_ROLES}
          first="reviewer"
        />
      )}
    </Page>
  );
}

function SandboxMailsLink() {
  const sandbox = useSignInOptions()?.sandbox === true;
  if (!sandbox) return null;
  return (
    <Button variant="default" renderRoot={(props) => <AppLink to="/app/mails" {...props} />}>
      Open sandbox e-mails
    </Button>
  );
}
