// What a page says when there is nothing to show, or when something went wrong.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { failureOf } from '../api/failure.ts';
import { Icon, type IconName } from './icon.tsx';
import { Id } from './id.tsx';
import styles from './message.module.css';

interface EmptyProps {
  readonly icon?: IconName;
  /** What will appear here. */
  readonly title: string;
  /** How to make it appear. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ icon = 'list', title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>
        <Icon name={icon} size={24} />
      </span>
      <p className={styles.title}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  /** What it means for the money or the work of the person. */
  readonly meaning?: string;
  readonly retry?: () => void;
}

/** What happened, what it means, what to do, and the id to ask about. */
export function Failure({ error, meaning, retry }: FailureProps) {
  const { message, requestId, passing } = failureOf(error);
  return (
    <div className={styles.failure} role="alert">
      <Icon name="warning" size={20} />
      <div>
        <p className={styles.title}>{message}</p>
        <p className={styles.text}>
          {meaning ?? (passing ? 'Nothing was changed. Try again in a moment.' : 'Nothing was changed.')}
        </p>
        {requestId !== null && (
          <p className={styles.text}>
            Request <Id value={requestId} label="request id" keep={false} />
          </p>
        )}
        {retry !== undefined && (
          <Button mt={12} size="xs" variant="default" onClick={retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

type Tone = 'info' | 'person' | 'failed' | 'completed' | 'test';

/** A note across the page. */
export function Notice({ tone = 'info', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'failed' ? 'alert' : 'note'}>
      <Icon name={tone === 'info' ? 'info' : tone === 'completed' ? 'check' : 'warning'} />
      <div>{children}</div>
    </div>
  );
}
