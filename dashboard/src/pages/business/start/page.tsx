// Guides a new business to its first buy in five minutes. The page has four steps with prepared code examples, and shows the
// buy as soon as it arrives.
import { Button, SegmentedControl } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { GetBusinessAnswer, GetFirstBuyAnswer } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { useGo } from '../../../components/link.tsx';
import { Empty, Facts, Failure, Loading, Notice, Page, Section } from '../../../components/page.tsx';
import { Id } from '../../../components/values.tsx';
import { type BusinessLocation, useBusinessLocation, useBusinessRole } from '../../../layout/location.ts';
import { listPath, useLiveTransactions, useTinted } from '../transactions/data.ts';
import { TransactionTable } from '../transactions/page.tsx';
import { buyLines, type FirstBuy, KEY_LINE, payLines, sdkLines } from './snippets.ts';

const AMOUNT = 15_000;
const NEWEST = 3;

function firstBuyOf(
  facts: GetBusinessAnswer | undefined,
  answer: GetFirstBuyAnswer | undefined,
): FirstBuy | null | undefined {
  if (facts === undefined || answer === undefined) return undefined;
  const { example, vendors } = answer;
  const [vendor] = vendors;
  if (example === null || vendor === undefined) return null;
  const { wallets, network: preferred, ...payer } = example;
  const network = wallets[preferred] === undefined ? Object.keys(wallets)[0] : preferred;
  if (network === undefined) return null;
  return {
    ...{ baseUrl: window.location.origin, businessId: facts.business_id, linkTag: facts.link_tag },
    ...{ vendor, payer, network, walletAddress: wallets[network]!, amount: AMOUNT },
  };
}

export default function StartPage() {
  const location = useBusinessLocation();
  const facts = useRead('/businesses/{business_id}', { params: location.params });
  const answer = useRead('/businesses/{business_id}/first-buy/{mode}', { params: location.params });
  const first = firstBuyOf(facts.data, answer.data);
  const error = facts.error ?? answer.error;
  return (
    <Page
      title="First buy in five minutes"
      lead="Every command is filled in for your business. Paste them into a terminal in order."
    >
      {error !== null && first === undefined ? (
        <Failure error={error} retry={() => void Promise.all([facts.refetch(), answer.refetch()])} />
      ) : location.mode === 'live' ? (
        <Live location={location} facts={facts.data} />
      ) : first === null ? (
        <Notice tone="person">Test mode has no vendor or network yet. Contact the operator.</Notice>
      ) : (
        <Steps location={location} first={first} />
      )}
    </Page>
  );
}

function Steps({
  location,
  first,
}: {
  readonly location: BusinessLocation;
  readonly first: FirstBuy | undefined;
}) {
  const [how, setHow] = useState<'curl' | 'sdk'>('curl');
  const lines = (make: (from: FirstBuy) => string, label: string): ReactNode =>
    first === undefined ? (
      <Loading lines={6} />
    ) : (
      <CodeBlock title={how === 'curl' ? 'Terminal' : 'first-buy.mjs'} code={make(first)} label={label} />
    );
  return (
    <>
      <SegmentedControl
        style={{ alignSelf: 'flex-start' }}
        aria-label="API client"
        value={how}
        onChange={(value) => setHow(value as 'curl' | 'sdk')}
        data={[
          { value: 'curl', label: 'curl' },
          { value: 'sdk', label: 'JavaScript SDK' },
        ]}
      />
      <KeyStep location={location} />
      {how === 'curl' ? (
        <>
          <Section
            bare
            title="2. Create a buy"
            lead="The customer pays ₦15,000.00 into the vendor’s account and receives tokens."
          >
            {lines(buyLines, 'buy')}
          </Section>
          <Section
            bare
            title="3. Simulate the payment"
            lead="A buy proceeds when the bank reports the payment. In test mode, you are the bank."
          >
            {lines(payLines, 'payment')}
          </Section>
        </>
      ) : (
        <Section
          bare
          title="2. Create and pay a buy"
          lead="Save it as first-buy.mjs and run: npm install @sliproad/sdk && node first-buy.mjs"
        >
          {lines(sdkLines, 'program')}
        </Section>
      )}
      <Watch location={location} step={how === 'curl' ? 4 : 3} />
    </>
  );
}

function KeyStep({ location: { base } }: { readonly location: BusinessLocation }) {
  const go = useGo();
  const role = useBusinessRole();
  return (
    <Section
      bare
      title="1. Your secret key"
      lead="A key is shown once, on creation. Replace sk_test_… with it. It stays in your terminal; this page never sees it."
      actions={
        role === 'viewer' ? undefined : (
          <Button variant="default" size="xs" onClick={() => go(`${base}/keys`)}>
            Create test key
          </Button>
        )
      }
    >
      <CodeBlock title="Terminal" code={KEY_LINE} label="key command" />
    </Section>
  );
}

function Watch({ location, step }: { readonly location: BusinessLocation; readonly step: number }) {
  const [tinted, tint] = useTinted();
  useLiveTransactions(location, [listPath(location)], tint);
  return (
    <Section
      title={`${step}. Watch it complete`}
      lead="Your buy appears here immediately and updates with each step."
      bare
    >
      <TransactionTable
        location={location}
        query={{ limit: NEWEST }}
        tinted={tinted}
        oneOnly
        empty={
          <Empty icon="rocket" title="Your first buy will appear here">
            Run the commands above. The page updates by itself.
          </Empty>
        }
      />
    </Section>
  );
}

function Live({
  location,
  facts,
}: {
  readonly location: BusinessLocation;
  readonly facts: GetBusinessAnswer | undefined;
}) {
  const go = useGo();
  return (
    <>
      <Notice tone="info">
        This guide is for test mode. In live mode the same requests move real money: use a live key, your
        customer’s account and wallet, and a vendor from GET /transactions/v1/vendors.
      </Notice>
      <Section
        title="Your business"
        actions={
          <Button
            variant="default"
            size="xs"
            onClick={() => go(`${location.base.replace(/live$/, 'test')}/start`)}
          >
            Open test guide
          </Button>
        }
      >
        {facts === undefined ? (
          <Loading lines={3} />
        ) : (
          <Facts
            facts={[
              {
                label: 'business_id',
                value: <Id value={facts.business_id} label="business id" keep={false} />,
              },
              { label: 'link_tag', value: <Id value={facts.link_tag} label="link tag" keep={false} /> },
              {
                label: 'Base URL',
                value: <Id value={window.location.origin} label="base URL" keep={false} />,
              },
            ]}
          />
        )}
      </Section>
    </>
  );
}
