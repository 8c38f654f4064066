// Reads the table of bank charges, from the file next to this one or from BANK_CHARGES_FILE. The whole file is checked when the
// service starts. A mistake stops the start with an error that names the file and the field.
import { type Static, Type } from 'typebox';
import type { BankCharges, ChargeRule } from '../../domain/catalogue/bank-charges.ts';
import { parseInstant } from '../../domain/values/calendar.ts';
import { MAX_WIRE_MINOR, parseAmount } from '../../domain/values/money.ts';
import type { SettingsProblems } from '../settings-problems.ts';
import {
  enumSchema,
  integerSchema,
  nullableSchema,
  objectSchema,
  parseSettings,
  readBySchema,
  readTextFile,
  withRule,
} from '../settings-reader.ts';

const OWN = new URL('./bank-charges.json', import.meta.url);
const DAY = withRule(
  Type.String({ pattern: /^\d{4}-\d\d-\d\d$/, description: 'a day such as 2026-01-01' }),
  (day) => parseInstant(day) !== undefined,
);
const NAIRA = withRule(
  Type.String({ description: 'naira as text, such as "25" or "26.88"' }),
  (amount) => parseNaira(amount).ok,
);
const BAND = objectSchema({
  up_to: nullableSchema(NAIRA, 'naira as text, or null in the last band'),
  fee: NAIRA,
});
const RULE = objectSchema({
  from: DAY,
  transfer_fee: Type.Array(BAND, { minItems: 1, description: 'a list of bands' }),
  /** VAT in basis points, so 750 is 7.5 %. */
  vat_bps: integerSchema(0, 10_000),
  stamp_duty: objectSchema({ from_amount: NAIRA, duty: NAIRA, paid_by: enumSchema(['sender', 'receiver']) }),
});
const FILE = objectSchema({ rules: Type.Array(RULE, { minItems: 1, description: 'a list of rules' }) });

/** If `location` is null, reads the table that this release contains. Throws a SettingsError. */
export function readBankCharges(location: string | null): BankCharges {
  const file = `The file of bank charges ${location ?? OWN.pathname}`;
  return parseBankCharges(readTextFile(file, location ?? OWN), file);
}

export function parseBankCharges(text: string, file = 'The bank charges'): BankCharges {
  return parseSettings(file, text, (json, at) => {
    const rules = readBySchema(FILE, json, at)?.rules;
    rules?.forEach(({ from }, index) => {
      if (index > 0 && from <= rules[index - 1]!.from)
        at.at('rules', index, 'from').add('must be later than in the previous rule');
    });
    return rules?.map((rule, index) => ruleOf(rule, at.at('rules', index, 'transfer_fee')));
  });
}

function ruleOf(
  { from, transfer_fee, vat_bps, stamp_duty }: Static<typeof RULE>,
  at: SettingsProblems,
): ChargeRule {
  const bands = transfer_fee.map(({ up_to, fee }, index) => {
    if ((up_to === null) !== (index === transfer_fee.length - 1))
      at.at(index, 'up_to').add('must be null in the last band and nowhere else');
    return { upToMinor: up_to === null ? null : minorOf(up_to), feeMinor: minorOf(fee) };
  });
  bands.forEach(({ upToMinor }, index) => {
    const before = bands[index - 1]?.upToMinor ?? null;
    if (upToMinor !== null && before !== null && upToMinor <= before)
      at.at(index, 'up_to').add('must be higher than in the previous band');
  });
  const stampDuty = {
    fromMinor: minorOf(stamp_duty.from_amount),
    dutyMinor: minorOf(stamp_duty.duty),
    paidBy: stamp_duty.paid_by,
  };
  return { fromDay: from, bands, vatBps: vat_bps, stampDuty };
}

function parseNaira(amount: string) {
  return parseAmount(amount, { minMinor: 0n, maxMinor: MAX_WIRE_MINOR });
}

function minorOf(amount: string): bigint {
  const parsed = parseNaira(amount);
  return parsed.ok ? parsed.value : 0n;
}
