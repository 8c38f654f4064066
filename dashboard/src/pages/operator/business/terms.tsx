// The limits and fees of a business, and the actions that change them. In live mode another person must approve a change.
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Business, Fee } from '../../../api/console-types.ts';
import { naira, words } from '../../../components/format.ts';
import { Facts, Section } from '../../../components/page.tsx';
import { feeText } from '../businesses/data.ts';
import { useMay } from '../rules.tsx';
import { FeeDialog, LimitsDialog } from './dialogs.tsx';

interface TermsProps {
  readonly business: Business;
  readonly mode: 'test' | 'live';
}

export function Terms({ business, mode }: TermsProps) {
  const { limits, fees } = business;
  const [editing, setEditing] = useState<'limits' | Fee | null>(null);
  const may = useMay('propose');
  const amount = (value: string | null) => (value === null ? 'None' : naira(value));
  const close = () => setEditing(null);
  return (
    <>
      <Section
        title="Limits"
        lead={limits.own ? 'Set for this business.' : 'Default limits.'}
        actions={
          may && (
            <Button size="xs" variant="default" onClick={() => setEditing('limits')}>
              Change limits
            </Button>
          )
        }
      >
        <Facts
          facts={[
            { label: 'Per transaction', value: amount(limits.per_transaction) },
            { label: 'Per day', value: amount(limits.per_day) },
            { label: 'Per month', value: amount(limits.per_month) },
          ]}
        />
      </Section>
      <Section title="Fees" lead="Current terms. Changes apply to transactions accepted afterwards.">
        <Facts
          facts={fees.map((fee) => ({
            label: `${words(fee.product)}${fee.own ? '' : ' (default)'}`,
            value: (
              <>
                {feeText(fee)}{' '}
                {may && (
                  <Button size="compact-xs" variant="subtle" onClick={() => setEditing(fee)}>
                    Change {fee.product} fee
                  </Button>
                )}
              </>
            ),
          }))}
        />
      </Section>
      {editing === 'limits' && <LimitsDialog business={business} mode={mode} onClose={close} />}
      {editing !== null && editing !== 'limits' && (
        <FeeDialog business={business} mode={mode} now={editing} onClose={close} />
      )}
    </>
  );
}
