// Asks for a second factor right before a decision, for that very subject. The service relies on it for five minutes.
import { Button, Modal, SegmentedControl, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { post } from '../api/calls.ts';
import { givePasskey as askForPasskey } from '../api/passkeys.ts';
import { useAction } from '../api/query.ts';
import styles from './dialogs.module.css';
import { Failure } from './message.tsx';

interface StepUpProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** What it is for: the id of a proposal, or the person's own id. */
  readonly subjectId: string;
  readonly title: string;
  /** What will happen after it. */
  readonly children?: ReactNode;
  /** Runs after the factor was accepted. */
  readonly onPassed: () => void;
}

type Kind = 'totp' | 'passkey';

export function StepUp({ opened, onClose, subjectId, title, children, onPassed }: StepUpProps) {
  const [kind, setKind] = useState<Kind>('totp');
  const [code, setCode] = useState('');
  const give = useAction(() => (kind === 'totp' ? giveCode(subjectId, code) : givePasskey(subjectId)), {
    quiet: true,
    onDone: () => {
      setCode('');
      onPassed();
    },
  });
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!give.isPending) give.mutate();
        }}
      >
        {children}
        <SegmentedControl
          aria-label="Second factor"
          value={kind}
          onChange={(value) => setKind(value as Kind)}
          data={[
            { value: 'totp', label: 'Authenticator code' },
            { value: 'passkey', label: 'Passkey' },
          ]}
        />
        {kind === 'totp' && (
          <TextInput
            label="Code of your authenticator"
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            required
            data-autofocus
          />
        )}
        {give.error !== null && <Failure error={give.error} />}
        <div className={styles.buttons}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={give.isPending}>
            {kind === 'totp' ? 'Confirm with code' : 'Confirm with passkey'}
          </Button>
        </div>
      </form>
    </Modal>
  );
}

function giveCode(subjectId: string, code: string) {
  const factor = { kind: 'totp', code: code.replaceAll(' ', '') } as const;
  return post('/step-ups', { body: { subject_id: subjectId, factor } });
}

async function givePasskey(subjectId: string) {
  const body = { subject_id: subjectId };
  const { options } = await post('/step-ups/passkey-options', { body });
  const answer = await askForPasskey(options);
  return post('/step-ups', { body: { ...body, factor: { kind: 'passkey', answer } } });
}
