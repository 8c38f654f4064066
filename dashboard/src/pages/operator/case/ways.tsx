// The ways a case can end: what each means, and why one cannot be taken now.
import { Section } from '../../../components/page.tsx';
import type { CaseKind } from '../cases/data.ts';
import { type ActionName, actionLabel, type Review, withShortIds } from '../decisions/labels.ts';
import styles from '../operator.module.css';
import { ActionButton } from '../record/actions.tsx';
import { useMay } from '../rules.tsx';

const MEANS: Partial<Readonly<Record<ActionName, string>>> = {
  pay_again:
    'The naira go to the account that you name, as a new payout. The bank is asked for the name on it before.',
  refund: 'The tokens go back to the wallet that the business named for refunds. The sell ends as refunded.',
  write_off: 'The naira stay with us, because their owner cannot be found.',
  recovered: 'The money came back to us: name the bank account of ours that it came into.',
  accepted: 'The money does not come back. It is posted as a loss.',
  counted: 'The bank has paid it after all: that is the payout, and nothing is owed any more.',
  explained: 'People know what it is. Nothing is booked; the reason stays with the decision.',
};
const REPORT_COUNTED =
  'The money came in, and the source of the account missed it. It becomes a bank credit, and is matched like any other.';

const REVERSAL_COUNTED =
  'The money left the account again. It is booked as taken back, with a loss where its value was given already.';

function meaningOf(action: ActionName, kind: CaseKind): string | undefined {
  if (action !== 'counted') return MEANS[action];
  if (kind === 'credit_not_found') return REVERSAL_COUNTED;
  return kind === 'report_left_over' ? REPORT_COUNTED : MEANS[action];
}

export function Ways({ review, kind }: { readonly review: Review; readonly kind: CaseKind }) {
  const { actions, subject } = review;
  const mayPropose = useMay('propose');
  // What can be done stands first.
  const sorted = actions.toSorted((a, b) => Number(a.obstacle !== null) - Number(b.obstacle !== null));
  return (
    <Section title="How it can end" lead="You see the postings before you propose. Another person approves.">
      {!mayPropose && (
        <p className={styles.caseNote}>Your role reads and decides; a reviewer or an admin proposes.</p>
      )}
      <ul className="lines">
        {sorted.map(({ action, amount, obstacle }, index) => (
          <li key={action} className={styles.way}>
            <div className={styles.wayText}>
              <span className={styles.wayName}>{actionLabel(action, subject, amount)}</span>
              <span className="quiet">
                {obstacle === null ? meaningOf(action, kind) : withShortIds(obstacle)}
              </span>
            </div>
            {obstacle === null ? (
              <ActionButton
                review={review}
                action={action}
                labelOf={(posts) => actionLabel(action, subject, posts)}
                quiet={index > 0}
              />
            ) : (
              <span className={styles.notNow}>Not possible now</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
