// The buys to which a bank credit may belong, best first. Each shows its score, the reasons as text, and the fields of both
// records side by side. Different characters are marked.
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Candidate } from '../../../api/console-types.ts';
import { differences, lagosTime, naira } from '../../../components/format.ts';
import { TextLink } from '../../../components/link.tsx';
import { Empty, Section } from '../../../components/page.tsx';
import { State } from '../../../components/values.tsx';
import { useFilters } from '../../../layout/location.ts';
import { type Review, withShortIds } from '../decisions/labels.ts';
import { ActionButton } from './actions.tsx';
import styles from './record.module.css';

const TONES = { for: 'completed', weak: 'waiting', against: 'failed' } as const;

export function Candidates({ review, base }: { readonly review: Review; readonly base: string }) {
  const { candidates } = review;
  return (
    <Section title="Possible buys" bare>
      {candidates.length === 0 && (
        <div className={`card column ${styles.candidate}`}>
          <Empty icon="review" title="No matching open buys">
            Compare it with a specific buy, refund it, or wait: a buy that is created later is matched
            automatically.
          </Empty>
        </div>
      )}
      {candidates.map((candidate) => (
        <CandidateCard key={candidate.transaction.id} candidate={candidate} review={review} base={base} />
      ))}
      <CompareWith />
    </Section>
  );
}

interface CandidateProps {
  readonly candidate: Candidate;
  readonly review: Review;
  readonly base: string;
}

function CandidateCard({ candidate, review, base }: CandidateProps) {
  const { transaction, score, reasons, obstacle } = candidate;
  const { business_name: business, amount } = transaction;
  return (
    <article className={`card column ${styles.candidate}`}>
      <header className="row" data-gap="small">
        <TextLink to={`${base}/review/${transaction.id}`}>
          Buy of {naira(amount ?? '0')}
          {typeof business === 'string' && `, ${business}`}
        </TextLink>
        <State state={transaction.state} />
        <span className={styles.score}>
          {score === null ? <span className="quiet">not scored</span> : <Score score={score} />}
        </span>
      </header>
      <ul className={styles.reasons} aria-label="Reasons">
        {reasons.map(({ code, text, speaks }) => (
          <li key={code} className={styles.reason} data-tone={TONES[speaks]}>
            <span aria-hidden>{speaks === 'for' ? '+' : speaks === 'against' ? '−' : '~'}</span>
            {text}
          </li>
        ))}
      </ul>
      <Comparison candidate={candidate} />
      <div className="row at-end">
        {obstacle === null ? (
          <ActionButton
            review={review}
            action="match"
            transactionId={transaction.id}
            labelOf={(posts) =>
              posts === null ? 'Match with this buy' : `Match ${naira(posts)} with this buy`
            }
          />
        ) : (
          <span className="quiet">{withShortIds(obstacle)}</span>
        )}
      </div>
    </article>
  );
}

function Score({ score }: { readonly score: number }) {
  return (
    <>
      <span className="quiet">Score</span> <b>{score}</b>
    </>
  );
}

function Comparison({ candidate: { fields } }: { readonly candidate: Candidate }) {
  return (
    <table className={styles.compare}>
      <caption className="only-screen-reader">Comparison of the payment and the buy</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Payment</th>
          <th scope="col">Buy</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, label, credit, claim }) => (
          <tr key={field}>
            <th scope="row">{label}</th>
            <td>{compared(field, credit, claim)}</td>
            <td>{compared(field, claim, credit)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function compared(field: string, own: string | null, other: string | null) {
  if (own === null || own === '') return <span className="quiet">none</span>;
  if (field === 'time') return lagosTime(own);
  if (field === 'amount') return <DiffText text={naira(own)} other={naira(other ?? '0')} />;
  // The text that the payer wrote is rarely the exact reference, so the page does not mark its differences.
  if (field === 'reference' || other === null || other === '') return own;
  return <DiffText text={own} other={isAlike(own, other) ? other : ''} />;
}

/** If two names differ strongly, the whole name is marked, because marks on single letters would only distract. */
function isAlike(own: string, other: string): boolean {
  const shared = differences(own, other).reduce((sum, { part, same }) => sum + (same ? part.length : 0), 0);
  return shared * 2 > Math.max(own.length, other.length);
}

function CompareWith() {
  const { filters, set } = useFilters();
  const [id, setId] = useState(filters.compare ?? '');
  return (
    <form
      className={styles.otherBuy}
      onSubmit={(event) => {
        event.preventDefault();
        set({ compare: id.trim() });
      }}
    >
      <TextInput
        label="Another buy (id)"
        placeholder="txn_…"
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
        maxLength={60}
      />
      <Button type="submit" variant="default">
        Compare
      </Button>
    </form>
  );
}

/** Marks the characters of `text` that `other` does not contain in the same order. */
function DiffText({ text, other }: { readonly text: string; readonly other: string }) {
  return (
    <span className={styles.diffText}>
      {differences(text, other).map(({ part, same }, index) =>
        same ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
          <span key={index}>{part}</span>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name
          <mark key={index} className={styles.differs}>
            {part}
          </mark>
        ),
      )}
    </span>
  );
}
