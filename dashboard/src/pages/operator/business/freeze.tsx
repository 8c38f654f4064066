// A business is frozen at once by one person; the lift takes two in live mode.
import { Button, Textarea } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import type { Business } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useSignedIn } from '../../../api/session.ts';
import { ConfirmDialog } from '../../../parts/dialogs.tsx';
import { saidOf } from './data.ts';

interface FreezeProps {
  readonly business: Business;
  readonly mode: 'test' | 'live';
}

export function FreezeAction({ business: { business_id, name, frozen }, mode }: FreezeProps) {
  const { person } = useSignedIn();
  const [opened, setOpened] = useState(false);
  const [reason, setReason] = useState('');
  const isFrozen = frozen !== null;
  const change = useAction(
    () =>
      post(isFrozen ? '/operator/settings/freezes/lift' : '/operator/settings/freezes', {
        body: { business_id, mode, reason },
      }),
    {
      refreshes: ['/operator'],
      done: saidOf,
      onDone: () => {
        setOpened(false);
        setReason('');
      },
      quiet: true,
    },
  );
  const role = person.operator_role;
  const may = role === 'admin' || role === 'reviewer' || (role === 'approver' && !isFrozen);
  if (!may) return null;
  const title = isFrozen ? 'Lift freeze' : 'Freeze business';
  return (
    <>
      <Button variant="default" onClick={() => setOpened(true)}>
        {title}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={title}
        confirm={isFrozen && mode === 'live' ? 'Propose to lift freeze' : title}
        danger={!isFrozen}
        busy={change.isPending}
        error={change.error}
        disabled={reason.trim() === ''}
        onConfirm={() => change.mutate()}
      >
        <p>
          {isFrozen
            ? `${name} may move money in ${mode} mode again. Transactions that were held stay on hold until each is released.`
            : `From now on transactions of ${name} in ${mode} mode are held for review. What is under way is not stopped.`}
        </p>
        <Textarea
          label="Reason"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          maxLength={500}
          autosize
          minRows={2}
          required
          data-autofocus
        />
      </ConfirmDialog>
    </>
  );
}
