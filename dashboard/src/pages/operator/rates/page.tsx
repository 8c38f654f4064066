// The rates of one mode: the rates that businesses get, the reasons for missing rates, the rate book with its inputs, the
// sources, the history, the spreads, the desk prices, and all decisions.
import { Button, Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { GetRatesAnswer } from '../../../api/console-types.ts';
import { TextLink } from '../../../components/link.tsx';
import { Failure, Notice, Page } from '../../../components/page.tsx';
import { useFilters, useOperatorLocation } from '../../../layout/location.ts';
import { RateHistory, useChosenHistory } from '../../rates/history.tsx';
import { PRODUCTS, type Product, wordsOf } from '../../rates/words.ts';
import { useMay, useRefreshOnHints } from '../rules.tsx';
import { BookTable } from './book.tsx';
import { useRateHistory, useRates } from './data.ts';
import { DecisionLog } from './decisions.tsx';
import { DeskPrices } from './desk-prices.tsx';
import { ProductCard } from './product-card.tsx';
import { SetPrices } from './set-prices.tsx';
import { Sources } from './sources.tsx';
import { Spreads } from './spreads.tsx';

export default function RatesPage() {
  const { mode } = useOperatorLocation();
  const { filters, set } = useFilters();
  const product: Product = PRODUCTS.find((each) => each === filters.product) ?? 'otc_buy';
  const { data, error, refetch } = useRates(mode);
  const chosen = useChosenHistory();
  const history = useRateHistory(mode, product, chosen.query);
  const [setting, setSetting] = useState(false);
  const maySet = useMay('propose');
  useRefreshOnHints(['rates', 'proposals'], '/operator/rates');
  const book = data?.books.find((each) => each.product === product);
  return (
    <Page
      title="Rates"
      lead={`Naira per unit of each currency, as quoted to businesses in ${mode} mode.`}
      actions={
        maySet && (
          <Button disabled={book === undefined} onClick={() => setSetting(true)}>
            Set {wordsOf(product).title} prices
          </Button>
        )
      }
    >
      {error !== null && data === undefined ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <>
          <Waiting proposals={data?.proposals ?? []} />
          <div className="cards">
            {PRODUCTS.map((each) => {
              const shown = data?.books.find((one) => one.product === each);
              return shown === undefined ? (
                <Skeleton key={each} height={112} radius={8} />
              ) : (
                <ProductCard
                  key={each}
                  book={shown}
                  chosen={each === product}
                  onChoose={() => set({ product: each })}
                />
              );
            })}
          </div>
          <BookTable book={book} product={product} />
          <Sources mode={mode} product={product} />
          <RateHistory chosen={chosen} read={history} lead="Rate before spread," />
          <Spreads mode={mode} product={product} tiers={data?.tiers ?? []} />
          <DeskPrices mode={mode} product={product} />
          <DecisionLog mode={mode} product={product} />
        </>
      )}
      {setting && book !== undefined && <SetPrices book={book} onClose={() => setSetting(false)} />}
    </Page>
  );
}

function Waiting({ proposals }: { readonly proposals: GetRatesAnswer['proposals'] }) {
  const { base } = useOperatorLocation();
  return proposals.map(({ proposal_id: id, what, why }) => (
    <Notice key={id} tone="person">
      <strong>Awaiting approval:</strong> {what}. {why}{' '}
      <TextLink to={`${base}/proposals/${id}`}>Open proposal</TextLink>
    </Notice>
  ));
}
