// The form of the pages before the sign-in and of the security page. It sends one request at a time and shows a refusal of the
// service. On a page of its own, the form moves the focus to its first field after a refusal.
import { Button } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { failureOf } from '../../api/failure.ts';
import { type ActionOptions, useAction } from '../../api/query.ts';
import { Notice } from '../../components/page.tsx';
import { Id } from '../../components/values.tsx';
import styles from './layout.module.css';

interface EntryFormProps<Answer> extends Omit<ActionOptions<void, Answer>, 'quiet'> {
  readonly submit: string;
  readonly run: () => Promise<Answer>;
  readonly children: ReactNode;
  readonly below?: ReactNode;
  readonly problem?: string | null;
  /** Set if the form is part of a page or a dialog of the dashboard. By default the form is a page of its own. */
  readonly within?: 'page' | 'dialog';
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
