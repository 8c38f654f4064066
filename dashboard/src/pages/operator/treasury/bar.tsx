// Shows the balance of a treasury as one bar: free, reserved and in flight. The bar marks the amount below which the service
// alerts an operator.
import type { Treasury } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { TokenAmount } from '../../../components/values.tsx';
import type { Mode } from '../../../layout/location.ts';
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

/** The page does not refresh this read automatically, because every read of businesses' data creates an audit entry. */
export function useTreasuries(mode: Mode) {
  return useRead('/operator/treasury/{mode}', { params: { mode } });
}

function percentOf(part: string, whole: string): number {
  const total = digitsOf(whole);
  return total <= 0n ? 0 : Number((digitsOf(part) * 10_000n) / total) / 100;
}

function larger(a: string, b: string): string {
  return digitsOf(a) >= digitsOf(b) ? a : b;
}

function digitsOf(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}
