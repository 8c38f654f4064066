// The members of a business. An owner can change their roles or remove them.
import { useState } from 'react';
import { del, pathTo, put } from '../../../api/calls.ts';
import type { Member } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { useSignedIn } from '../../../api/session.ts';
import { type Column, DataTable, RowMenu } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago } from '../../../components/values.tsx';
import { useBusinessLocation } from '../../../layout/location.ts';
import { BUSINESS_ROLES, ChangeRole, labelOf, PersonCell } from '../../people/roles.tsx';

const MEMBERS = '/businesses/{business_id}/members';

interface MemberAction {
  readonly what: 'role' | 'remove';
  readonly member: Member;
}

export function Members({ manages }: { readonly manages: boolean }) {
  const { params } = useBusinessLocation();
  const { person } = useSignedIn();
  const { data, error, refetch } = useRead(MEMBERS, { params });
  const [wanted, setWanted] = useState<MemberAction | null>(null);
  const columns = columnsFor(person.person_id, manages ? setWanted : null);
  return (
    <Section bare title="Members">
      <DataTable
        caption="Members of the business"
        columns={columns}
        rows={data?.members}
        rowKey={({ person_id }) => person_id}
        error={error}
        retry={() => void refetch()}
        empty={<Empty icon="team" title="No members" />}
      />
      {wanted?.what === 'role' && (
        <ChangeRole
          name={wanted.member.name}
          now={wanted.member.role}
          roles={BUSINESS_ROLES}
          give={(role) =>
            put(`${MEMBERS}/{person_id}/role`, {
              params: { ...params, person_id: wanted.member.person_id },
              body: { role },
            })
          }
          refreshes={[pathTo(MEMBERS, { params }), '/session']}
          onClose={() => setWanted(null)}
        />
      )}
      <Remove member={wanted?.what === 'remove' ? wanted.member : null} onClose={() => setWanted(null)} />
    </Section>
  );
}

function columnsFor(
  ownId: string,
  onWanted: ((wanted: MemberAction) => void) | null,
): readonly Column<Member>[] {
  const facts: readonly Column<Member>[] = [
    { title: 'Person', cell: (member) => <PersonCell {...member} you={member.person_id === ownId} /> },
    { title: 'Role', cell: ({ role }) => labelOf(role) },
    { title: 'Member since', cell: ({ since }) => <Ago at={since} />, from: 'sm' },
  ];
  if (onWanted === null) return facts;
  const change: Column<Member> = {
    title: 'Actions',
    align: 'right',
    cell: (member) => (
      <RowMenu
        label={`Actions for ${member.name}`}
        actions={[
          { label: 'Change role', icon: 'edit', run: () => onWanted({ what: 'role', member }) },
          ...(member.person_id === ownId
            ? []
            : [
                {
                  label: 'Remove member',
                  icon: 'trash' as const,
                  danger: true,
                  run: () => onWanted({ what: 'remove', member }),
                },
              ]),
        ]}
      />
    ),
  };
  return [...facts, change];
}

function Remove({ member, onClose }: { readonly member: Member | null; readonly onClose: () => void }) {
  const { params } = useBusinessLocation();
  const remove = async () =>
    member && del(`${MEMBERS}/{person_id}`, { params: { ...params, person_id: member.person_id } });
  return (
    <FormDialog
      opened={member !== null}
      onClose={onClose}
      title={`Remove ${member?.name ?? 'member'}`}
      confirm="Remove member"
      danger
      run={remove}
      refreshes={[pathTo(MEMBERS, { params })]}
      done="Member removed."
    >
      <p>
        {member?.email} loses access to this business immediately. Keys that they created keep working: roll
        the keys whose secret they know.
      </p>
    </FormDialog>
  );
}
