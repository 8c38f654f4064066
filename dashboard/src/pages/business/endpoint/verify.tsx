// Code examples that verify a webhook. There are two kinds of signatures, and each has its own example.
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../api/console-types.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Section } from '../../../components/page.tsx';

const SDK = `import { verifyWebhook } from '@sliproad/sdk';

const event = await verifyWebhook({
  payload: await request.text(), // the raw body, not parsed
  headers: request.headers,
  secret: process.env.WEBHOOK_SECRET,
}); // throws if the signature is not valid`;

const STANDARD = `import { Webhook } from 'standardwebhooks';

const event = new Webhook(process.env.WEBHOOK_SECRET)
  .verify(rawBody, headers); // throws if the signature is not valid`;

const BY_HAND = (publicKey: string) => `signed  = webhook-id "." webhook-timestamp "." body
v1      = base64(HMAC-SHA256(secret, signed))
v1a     = ed25519(signed), public key:
          ${publicKey}`;

type Way = 'sdk' | 'standard' | 'hand';

const TITLES: Readonly<Record<Way, string>> = {
  sdk: 'With @sliproad/sdk',
  standard: 'With a Standard Webhooks library',
  hand: 'In any language',
};

export function Verify({ endpoint }: { readonly endpoint: WebhookEndpoint }) {
  const [way, setWay] = useState<Way>('sdk');
  const code = { sdk: SDK, standard: STANDARD, hand: BY_HAND(endpoint.public_key) }[way];
  return (
    <Section title="Verify signatures">
      <div className="column flush">
        <SegmentedControl
          aria-label="Verification method"
          size="xs"
          value={way}
          onChange={(value) => setWay(value as Way)}
          data={[
            { value: 'sdk', label: 'SDK' },
            { value: 'standard', label: 'Standard Webhooks' },
            { value: 'hand', label: 'Manual' },
          ]}
        />
        <CodeBlock code={code} title={TITLES[way]} label="verification code" />
        <p className="quiet">
          Respond with 2xx within 15 seconds, and process each webhook-id once. The secret was shown when you
          added the endpoint; rotate it if you lost it.
        </p>
      </div>
    </Section>
  );
}
