// The related records of a record: credits, deposits, movements, and the timeline of a transaction.
import { lagosTime, shortened, words } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Section } from '../../../components/page.tsx';
import { Ago, State } from '../../../components/values.tsx';
import { nounOf, type Review } from '../decisions/labels.ts';
import styles from './record.module.css';
import { SubjectAmount } from './subject-facts.tsx';

export function Related({ review, base }: { readonly review: Review; readonly base: string }) {
  const all = [...review.credits, ...review.deposits, ...review.movements];
  if (all.length === 0) return null;
  return (
    <Section title="Related records">
      <ul className="lines" data-gap="small">
        {all.map((each) => (
          <li key={each.id} className="row" data-gap="small">
            <TextLink to={`${base}/review/${each.id}`}>{words(nounOf(each))}</TextLink>
            <SubjectAmount subject={each} />
            <State state={each.state} />
            <span className={`quiet ${styles.end}`}>
              <Ago at={each.since} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function Timeline({ review: { timeline } }: { readonly review: Review }) {
  if (timeline.length === 0) return null;
  return (
    <Section title="Timeline">
      <ul className="lines" data-gap="small">
        {timeline.map(({ at, to, actor, reason }) => (
          <li key={`${at} ${to}`} className="row" data-gap="small">
            <State state={to} />
            <span>{words(reason)}</span>
            <span className={`quiet tabular ${styles.end}`}>
              {shortened(actor, 4)}, {lagosTime(at)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
