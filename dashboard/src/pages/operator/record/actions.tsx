// The actions on a record: the buttons, and the reasons why some buttons are disabled. Each button opens the dialog of its
// action.
import { Button } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../components/page.tsx';
import { type ActionName, actionLabel, type Review, withShortIds } from '../decisions/labels.ts';
import { CannotPropose, useMay } from '../rules.tsx';
import { ActionDialog } from './action-dialog.tsx';
import styles from './record.module.css';

export function Actions({ review }: { readonly review: Review }) {
  const { actions, subject } = review;
  const mayPropose = useMay('propose');
  const possible = actions.filter(({ obstacle }) => obstacle === null);
  const blocked = actions.filter(({ obstacle }) => obstacle !== null);
  if (actions.length === 0) return null;
  return (
    <Section title="Actions" lead="Another person must approve every action except a rejection.">
      {!mayPropose && <CannotPropose className="quiet" />}
      {mayPropose && possible.length === 0 && <p style={{ margin: 0 }}>No actions are available now.</p>}
      {mayPropose && (
        <div className="row at-end">
          {possible.map(({ action }) => (
            <ActionButton
              key={action}
              review={review}
              action={action}
              labelOf={(posts) => actionLabel(action, subject, posts)}
              quiet={action !== 'release'}
            />
          ))}
        </div>
      )}
      {blocked.length > 0 && (
        <ul className={styles.obstacles}>
          {blocked.map(({ action, obstacle }) => (
            <li key={action}>
              {actionLabel(action, subject, null)}: {withShortIds(obstacle ?? '')}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

interface ActionButtonProps {
  readonly review: Review;
  readonly action: ActionName;
  readonly labelOf: (posts: string | null) => string;
  readonly transactionId?: string;
  readonly quiet?: boolean;
}

export function ActionButton({ review, action, labelOf, transactionId, quiet = false }: ActionButtonProps) {
  const [opened, setOpened] = useState(false);
  const mayPropose = useMay('propose');
  const found = review.actions.find((each) => each.action === action);
  if (!mayPropose || found === undefined) return null;
  return (
    <>
      <Button onClick={() => setOpened(true)} variant={quiet ? 'default' : 'filled'}>
        {labelOf(found.amount)}
      </Button>
      {opened && (
        <ActionDialog
          review={review}
          action={found}
          labelOf={labelOf}
          {...(transactionId !== undefined && { transactionId })}
          onClose={() => setOpened(false)}
        />
      )}
    </>
  );
}
