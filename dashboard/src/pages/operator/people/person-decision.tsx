// What an admin does with a person: each says what will happen first.
import { post, put } from '../../../api/calls.ts';
import type { Person } from '../../../api/console-types.ts';
import { FormDialog } from '../../../parts/dialogs.tsx';
import { PEOPLE } from './data.ts';

export type Decision = 'disable' | 'enable' | 'reset' | 'no-role';

interface Words {
  readonly title: string;
  readonly danger: boolean;
  readonly means: string;
  readonly run: (params: { readonly person_id: string }) => Promise<unknown>;
}

const WORDS: Readonly<Record<Decision, Words>> = {
  disable: {
    title: 'Disable person',
    danger: true,
    means:
      'All their sessions end at once, and they cannot sign in, here and in every business. It can be undone.',
    run: (params) => put('/operator/people/{person_id}/disabled', { params, body: { disabled: true } }),
  },
  enable: {
    title: 'Enable person',
    danger: false,
    means: 'They can sign in again, with the credentials and roles that they had.',
    run: (params) => put('/operator/people/{person_id}/disabled', { params, body: { disabled: false } }),
  },
  reset: {
    title: 'Reset sign-in',
    danger: true,
    means:
      'Their password, all second factors and the identity of an identity provider are removed, and all sessions end. A link to begin again goes to them by mail. Do it when they have asked you in person.',
    run: (params) => post('/operator/people/{person_id}/reset', { params }),
  },
  'no-role': {
    title: 'Take role away',
    danger: true,
    means: 'They see nothing of the operator any more. Their memberships in businesses stay.',
    run: (params) => put('/operator/people/{person_id}/role', { params }),
  },
};

interface PersonDecisionProps {
  readonly decision: Decision;
  readonly operator: Person;
  readonly onClose: () => void;
}

/** Shown as long as it is rendered. */
export function PersonDecision({ decision, operator, onClose }: PersonDecisionProps) {
  const { title, danger, means, run } = WORDS[decision];
  return (
    <FormDialog
      onClose={onClose}
      title={`${title}: ${operator.name}`}
      confirm={title}
      danger={danger}
      run={() => run({ person_id: operator.person_id })}
      refreshes={[PEOPLE]}
      done={`Done: ${title.toLowerCase()}, ${operator.name}.`}
    >
      <p>{operator.email}</p>
      <p>{means}</p>
    </FormDialog>
  );
}
