// Step 2 of a sign-in: a code of the authenticator, a passkey, or a recovery code. It opens the session.
import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Factors, SignInAnswer } from '../../../api/console-types.ts';
import { giveCode, givePasskeyPending, isOver } from '../data.ts';
import { EntryForm } from '../entry-form.tsx';
import { PasskeyPlace } from './set-up.tsx';

interface SecondFactorProps extends Omit<SignInAnswer, 'status'> {
  readonly onOpened: () => Promise<unknown>;
  /** Five codes were judged, or ten minutes are over. */
  readonly onOver: (message: string) => void;
}

type Kind = keyof Factors;

const NAMES: readonly (readonly [Kind, string])[] = [
  ['totp', 'Code'],
  ['passkey', 'Passkey'],
  ['recovery_code', 'Recovery code'],
];

export function SecondFactor({ pending, factors, onOpened, onOver }: SecondFactorProps) {
  const offered = NAMES.filter(([kind]) => factors[kind]);
  const [kind, setKind] = useState<Kind>(offered[0]?.[0] ?? 'totp');
  const [code, setCode] = useState('');
  const give = async () => {
    try {
      await (kind === 'passkey' ? givePasskeyPending(pending) : giveCode(pending, kind, code));
    } catch (error) {
      if (!isOver(error)) throw error;
      return onOver(error.message);
    }
    return onOpened();
  };
  return (
    <EntryForm key={kind} submit={kind === 'passkey' ? 'Sign in with passkey' : 'Sign in'} run={give}>
      {offered.length > 1 && (
        <SegmentedControl
          aria-label="Second factor"
          fullWidth
          value={kind}
          onChange={(value) => {
            setKind(value as Kind);
            setCode('');
          }}
          data={offered.map(([value, label]) => ({ value, label }))}
        />
      )}
      {kind === 'passkey' ? (
        <>
          <p className="quiet">Your browser asks for your fingerprint, your face, a PIN or a security key.</p>
          <PasskeyPlace />
        </>
      ) : (
        <CodeInput kind={kind} code={code} onCode={setCode} />
      )}
    </EntryForm>
  );
}

function CodeInput(props: {
  readonly kind: 'totp' | 'recovery_code';
  readonly code: string;
  readonly onCode: (code: string) => void;
}) {
  const { kind, code, onCode } = props;
  const words =
    kind === 'totp'
      ? ({ label: 'Code of your authenticator', description: 'Six digits, new every 30 seconds.' } as const)
      : ({ label: 'Recovery code', description: 'Each one signs you in once.' } as const);
  return (
    <TextInput
      key={kind}
      size="md"
      {...words}
      value={code}
      onChange={(event) => onCode(event.currentTarget.value)}
      inputMode={kind === 'totp' ? 'numeric' : 'text'}
      autoComplete="one-time-code"
      maxLength={40}
      spellCheck={false}
      required
      autoFocus
    />
  );
}
