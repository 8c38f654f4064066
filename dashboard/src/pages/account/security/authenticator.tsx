// Sets up the authenticator application of a person. A new one replaces the old one after its first code was correct.
import { Button, Modal } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { BeginTotpAnswer, ListSecondFactorsAnswer } from '../../../api/console-types.ts';
import { CodeField } from '../../../components/fields.tsx';
import { State } from '../../../components/values.tsx';
import { digitsOf } from '../../sign-in/data.ts';
import { EntryForm } from '../../sign-in/entry-form.tsx';
import { TotpSecret } from '../../sign-in/factors/set-up.tsx';
import { FACTORS, FactorRow, useWithStepUp } from './factor-row.tsx';

export function AuthenticatorSection({ totp }: ListSecondFactorsAnswer) {
  const { attempt, busy, dialog } = useWithStepUp();
  const [begun, setBegun] = useState<BeginTotpAnswer | null>(null);
  const verb = totp ? 'Replace authenticator' : 'Set up authenticator';
  const begin = () => attempt(verb, async () => setBegun(await post('/second-factors/totp')));
  return (
    <FactorRow
      title="Authenticator app"
      state={<State state={totp ? 'active' : 'waiting'} label={totp ? 'Set up' : 'Not set up'} />}
      text="A six-digit code that changes every 30 seconds. You can have one app."
      action={
        <Button variant="default" loading={busy} onClick={() => void begin()}>
          {verb}
        </Button>
      }
    >
      {dialog}
      <Confirm title={verb} begun={begun} onClose={() => setBegun(null)} />
    </FactorRow>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly begun: BeginTotpAnswer | null;
  readonly onClose: () => void;
}

function Confirm({ title, begun, onClose }: ConfirmProps) {
  const form = useForm({ initialValues: { code: '' } });
  const close = () => {
    form.reset();
    onClose();
  };
  return (
    <Modal opened={begun !== null} onClose={close} title={title}>
      <EntryForm
        within="dialog"
        submit="Confirm code"
        run={() => post('/second-factors/totp/confirm', { body: { code: digitsOf(form.values.code) } })}
        refreshes={[FACTORS]}
        done="The new authenticator is active."
        onDone={close}
      >
        {begun !== null && <TotpSecret {...begun} />}
        <CodeField
          {...form.getInputProps('code')}
          label="Code from the new authenticator"
          description="Your current authenticator works until you confirm this code."
        />
      </EntryForm>
    </Modal>
  );
}
