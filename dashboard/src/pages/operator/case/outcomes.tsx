// The possible outcomes of a case. Each has its meaning, or the reason why it is not possible now.
import { Section } from '../../../components/page.tsx';
import type { CaseKind } from '../cases/data.ts';
import { type ActionName, actionLabel, type Review, withShortIds } from '../decisions/labels.ts';
import styles from '../operator.module.css';
import { ActionButton } from '../record/actions.tsx';
import { CannotPropose, useMay } from '../rules.tsx';

const MEANS: Partial<Readonly<Record<ActionName, string>>> = {
  pay_again:
    'Pays the naira to the account that you enter, as a new payout. The service first asks the bank for the account name.',
  refund: 'Returns the tokens to the refund wallet of the business. The sell ends as refunded.',
  write_off: 'We keep the naira, because their owner cannot be found.',
  recovered: 'The money came back: choose the bank account that received it.',
  accepted: 'The money will not come back. It is posted as a loss.',
  counted: 'The bank paid after all: this counts as the payout, and nothing more is owed.',
  explained: 'The cause is known. Nothing is booked; the reason is kept with the decision.',
};
const REPORT_COUNTED =
  'The money arrived, but the source of the account missed it. It becomes a bank credit and is matched as usual.';

const REVERSAL_COUNTED =
  'The money left the account again. It is booked as a reversal, with a loss if its value was already delivered.';

function meaningOf(action: ActionName, kind: CaseKind): string | undefined {
  if (action !== 'counted') return MEANS[action];
  if (kind === 'credit_not_found') return REVERSAL_COUNTED;
  return kind === 'report_left_over' ? REPORT_COUNTED : MEANS[action];
}

export function Outcomes({ review, kind }: { readonly review: Review; readonly kind: CaseKind }) {
  const { actions, subject } = review;
  const mayPropose = useMay('propose');
  const sorted = actions.toSorted((a, b) => Number(a.obstacle !== null) - Number(b.obstacle !== null));
  return (
    <Section
      title="Possible outcomes"
      lead="You see the postings before you propose. Another person approves."
    >
      {!mayPropose && <CannotPropose className={styles.caseNote} />}
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
              <span className={styles.notNow}>Not available now</span>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
