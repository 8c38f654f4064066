// The layout of a page: its title, its actions, its sections, and the texts for empty pages and failures. Cards only group
// content. They have one border and no shadow.
import { Button, Skeleton } from '@mantine/core';
import { type ReactNode, useEffect, useId } from 'react';
import { failureOf } from '../api/failure.ts';
import { Icon, type IconName } from './icon.tsx';
import { AppLink } from './link.tsx';
import styles from './page.module.css';
import { Id } from './values.tsx';

interface PageProps {
  readonly title: string;
  readonly heading?: ReactNode;
  readonly state?: ReactNode;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly back?: { readonly to: string; readonly label: string };
  readonly children: ReactNode;
}

export function Page({ title, heading, state, lead, actions, back, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Sliproad`;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div className={styles.titles}>
          {back !== undefined && (
            <AppLink to={back.to} className={styles.back}>
              <span className={styles.turned}>
                <Icon name="chevron" size={14} />
              </span>
              {back.label}
            </AppLink>
          )}
          <h1 className={styles.title}>
            {state === undefined ? (
              (heading ?? title)
            ) : (
              <span className={styles.heading}>
                {heading ?? title} {state}
              </span>
            )}
          </h1>
          {lead !== undefined && <p className={styles.lead}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps {
  readonly title?: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly bare?: boolean;
  readonly children: ReactNode;
}

export function Section({ title, lead, actions, bare = false, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={title === undefined ? undefined : id}>
      {(title !== undefined || actions !== undefined) && (
        <div className={styles.sectionHead}>
          <div>
            {title !== undefined && (
              <h2 id={id} className={styles.sectionTitle}>
                {title}
              </h2>
            )}
            {lead !== undefined && <p className={styles.lead}>{lead}</p>}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      <div className={bare ? undefined : 'card'}>{children}</div>
    </section>
  );
}

export function Columns({ children }: { readonly children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

export function Facts({ facts }: { readonly facts: readonly (Fact | false | null | undefined)[] }) {
  return (
    <dl className="lines" data-gap="small">
      {facts
        .filter((each) => each !== false && each !== null && each !== undefined)
        .map(({ label, value }) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{value ?? <span className="quiet">—</span>}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Loading({
  lines = 4,
  label = 'Loading',
}: {
  readonly lines?: number;
  readonly label?: string;
}) {
  return (
    <div role="status" aria-label={label} className={styles.loading}>
      {[...Array(lines).keys()].map((index) => (
        <Skeleton key={index} height={16} width={`${92 - ((index * 17) % 40)}%`} />
      ))}
    </div>
  );
}

interface EmptyProps {
  readonly icon?: IconName;
  readonly title: string;
  /** How to make content appear on the page. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function Empty({ icon = 'list', title, children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.icon}>
        <Icon name={icon} size={24} />
      </span>
      <p className={styles.messageTitle}>{title}</p>
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}

interface FailureProps {
  readonly error: unknown;
  /** The consequence of the failure for the money or for the work of the person. */
  readonly meaning?: string;
  readonly retry?: () => void;
}

export function Failure({ error, meaning, retry }: FailureProps) {
  const { message, requestId, isTransient } = failureOf(error);
  return (
    <div className={styles.failure} role="alert">
      <Icon name="warning" size={20} />
      <div>
        <p className={styles.messageTitle}>{message}</p>
        <p className={styles.text}>
          {meaning ?? (isTransient ? 'Nothing was changed. Try again in a moment.' : 'Nothing was changed.')}
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

export function Notice({ tone = 'info', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'failed' ? 'alert' : 'note'}>
      <Icon name={tone === 'info' ? 'info' : tone === 'completed' ? 'check' : 'warning'} />
      <div>{children}</div>
    </div>
  );
}
