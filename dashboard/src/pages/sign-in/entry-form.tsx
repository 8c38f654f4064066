// A form of the pages before the sign-in: sent once at a time, its refusal beside it, and the keyboard back in its first field.
import { Button, PasswordInput } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { failureOf } from '../../api/failure.ts';
import { useAction } from '../../api/query.ts';
import { Notice } from '../../parts/page.tsx';
import { Id } from '../../parts/values.tsx';
import styles from './layout.module.css';

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

export function Refusal({ error }: { readonly error: unknown }) {
  const { message, requestId, status } = failureOf(error);
  return (
    <Notice tone="failed">
      {message}
      {status >= 500 && requestId !== null && (
        <>
          <br />
          Request <Id value={requestId} label="request id" keep={false} />
        </>
      )}
    </Notice>
  );
}

interface NewPasswordProps {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly label?: string;
  readonly size?: 'sm' | 'md';
}

export function NewPassword({ value, onValue, label = 'Password', size = 'md' }: NewPasswordProps) {
  return (
    <PasswordInput
      size={size}
      label={label}
      description="At least 12 characters. A few words in a row are easy to remember."
      value={value}
      onChange={(event) => onValue(event.currentTarget.value)}
      autoComplete="new-password"
      minLength={12}
      maxLength={128}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the new password' }}
      required
      withAsterisk={false}
    />
  );
}
