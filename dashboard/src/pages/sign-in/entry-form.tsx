// The form of the pages before the sign-in and of the security page. It sends one request at a time and shows its refusal. On a
// separate page, the first field gets the focus after a refusal.
import { Button } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { failureOf } from '../../api/failure.ts';
import { type ActionOptions, useAction } from '../../api/query.ts';
import { Notice } from '../../components/page.tsx';
import { Id } from '../../components/values.tsx';
import styles from './layout.module.css';

interface EntryFormProps<Answer> extends Omit<ActionOptions<void, Answer>, 'quiet'> {
  /** A verb with its object. */
  readonly submit: string;
  readonly run: () => Promise<Answer>;
  readonly children: ReactNode;
  /** Below the button. */
  readonly below?: ReactNode;
  /** A message that is shown before anything is sent. */
  readonly problem?: string | null;
  /** Set if the form is part of a page or a dialog of the dashboard. By default it is a separate page. */
  readonly within?: 'page' | 'dialog';
  /** Whether the action of the form is still in progress. */
  readonly busy?: boolean;
}

export function EntryForm<Answer>(props: EntryFormProps<Answer>) {
  const { submit, run, children, below, problem = null, within, busy = false, ...options } = props;
  const form = useRef<HTMLFormElement>(null);
  const action = useAction(run, { ...options, quiet: true });
  const isBusy = busy || action.isPending;
  const selectFirst = () =>
    form.current?.querySelector<HTMLInputElement>('input:not([type=radio], [readonly])')?.select();
  return (
    <form
      ref={form}
      className={within === undefined ? styles.form : `column flush ${styles.within}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) action.mutate(undefined, within === undefined ? { onError: selectFirst } : {});
      }}
    >
      {children}
      {action.error !== null ? (
        <Refusal error={action.error} />
      ) : (
        problem !== null && <Refusal error={new Error(problem)} />
      )}
      <Button
        type="submit"
        size={within === undefined ? 'md' : 'sm'}
        loading={isBusy}
        className={within === 'page' ? styles.narrow : undefined}
      >
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
