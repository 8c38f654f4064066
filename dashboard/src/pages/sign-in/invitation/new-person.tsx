// An invitation that a person whom the service does not know accepts with a name and a password.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { ReadInvitationAnswer } from '../../../api/console-types.ts';
import { EntryForm, NewPassword } from '../entry-form.tsx';
import { Entry } from '../layout.tsx';
import { placeOf } from './join.tsx';

interface NewPersonProps {
  readonly token: string;
  readonly invitation: ReadInvitationAnswer;
  readonly onPending: (pending: string) => void;
}

export function NewPerson({ token, invitation, onPending }: NewPersonProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const accept = async () => {
    const { pending } = await post('/invitations/accept', { body: { token, name, password } });
    onPending(pending);
  };
  return (
    <Entry title={`Join ${placeOf(invitation)}`} lead={`You are invited as ${invitation.role}.`}>
      <EntryForm submit="Accept invitation" run={accept}>
        <TextInput
          size="md"
          label="E-mail address"
          value={invitation.email}
          autoComplete="username"
          readOnly
          variant="filled"
        />
        <TextInput
          size="md"
          label="Your name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoComplete="name"
          maxLength={100}
          required
          autoFocus
        />
        <NewPassword value={password} onValue={setPassword} />
      </EntryForm>
    </Entry>
  );
}
