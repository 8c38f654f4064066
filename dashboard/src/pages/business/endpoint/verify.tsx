// How a program verifies that a webhook is genuine: the lines to copy, for the two ways to sign.
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../api/console-types.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { Section } from '../../../components/page.tsx';

const SDK = `import { verifyWebhook } from '@sliproad/sdk';

const event = await verifyWebhook({
  payload: await request.text(), // as it arrived, not parsed
  headers: request.headers,
  secret: process.env.WEBHOOK_SECRET,
}); // throws when it is not genuine`;

const STANDARD = `import { Webhook } from 'standardwebhooks';

const event = new Webhook(process.env.WEBHOOK_SECRET)
  .verify(rawBody, headers); // throws when it is not genuine`;

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
    <Section title="Verify the signature">
      <div className="column flush">
        <SegmentedControl
          aria-label="Way to verify"
          size="xs"
          value={way}
          onChange={(value) => setWay(value as Way)}
          data={[
            { value: 'sdk', label: 'SDK' },
            { value: 'standard', label: 'Standard Webhooks' },
            { value: 'hand', label: 'By hand' },
          ]}
        />
        <CodeBlock code={code} title={TITLES[way]} label="the lines that verify a webhook" />
        <p className="quiet">
          Answer with 2xx within 15 seconds, and handle a repeated webhook-id once. The secret was shown when
          the endpoint was added; rotate it if it is lost.
        </p>
      </div>
    </Section>
  );
}
