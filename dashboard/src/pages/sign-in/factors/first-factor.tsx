// Sets up the first second factor of a person: an authenticator application or a passkey. Then the page shows the recovery
// codes, once only. The set-up also starts the session.
import { SegmentedControl } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { post } from '../../../api/calls.ts';
import { CodeField, PasskeyNameField } from '../../../components/fields.tsx';
import { Loading } from '../../../components/page.tsx';
import { addFirstPasskey, confirmFirstTotp, unlessOver } from '../data.ts';
import { EntryForm, Refusal } from '../entry-form.tsx';
import styles from '../layout.module.css';
import { EntryLayout } from '../layout.tsx';
import { PasskeyAddressNotice, RecoveryCodes, TotpSecret } from './set-up.tsx';

interface FirstFactorProps {
  readonly pending: string;
  readonly lead: string;
  readonly aside?: ReactNode;
  readonly onOpened: () => Promise<unknown>;
  readonly onOver: (message: string) => void;
}

interface StepProps {
  readonly pending: string;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onOver: (message: string) => void;
}

/** This step fills the whole page, whose title changes when the recovery codes are shown. */
export function FirstFactor({ pending, lead, aside, onOpened, onOver }: FirstFactorProps) {
  const [kind, setKind] = useState('totp');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <Stored codes={codes} onOpened={onOpened} />;
  const step = { pending, onCodes: setCodes, onOver };
  return (
    <EntryLayout title="Set up your second factor" lead={lead} aside={aside}>
      <div className={styles.form}>
        <SegmentedControl
          aria-label="Second factor"
          fullWidth
          value={kind}
          onChange={setKind}
          data={[
            { value: 'totp', label: 'Authenticator app' },
            { value: 'passkey', label: 'Passkey' },
          ]}
        />
      </div>
      {kind === 'totp' ? <FirstTotp {...step} /> : <FirstPasskey {...step} />}
    </EntryLayout>
  );
}

function FirstTotp({ pending, onCodes, onOver }: StepProps) {
  // The page requests the secret only once. Therefore the secret is the same when the person returns from the authenticator
  // application.
  const begun = useQuery({
    queryKey: ['first-totp', pending],
    queryFn: () => post('/sign-in/totp', { body: { pending } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const form = useForm({ initialValues: { code: '' } });
  if (begun.error !== null)
    return (
      <div className={styles.form}>
        <Refusal error={begun.error} />
      </div>
    );
  const confirm = () =>
    unlessOver(onOver, async () =>
      onCodes((await confirmFirstTotp(pending, form.values.code)).recovery_codes),
    );
  return (
    <EntryForm submit="Confirm code" run={confirm}>
      {begun.data === undefined ? (
        <Loading lines={12} label="Generating secret" />
      ) : (
        <TotpSecret secret={begun.data.secret} uri={begun.data.uri} />
      )}
      <CodeField {...form.getInputProps('code')} size="md" />
    </EntryForm>
  );
}

function FirstPasskey({ pending, onCodes, onOver }: StepProps) {
  const form = useForm({ initialValues: { name: '' } });
  const add = () =>
    unlessOver(onOver, async () =>
      onCodes((await addFirstPasskey(pending, form.values.name)).recovery_codes),
    );
  return (
    <EntryForm submit="Add passkey" run={add}>
      <p>Your browser or a security key stores it and asks for your fingerprint, face or PIN.</p>
      <PasskeyAddressNotice />
      <PasskeyNameField {...form.getInputProps('name')} size="md" />
    </EntryForm>
  );
}

function Stored({
  codes,
  onOpened,
}: {
  readonly codes: readonly string[];
  readonly onOpened: () => Promise<unknown>;
}) {
  const [error, setError] = useState<unknown>(null);
  return (
    <EntryLayout title="Save your recovery codes" lead="You are signed in. This is the last step.">
      <div className={styles.form}>
        <RecoveryCodes codes={codes} onStored={() => onOpened().catch(setError)} />
        {error !== null && <Refusal error={error} />}
      </div>
    </EntryLayout>
  );
}
