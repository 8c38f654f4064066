// The people with a role at the operator. An admin can change or remove a role, and can disable, enable or reset a person.
import { useState } from 'react';
import { post, put } from '../../../api/calls.ts';
import type { Person } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { useSignedIn } from '../../../api/session.ts';
import { type Column, DataTable, type RowAction, RowMenu } from '../../../components/data-table.tsx';
import { FormDialog } from '../../../components/dialogs.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { Ago, State } from '../../../components/values.tsx';
import { ChangeRole, labelOf, OPERATOR_ROLES, PersonCell } from '../../people/roles.tsx';

type What = 'role' | Decision;

interface PersonAction {
  readonly what: What;
  readonly operator: Person;
}

export function Operators({ manages }: { readonly manages: boolean }) {
  const { person } = useSignedIn();
  const { data, error, refetch } = useRead('/operator/people');
  const [wanted, setWanted] = useState<PersonAction | null>(null);
  const close = () => setWanted(null);
  return (
    <Section bare title="Operator team">
      <DataTable
        caption="Operator team"
        columns={columnsFor(person.person_id, manages ? setWanted : null)}
        rows={data?.people}
        rowKey={({ person_id }) => person_id}
        error={error}
        retry={() => void refetch()}
        empty={<Empty icon="team" title="No operators yet" />}
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

function columnsFor(
  ownId: string,
  onWanted: ((wanted: PersonAction) => void) | null,
): readonly Column<Person>[] {
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
    { title: 'Created', cell: ({ created_at }) => <Ago at={created_at} />, from: 'md' },
  ];
  if (onWanted === null) return facts;
  const change: Column<Person> = {
    title: 'Actions',
    align: 'right',
    cell: (operator) => (
      <RowMenu
        label={`Actions for ${operator.name}`}
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
    { label: 'Remove role', icon: 'trash', danger: true, run: () => want('no-role') },
  ];
}

type Decision = 'disable' | 'enable' | 'reset' | 'no-role';

interface Words {
  readonly title: string;
  readonly danger: boolean;
  readonly means: string /** This text follows the name of the person. */;
  readonly done: string;
  readonly run: (params: { readonly person_id: string }) => Promise<unknown>;
}

const WORDS: Readonly<Record<Decision, Words>> = {
  disable: {
    title: 'Disable person',
    danger: true,
    done: 'is disabled',
    means: 'Ends all their sessions and blocks sign-in, here and in every business. You can undo this.',
    run: (params) => put('/operator/people/{person_id}/disabled', { params, body: { disabled: true } }),
  },
  enable: {
    title: 'Enable person',
    danger: false,
    done: 'is enabled',
    means: 'They can sign in again with their previous credentials and roles.',
    run: (params) => put('/operator/people/{person_id}/disabled', { params, body: { disabled: false } }),
  },
  reset: {
    title: 'Reset sign-in',
    danger: true,
    done: 'has to set up sign-in again',
    means:
      'Removes their password, second factors and linked identity, and ends all sessions. They get a link by e-mail to start over. Do this only when they have asked you in person.',
    run: (params) => post('/operator/people/{person_id}/reset', { params }),
  },
  'no-role': {
    title: 'Remove role',
    danger: true,
    done: 'no longer has an operator role',
    means: 'They lose access to the operator pages. Their memberships in businesses remain.',
    run: (params) => put('/operator/people/{person_id}/role', { params }),
  },
};

interface PersonDecisionProps {
  readonly decision: Decision;
  readonly operator: Person;
  readonly onClose: () => void;
}

function PersonDecision({ decision, operator, onClose }: PersonDecisionProps) {
  const { title, danger, means, done, run } = WORDS[decision];
  return (
    <FormDialog
      onClose={onClose}
      title={`${title}: ${operator.name}`}
      confirm={title}
      danger={danger}
      run={() => run({ person_id: operator.person_id })}
      refreshes={[PEOPLE]}
      done={`${operator.name} ${done}.`}
    >
      <p>{operator.email}</p>
      <p>{means}</p>
    </FormDialog>
  );
}

const PEOPLE = '/operator/people';
export const SIGN_UPS = '/operator/sign-ups';
