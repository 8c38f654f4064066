// Every member may leave; a business keeps at least one owner.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { post } from '../../../api/calls.ts';
import { queryClient } from '../../../api/query.ts';
import { readSession, SESSION_KEY } from '../../../api/session.ts';
import { useBusinessPlace } from '../../../frame/place.ts';
import { FormDialog } from '../../../parts/dialogs.tsx';
import { useGo } from '../../../parts/link.tsx';

export function Leave({ name }: { readonly name: string }) {
  const { params } = useBusinessPlace();
  const go = useGo();
  const [asking, setAsking] = useState(false);
  const leave = async () => {
    await post('/businesses/{business_id}/leave', { params });
    return readSession();
  };
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        Leave business
      </Button>
      <FormDialog
        opened={asking}
        onClose={() => setAsking(false)}
        title={`Leave ${name}`}
        confirm="Leave business"
        danger
        run={leave}
        done={`You have left ${name}.`}
        onDone={(session) => {
          queryClient.setQueryData(SESSION_KEY, session);
          go('/app');
        }}
      >
        <p>You see nothing of {name} any more. Only an owner can invite you again.</p>
      </FormDialog>
    </>
  );
}
