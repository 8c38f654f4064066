// What a decision will do: its effects as sentences, and the postings it writes to the ledger, debit and credit side by side.
import type { Preview, PreviewPosting } from '../../../api/console-types.ts';
import { Money, TokenAmount } from '../../../parts/amount.tsx';
import { words } from '../../../parts/format.ts';
import { Icon } from '../../../parts/icon.tsx';
import styles from './preview.module.css';

export function PreviewView({ preview }: { readonly preview: Preview }) {
  return (
    <div className={styles.preview}>
      {preview.effects.length > 0 && (
        <ul className={styles.effects}>
          {preview.effects.map(({ text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two effects may read the same
            <li key={index}>
              <Icon name="check" size={14} />
              {text}
            </li>
          ))}
        </ul>
      )}
      {preview.entries.length === 0 ? (
        <p className="quiet">Nothing is posted to the ledger.</p>
      ) : (
        <PostingTable preview={preview} />
      )}
    </div>
  );
}

function PostingTable({ preview }: { readonly preview: Preview }) {
  return (
    <table className={styles.postings}>
      <caption className={styles.caption}>Posted to the ledger</caption>
      <thead>
        <tr>
          <th scope="col">Account</th>
          <th scope="col">Debit</th>
          <th scope="col">Credit</th>
        </tr>
      </thead>
      {preview.entries.map(({ event, record_id, postings }) => (
        <tbody key={`${event} ${record_id}`}>
          <tr className={styles.event}>
            <th scope="rowgroup" colSpan={3}>
              {words(event)}
            </th>
          </tr>
          {postings.map((posting) => (
            <tr key={posting.account}>
              <td>
                <span className={styles.account}>{words(posting.name)}</span>
                <span className={styles.meaning}>{posting.meaning}</span>
              </td>
              <td>{posting.side === 'debit' && <Amount posting={posting} />}</td>
              <td>{posting.side === 'credit' && <Amount posting={posting} />}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  );
}

function Amount({ posting: { amount, asset, network } }: { readonly posting: PreviewPosting }) {
  if (amount === null) return <span className="quiet">not known</span>;
  return network === null ? <Money amount={amount} /> : <TokenAmount amount={amount} asset={asset} />;
}
