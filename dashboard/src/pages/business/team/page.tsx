// The people of a business: members, roles and invitations. Owners manage the members, and every member may leave.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { del, pathTo, post } from '../../../api/calls.ts';
import { queryClient } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { readSession, SESSION_KEY, useSignedIn } from '../../../api/session.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { useGo } from '../../../components/link.tsx';
import { Page, Section } from '../../../components/page.tsx';
import { useBusinessLocation } from '../../../layout/location.ts';
import { Invitations, Invite } from '../../people/invitations.tsx';
import { BUSINESS_ROLES, RoleList } from '../../people/roles.tsx';
import { Members } from './members.tsx';

const INVITATIONS = '/businesses/{business_id}/invitations';

export default function TeamPage() {
  const { params, businessId } = useBusinessLocation();
  const { memberships } = useSignedIn();
  const [inviting, setInviting] = useState(false);
  const mine = memberships.find(({ business_id }) => business_id === businessId);
  const owner = mine?.role === 'owner';
  const list = useRead(INVITATIONS, { params, enabled: owner });
  const name = mine?.business_name ?? 'the business';
  return (
    <Page
      title="Team"
      lead="People and roles apply to both test and live mode."
      actions={
        <>
          <Leave name={name} />
          {owner && <Button onClick={() => setInviting(true)}>Invite person</Button>}
        </>
      }
    >
      <Members manages={owner} />
      {owner && (
        <Invitations
          list={list}
          path={pathTo(INVITATIONS, { params })}
          withdraw={(id) =>
            del(`${INVITATIONS}/{invitation_id}`, { params: { ...params, invitation_id: id } })
          }
        />
      )}
      <Section title="Roles">
        <RoleList roles={BUSINESS_ROLES} />
      </Section>
      {owner && (
        <Invite
          opened={inviting}
          onClose={() => setInviting(false)}
          organisation={name}
          path={pathTo(INVITATIONS, { params })}
          send={(body) => post(INVITATIONS, { params, body })}
          roles={BUSINESS_ROLES}
          first="developer"
        />
      )}
    </Page>
  );
}

function Leave({ name }: { readonly name: string }) {
  const { params } = useBusinessLocation();
  const go = useGo();
  const [asking, setAsking] = useState(false);
  const leave = async () => {
    await post('/businesses/{business_id}/leave', { params });
    return readSession();
  };
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Leave business
      </Button>
      <FormDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Leave ${name}`}
        confirm="Leave business"
        danger
        run={leave}
        done={`You have left ${name}.`}
        onDone={(session) => {
          queryClient.setQueryData(SESSION_KEY, session);
          go('/app');
        }}
      >
        <p>You lose access to {name}. Only an owner can invite you back.</p>
      </FormDialog>
    </>
  );
}
