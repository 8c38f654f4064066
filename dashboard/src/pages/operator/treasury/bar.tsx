// What a treasury holds, as one bar: free, set aside and in flight, with the mark below which an operator is called.
import type { Treasury } from '../../../api/console-types.ts';
import { TokenAmount } from '../../../parts/amount.tsx';
import { larger, percentOf } from './data.ts';
import styles from './treasury.module.css';

const PARTS = [
  { name: 'free', label: 'Free' },
  { name: 'reserved', label: 'Reserved' },
  { name: 'in_flight', label: 'In flight' },
] as const;

export function TreasuryBar({ treasury }: { readonly treasury: Treasury }) {
  const { booked, asset, network } = treasury;
  const mark = treasury.chain?.low_mark ?? null;
  const whole = mark === null ? booked : larger(booked, mark);
  return (
    <div>
      <div
        className={styles.bar}
        role="img"
        aria-label={`${network}: free ${treasury.free}, reserved ${treasury.reserved}, in flight ${treasury.in_flight} ${asset}${mark === null ? '' : `, low mark ${mark}`}`}
      >
        {PARTS.map(({ name }) => (
          <span
            key={name}
            className={styles.part}
            data-part={name}
            style={{ width: `${percentOf(treasury[name], whole)}%` }}
          />
        ))}
        {mark !== null && (
          <span className={styles.mark} style={{ left: `${Math.min(99.5, percentOf(mark, whole))}%` }} />
        )}
      </div>
      <dl className={styles.legend}>
        {PARTS.map(({ name, label }) => (
          <div key={name}>
            <dt>
              <span className={styles.swatch} data-part={name} aria-hidden />
              {label}
            </dt>
            <dd>
              <TokenAmount amount={treasury[name]} asset={asset} />
            </dd>
          </div>
        ))}
        {mark !== null && (
          <div>
            <dt>
              <span className={styles.swatch} data-part="mark" aria-hidden />
              Low mark
            </dt>
            <dd>
              <TokenAmount amount={mark} asset={asset} />
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}
