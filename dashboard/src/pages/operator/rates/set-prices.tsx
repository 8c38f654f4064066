// Sets desk prices. While a person types a price, the dialog shows how much it deviates from the last value, and whether a
// second person must approve it.
import { Button, NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { put } from '../../../api/calls.ts';
import type { RateBook } from '../../../api/console-types.ts';
import { failureOf } from '../../../api/failure.ts';
import { FormDialog } from '../../../components/dialogs.tsx';
import { digits } from '../../../components/format.ts';
import { Notice } from '../../../components/page.tsx';
import { type Mode, useOperatorLocation } from '../../../layout/location.ts';
import { CURRENCIES, deviationBps, percent, rateE4, wordsOf } from '../../rates/words.ts';
import { changeOf, type Prices, usePriceCheck } from './data.ts';
import styles from './rates.module.css';

const DAY_HOURS = 24;
const MAX_HOURS = 744;
const PAUSE_MS = 300;
const FAR_BPS = 500;

interface Given {
  readonly prices: Prices;
  readonly hours: number | '';
  readonly override: boolean;
}

export function SetPrices({ book, onClose }: { readonly book: RateBook; readonly onClose: () => void }) {
  const { mode } = useOperatorLocation();
  const form = useForm<Given>({ initialValues: { prices: {}, hours: DAY_HOURS, override: false } });
  const { hours, override } = form.values;
  const prices = enteredPrices(form.values.prices);
  const judged = useOutlook(mode, book.product, prices);
  const { title } = wordsOf(book.product);
  return (
    <FormDialog
      {...changeOf('Desk prices set. The book updates shortly.')}
      onClose={onClose}
      title={`Set ${title} prices, ${mode} mode`}
      confirm={judged.needsTwo ? 'Propose prices' : 'Set prices'}
      form={form}
      disabled={prices === null || judged.problem !== null || hours === ''}
      run={() =>
        put('/operator/rates/{mode}/{product}', {
          params: { mode, product: book.product },
          body: { prices: prices!, valid_for_hours: Number(hours), override },
        })
      }
    >
      <p>Naira per unit, before the spread. Currencies left empty keep their price and its expiry.</p>
      <Fields book={book} form={form} />
      <NumberInput
        {...form.getInputProps('hours')}
        label="Valid for (hours)"
        description="After that, the price is no longer used."
        min={1}
        max={MAX_HOURS}
        allowDecimal={false}
      />
      <Switch
        {...form.getInputProps('override', { type: 'checkbox' })}
        label="Override the other sources"
        description="While they are valid, only these prices are used, whatever other sources report."
      />
      {prices !== null && <ApprovalOutlook {...judged} />}
    </FormDialog>
  );
}

/** The prices for the request. Null means that a price is missing or not valid. */
function enteredPrices(typed: Prices): Prices | null {
  const given = Object.entries(typed)
    .map(([code, text]) => [code, text.replaceAll(',', '').trim()] as const)
    .filter(([, text]) => text !== '');
  const whole = given.length > 0 && given.every(([, text]) => rateE4(text) !== undefined);
  return whole ? Object.fromEntries(given) : null;
}

interface Outlook {
  readonly needsTwo: boolean;
  readonly why: string | null;
  /** The reason why the service would refuse these prices. Null means that there is none. */
  readonly problem: string | null;
}

function useOutlook(mode: Mode, product: string, prices: Prices | null): Outlook {
  const [query] = useDebouncedValue(JSON.stringify(prices), PAUSE_MS);
  const { data, error } = usePriceCheck(mode, product, JSON.parse(query) as Prices | null);
  if (error !== null) return { needsTwo: false, why: null, problem: failureOf(error).message };
  return { needsTwo: data?.needs_two ?? false, why: data?.why ?? null, problem: null };
}

function ApprovalOutlook({ needsTwo, why, problem }: Outlook) {
  if (problem !== null) return <Notice tone="failed">{problem}</Notice>;
  if (!needsTwo) return <p>They take effect immediately. One person is enough; the audit log records who.</p>;
  return (
    <Notice tone="person">
      <strong>A second person must approve this.</strong> {why} Nothing changes until they approve it with
      their second factor.
    </Notice>
  );
}

interface FieldsProps {
  readonly book: RateBook;
  readonly form: UseFormReturnType<Given>;
}

function Fields({ book, form }: FieldsProps) {
  const typed = form.values.prices;
  return (
    <>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing={12}>
        {CURRENCIES.map((code) => {
          const last = book.currencies.find(({ currency }) => currency === code)?.last_value ?? null;
          return (
            <TextInput
              {...form.getInputProps(`prices.${code}`)}
              key={code}
              label={code}
              value={typed[code] ?? ''}
              placeholder={last === null ? 'none' : digits(last)}
              inputMode="decimal"
              autoComplete="off"
              maxLength={20}
              description={<Deviation typed={typed[code] ?? ''} last={last} />}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
            />
          );
        })}
      </SimpleGrid>
      <div>
        <Button variant="default" size="xs" onClick={() => form.setValues({ prices: lastValues(book) })}>
          Use last values
        </Button>
      </div>
    </>
  );
}

function lastValues({ currencies }: RateBook): Prices {
  return Object.fromEntries(
    currencies.flatMap(({ currency, last_value: last }) =>
      last === null ? [] : [[currency, digits(last).replaceAll(',', '')]],
    ),
  );
}

function Deviation({ typed, last }: { readonly typed: string; readonly last: string | null }) {
  if (typed.trim() === '') return '\u00a0';
  const given = rateE4(typed);
  if (given === undefined) return <span className={styles.wrong}>Enter a price such as 1361.5</span>;
  if (last === null) return 'No value yet';
  const bps = deviationBps(given, rateE4(last)!);
  return (
    <span className={styles.off} data-far={Math.abs(bps) > FAR_BPS || undefined}>
      {percent(bps)}
    </span>
  );
}
