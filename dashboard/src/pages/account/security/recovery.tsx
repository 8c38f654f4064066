// The recovery codes of the person: the number of unused codes, and the action that creates new codes. New codes are shown only
// once.
import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { ListSecondFactorsAnswer } from '../../../api/console-types.ts';
import { useRefresh } from '../../../api/query.ts';
import { ConfirmDialog } from '../../../components/dialogs.tsx';
import { State } from '../../../components/values.tsx';
import { RecoveryCodes } from '../../sign-in/factors/set-up.tsx';
import { FACTORS, FactorRow, useWithStepUp } from './factor-row.tsx';
import styles from './security.module.css';

const FEW = 3;

export function RecoverySection({ recovery_codes_left: left }: ListSecondFactorsAnswer) {
  const [asking, setAsking] = useState(false);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { attempt, busy, dialog } = useWithStepUp();
  const refresh = useRefresh();
  const make = () =>
    attempt('Generate recovery codes', async () => {
      const made = await post('/second-factors/recovery-codes');
      setCodes(made.recovery_codes);
      await refresh(FACTORS);
    });
  return (
    <FactorRow
      title="Recovery codes"
      state={
        <State
          state={left <= FEW ? 'open' : 'active'}
          label={left === 1 ? '1 code left' : `${left} codes left`}
        />
      }
      text="If you lose your second factor, sign in with one of these codes. Each works once."
      action={
        <Button variant="default" loading={busy} onClick={() => setAsking(true)}>
          Generate new codes
        </Button>
      }
    >
      <ConfirmDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title="Generate new recovery codes"
        confirm="Generate new codes"
        onConfirm={() => {
          setAsking(false);
          void make();
        }}
      >
        <p>You get ten new codes, shown once. Your current codes stop working.</p>
      </ConfirmDialog>
      {dialog}
      <Modal
        opened={codes !== null}
        onClose={() => undefined}
        title="New recovery codes"
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        <div className={`column flush ${styles.form}`}>
          <RecoveryCodes codes={codes ?? []} onStored={() => setCodes(null)} />
        </div>
      </Modal>
    </FactorRow>
  );
}
