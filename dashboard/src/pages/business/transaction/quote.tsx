// The quote that a transaction was made with: its rate, and where that came from.
import type { Quote } from '../../../api/console-types.ts';
import { useBusinessPlace } from '../../../frame/place.ts';
import { digits } from '../../../parts/format.ts';
import { Id } from '../../../parts/id.tsx';
import { TextLink } from '../../../parts/link.tsx';
import { Failure } from '../../../parts/message.tsx';
import { Facts, Loading, Section } from '../../../parts/page.tsx';
import { Time } from '../../../parts/time.tsx';
import { rateText } from '../../rates/words.ts';
import { useQuote } from '../rates/data.ts';

/** `quoteId` empty: it was made without one. */
export function QuoteFacts({ quoteId }: { readonly quoteId: string }) {
  const place = useBusinessPlace();
  const { data, error, refetch } = useQuote(place, quoteId);
  if (quoteId === '') return null;
  return (
    <Section
      title="Quote"
      actions={<TextLink to={`${place.base}/rates?quote=${quoteId}`}>Open the quote</TextLink>}
    >
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading lines={3} />
      ) : (
        <Facts facts={factsOf(data.quote)} />
      )}
    </Section>
  );
}

function factsOf({ quote_id: id, amount, currency, rate, sources, created_at: at }: Quote) {
  const converted = currency !== 'NGN';
  return [
    { label: 'Quote', value: <Id value={id} label="quote id" /> },
    converted && { label: 'Asked for', value: `${digits(amount)} ${currency}` },
    { label: 'Rate', value: converted ? `1 ${currency} = ${rateText(rate)}` : 'One token is one naira' },
    converted && {
      label: 'Sources',
      value: sources.map((each) => `${each.name} ${rateText(each.rate)}`).join(', '),
    },
    { label: 'Made', value: <Time at={at} /> },
  ];
}
