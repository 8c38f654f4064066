// Step 2 of a sign-in: a code from the authenticator, a passkey, or a recovery code. This step starts the session.
import { SegmentedControl } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import type { Factors, SignInAnswer } from '../../../api/console-types.ts';
import { CodeField } from '../../../components/fields.tsx';
import { signInWithCode, signInWithPasskey, unlessOver } from '../data.ts';
import { EntryForm } from '../entry-form.tsx';
import { PasskeyAddressNotice } from './set-up.tsx';

interface SecondFactorProps extends Omit<SignInAnswer, 'status'> {
  readonly onOpened: () => Promise<unknown>;
  /** Called when the sign-in has ended, after five wrong codes or ten minutes. */
  readonly onOver: (message: string) => void;
}

type Kind = keyof Factors;

const NAMES: readonly (readonly [Kind, string])[] = [
  ['totp', 'Code'],
  ['passkey', 'Passkey'],
  ['recovery_code', 'Recovery code'],
];

const WORDS = {
  totp: { description: 'Six digits that change every 30 seconds.' },
  recovery_code: {
    label: 'Recovery code',
    description: 'Each code works once.',
    inputMode: 'text',
  },
} as const;

export function SecondFactor({ pending, factors, onOpened, onOver }: SecondFactorProps) {
  const offered = NAMES.filter(([kind]) => factors[kind]);
  const [kind, setKind] = useState<Kind>(offered[0]?.[0] ?? 'totp');
  const form = useForm({ initialValues: { code: '' } });
  const give = () =>
    unlessOver(onOver, async () => {
      await (kind === 'passkey'
        ? signInWithPasskey(pending)
        : signInWithCode(pending, kind, form.values.code));
      await onOpened();
    });
  return (
    <EntryForm key={kind} submit={kind === 'passkey' ? 'Sign in with passkey' : 'Sign in'} run={give}>
      {offered.length > 1 && (
        <SegmentedControl
          aria-label="Second factor"
          fullWidth
          value={kind}
          onChange={(value) => {
            setKind(value as Kind);
            form.reset();
          }}
          data={offered.map(([value, label]) => ({ value, label }))}
        />
      )}
      {kind === 'passkey' ? (
        <>
          <p className="quiet">Your browser asks for your fingerprint, face, PIN or security key.</p>
          <PasskeyAddressNotice />
        </>
      ) : (
        <CodeField
          key={kind}
          {...form.getInputProps('code')}
          {...WORDS[kind]}
          size="md"
          maxLength={40}
          spellCheck={false}
          autoFocus
        />
      )}
    </EntryForm>
  );
}
