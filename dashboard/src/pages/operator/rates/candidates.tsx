// The numbers of all sources side by side: which were used, and of each other one the sentence why it was not.
import type { RateCandidate } from '../../../api/console-types.ts';
import { Empty } from '../../../parts/page.tsx';
import { Ago, State } from '../../../parts/values.tsx';
import { rateText, verdictOf } from '../../rates/words.ts';
import styles from './rates.module.css';

interface CandidatesProps {
  readonly candidates: readonly RateCandidate[];
  /** Sources of the product; those without a number are named, too. */
  readonly sources?: readonly string[];
}

export function Candidates({ candidates, sources = [] }: CandidatesProps) {
  const silent = sources.filter((name) => candidates.every(({ source }) => source !== name));
  if (candidates.length === 0)
    return (
      <Empty icon="rates" title="No source has reported this currency">
        Set a desk price, or look at the sources below.
      </Empty>
    );
  return (
    <ul className={styles.candidates}>
      {candidates.map((each) => (
        <li key={each.source} className={styles.candidate} data-used={each.verdict === 'used' || undefined}>
          <span className={styles.candidateHead}>
            <strong>{each.source}</strong>
            <State state={each.verdict} {...verdictOf(each.verdict)} />
          </span>
          <span className={styles.candidateValue}>{rateText(each.value)}</span>
          <span className="quiet">
            <Ago at={each.as_of} />
            {each.crossed && ', crossed through USD'}
          </span>
          <span>{each.why}</span>
        </li>
      ))}
      {silent.map((name) => (
        <li key={name} className={styles.candidate}>
          <span className={styles.candidateHead}>
            <strong>{name}</strong>
            <State state="silent" tone="waiting" label="No number" />
          </span>
          <span className="quiet">
            {name === 'desk' ? 'No price is set that still holds.' : 'It has reported none.'}
          </span>
        </li>
      ))}
    </ul>
  );
}
