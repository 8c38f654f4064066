// The preview of a decision. It shows the effects as sentences, and the ledger postings with debit and credit side by side. An
// incomplete proposal has a preview too.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Preview, PreviewPosting } from '../../../api/console-types.ts';
import { words } from '../../../components/format.ts';
import { Icon } from '../../../components/icon.tsx';
import { Failure, Loading } from '../../../components/page.tsx';
import { Money, TokenAmount } from '../../../components/values.tsx';
import styles from './decisions.module.css';

export function PreviewView({ preview }: { readonly preview: Preview }) {
  return (
    <div className={`flush ${styles.preview}`}>
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
        <p className="quiet">No ledger postings.</p>
      ) : (
        <PostingTable preview={preview} />
      )}
    </div>
  );
}

function PostingTable({ preview }: { readonly preview: Preview }) {
  return (
    <table className={styles.postings}>
      <caption className={styles.caption}>Ledger postings</caption>
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
  if (amount === null) return <span className="quiet">unknown</span>;
  return network === null ? <Money amount={amount} /> : <TokenAmount amount={amount} asset={asset} />;
}

/**
 * The preview for the body of a request. Null means that the body is incomplete. The last preview stays visible while a person
 * types.
 */
export function usePreview<Body>(
  body: Body | null,
  ask: (body: Body) => Promise<{ readonly preview: Preview }>,
) {
  const wanted = body === null ? null : JSON.stringify(body);
  const [asked] = useDebouncedValue(wanted, 300);
  const query = useQuery({
    queryKey: ['preview', asked],
    queryFn: () => ask(JSON.parse(asked!) as Body),
    enabled: asked !== null && body !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });
  // A person can send a proposal only while the page shows the preview for exactly its content.
  const isCurrent = wanted !== null && asked === wanted && query.isSuccess && !query.isPlaceholderData;
  return { body, data: query.data, error: query.error, isCurrent };
}

/** Reserves the space of the preview while it is loading, so that the layout does not move. */
export function PreviewPart({
  title,
  of,
}: {
  readonly title: string;
  readonly of: ReturnType<typeof usePreview>;
}) {
  const { body, data, error } = of;
  return (
    <section className={styles.part} aria-label="Preview" aria-live="polite">
      <p className={styles.partTitle}>{title}</p>
      {body === null && <p className="quiet">Fill in the fields above to see the preview.</p>}
      {body !== null && error !== null && <Failure error={error} />}
      {body !== null && error === null && data === undefined && <Loading lines={4} label="Loading preview" />}
      {body !== null && error === null && data !== undefined && <PreviewView preview={data.preview} />}
    </section>
  );
}
