// The authenticator application: set up, or replaced by a new one when its first code is right.
import { Button, Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { BeginTotpAnswer, ListSecondFactorsAnswer } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { State } from '../../../parts/values.tsx';
import { digitsOf } from '../../sign-in/data.ts';
import { Refusal } from '../../sign-in/entry-form.tsx';
import { TotpSecret } from '../../sign-in/factors/set-up.tsx';
import { FACTORS, FactorRow, useWithStepUp } from './factor-row.tsx';
import styles from './security.module.css';

export function AuthenticatorSection({ totp }: ListSecondFactorsAnswer) {
  const { attempt, busy, dialog } = useWithStepUp();
  const [begun, setBegun] = useState<BeginTotpAnswer | null>(null);
  const verb = totp ? 'Replace authenticator' : 'Set up authenticator';
  const begin = () => attempt(verb, async () => setBegun(await post('/second-factors/totp')));
  return (
    <FactorRow
      title="Authenticator application"
      state={<State state={totp ? 'active' : 'waiting'} label={totp ? 'Set up' : 'Not set up'} />}
      text="Six digits that change every 30 seconds. A person has one."
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
  const [code, setCode] = useState('');
  const close = () => {
    setCode('');
    onClose();
  };
  const confirm = useAction(() => post('/second-factors/totp/confirm', { body: { code: digitsOf(code) } }), {
    quiet: true,
    refreshes: [FACTORS],
    done: 'The new authenticator is in use.',
    onDone: close,
  });
  return (
    <Modal opened={begun !== null} onClose={close} title={title}>
      <form
        className={`column flush ${styles.form}`}
        onSubmit={(event) => {
          event.preventDefault();
          if (!confirm.isPending) confirm.mutate();
        }}
      >
        {begun !== null && <TotpSecret {...begun} />}
        <TextInput
          label="Code of the new authenticator"
          description="The one you have now works until this code is right."
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          required
        />
        {confirm.error !== null && <Refusal error={confirm.error} />}
        <Button type="submit" loading={confirm.isPending}>
          Confirm code
        </Button>
      </form>
    </Modal>
  );
}
