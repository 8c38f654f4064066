// The people with a role at the operator: given another role or none, disabled and enabled, reset.
import { useState } from 'react';
import { put } from '../../../api/calls.ts';
import type { Person } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { useSignedIn } from '../../../api/session.ts';
import { type Column, DataTable } from '../../../parts/data-table.tsx';
import { Empty } from '../../../parts/message.tsx';
import { Section } from '../../../parts/page.tsx';
import { type RowAction, RowMenu } from '../../../parts/row-menu.tsx';
import { State } from '../../../parts/state.tsx';
import { Ago } from '../../../parts/time.tsx';
import { ChangeRole } from '../../people/change-role.tsx';
import { PersonCell } from '../../people/person-cell.tsx';
import { labelOf, OPERATOR_ROLES } from '../../people/roles.ts';
import { PEOPLE } from './data.ts';
import { type Decision, PersonDecision } from './person-decision.tsx';

type What = 'role' | Decision;

interface Wanted {
  readonly what: What;
  readonly operator: Person;
}

export function Operators({ manages }: { readonly manages: boolean }) {
  const { person } = useSignedIn();
  const { data, error, refetch } = useRead('/operator/people');
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const close = () => setWanted(null);
  return (
    <Section bare title="Operator">
      <DataTable
        caption="People of the operator"
        columns={columnsFor(person.person_id, manages ? setWanted : null)}
        rows={data?.people}
        rowKey={({ person_id }) => person_id}
        error={error}
        retry={() => void refetch()}
        empty={<Empty icon="team" title="No person has a role at the operator" />}
      />
      {wanted?.what === 'role' && (
        <ChangeRole
          name={wanted.operator.name}
          now={wanted.operator.operator_role}
          roles={OPERATOR_ROLES}
          give={(role) =>
            put('/operator/people/{person_id}/role', {
              params: { person_id: wanted.operator.person_id },
              body: { role },
            })
          }
          refreshes={[PEOPLE, '/session']}
          onClose={close}
        />
      )}
      {wanted !== null && wanted.what !== 'role' && (
        <PersonDecision decision={wanted.what} operator={wanted.operator} onClose={close} />
      )}
    </Section>
  );
}

function columnsFor(ownId: string, onWanted: ((wanted: Wanted) => void) | null): readonly Column<Person>[] {
  const facts: readonly Column<Person>[] = [
    {
      title: 'Person',
      cell: ({ name, email, person_id }) => (
        <PersonCell name={name} email={email} you={person_id === ownId} />
      ),
    },
    { title: 'Role', cell: ({ operator_role }) => (operator_role === null ? '—' : labelOf(operator_role)) },
    {
      title: 'State',
      cell: ({ disabled }) => <State state={disabled ? 'disabled' : 'active'} />,
      from: 'sm',
    },
    { title: 'Since', cell: ({ created_at }) => <Ago at={created_at} />, from: 'md' },
  ];
  if (onWanted === null) return facts;
  const change: Column<Person> = {
    title: 'Change',
    align: 'right',
    cell: (operator) => (
      <RowMenu
        label={`Change ${operator.name}`}
        actions={actionsOn(operator, (what) => onWanted({ what, operator }))}
      />
    ),
  };
  return [...facts, change];
}

function actionsOn({ disabled }: Person, want: (what: What) => void): readonly RowAction[] {
  return [
    { label: 'Change role', icon: 'edit', run: () => want('role') },
    { label: 'Reset sign-in', icon: 'refresh', run: () => want('reset') },
    disabled
      ? { label: 'Enable person', icon: 'check', run: () => want('enable') }
      : { label: 'Disable person', icon: 'stop', danger: true, run: () => want('disable') },
    { label: 'Take role away', icon: 'trash', danger: true, run: () => want('no-role') },
  ];
}
