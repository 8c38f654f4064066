// A form of the pages before the sign-in: sent once at a time, its refusal beside it, and the keyboard back in its first field.
import { Button } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { useAction } from '../../api/query.ts';
import styles from './layout.module.css';
import { Refusal } from './refusal.tsx';

interface EntryFormProps {
  /** A verb with its object. */
  readonly submit: string;
  readonly run: () => Promise<unknown>;
  readonly children: ReactNode;
  /** Below the button. */
  readonly below?: ReactNode;
  /** Said before anything was sent. */
  readonly problem?: string | null;
}

export function EntryForm({ submit, run, children, below, problem = null }: EntryFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const action = useAction(run, { quiet: true });
  const send = () =>
    action.mutate(undefined, {
      onError: () =>
        form.current?.querySelector<HTMLInputElement>('input:not([type=radio], [readonly])')?.select(),
    });
  return (
    <form
      ref={form}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!action.isPending) send();
      }}
    >
      {children}
      {action.error !== null ? (
        <Refusal error={action.error} />
      ) : (
        problem !== null && <Refusal error={new Error(problem)} />
      )}
      <Button type="submit" size="md" fullWidth loading={action.isPending}>
        {submit}
      </Button>
      {below}
    </form>
  );
}
