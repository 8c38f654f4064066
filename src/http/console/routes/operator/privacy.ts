// Personal data of one customer: what is stored, its erasure, and the requests that still wait. The account number is in the body
// and never in a path, because paths are logged.
import { Type } from 'typebox';
import { erasePerson, planErasure } from '../../../../app/privacy/erase-person.ts';
import { exportPerson } from '../../../../app/privacy/export-person.ts';
import { parsePersonQuery } from '../../../../app/privacy/find-person.ts';
import { ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import {
  erasurePlan,
  erasureRequest,
  renderErasurePlan,
  renderErasureRequest,
  renderPersonExport,
} from '../../../../renderings/privacy.ts';
import { renderSettingOutcome, settingOutcomeAnswer } from '../../../../renderings/proposals.ts';
import { modeField, readMode } from '../../operations/queries.ts';
import { type ConsoleRoute, operatorRoute } from '../../route.ts';
import { reviewFailure } from './decisions.ts';

const TAG = { tag: 'Privacy' } as const;
const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });
const bankField = Type.Optional(text(140, 'the bank of the account: several banks may use the same number.'));
const nameField = Type.Optional(text(140, 'also finds rows that have this name and no account number.'));
const AccountBody = Type.Object({
  mode: schemas.mode,
  account_number: text(20, 'the number of the bank account of the person.'),
  ...{ bank: bankField, name: nameField },
});
const ExportBody = Type.Object({
  ...AccountBody.properties,
  account_number: Type.Optional(AccountBody.properties.account_number),
});

export const privacyRoutes: readonly ConsoleRoute[] = [
  operatorRoute(
    'operations.read',
    'nothing',
    {
      ...TAG,
      method: 'GET',
      path: '/privacy/requests',
      name: 'listErasureRequests',
      summary: 'List the requests for erasure that still wait, oldest first',
      query: Type.Object(modeField),
      answer: { requests: Type.Array(erasureRequest) },
      refusals: ['filter_invalid'],
    },
    async ({ query }, { customerData }) => {
      const mode = readMode(query);
      if (!mode.ok) return mode;
      const requests = await customerData.privacy.openRequests();
      return ok({ requests: requests.filter((each) => each.mode === mode.value).map(renderErasureRequest) });
    },
  ),
  operatorRoute(
    'settings.propose',
    'several',
    {
      ...TAG,
      method: 'POST',
      path: '/privacy/plan',
      name: 'planErasure',
      summary: 'Show what the erasure of one customer would erase now, keep until which day, and never erase',
      body: AccountBody,
      answer: { plan: erasurePlan },
      refusals: ['invalid'],
    },
    async ({ body: { mode, account_number: account, bank, name }, actor }, deps) => {
      const person = parsePersonQuery(deps.banks, { account, bank, name });
      if (!person.ok) return reviewFailure(person.error);
      const plan = await planErasure({ ...deps, ...deps.customerData, actor }, person.value, mode);
      return plan.ok ? ok({ plan: renderErasurePlan(plan.value) }) : reviewFailure(plan.error);
    },
  ),
  operatorRoute(
    'settings.propose',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/privacy/erasures',
      name: 'eraseCustomer',
      summary: 'Erase the personal data of one customer; in live mode another person must approve',
      body: AccountBody,
      answer: {
        ...settingOutcomeAnswer,
        rows_erased: schemas.nullable(Type.Integer({ description: 'Null: the erasure was only proposed.' })),
        kept_until: schemas.nullable({
          ...schemas.time,
          description: 'When the last record that the law requires is erased.',
        }),
      },
      refusals: ['invalid', 'not_found', 'not_possible', 'busy'],
    },
    async ({ body: { mode, account_number: account, bank, name }, actor }, consoleDeps) => {
      const deps = { ...consoleDeps, ...consoleDeps.customerData, actor };
      const person = parsePersonQuery(deps.banks, { account, bank, name });
      if (!person.ok) return reviewFailure(person.error);
      const plan = await planErasure(deps, person.value, mode);
      if (!plan.ok) return reviewFailure(plan.error);
      const erased = await erasePerson(deps, plan.value);
      if (!erased.ok) return reviewFailure(erased.error);
      const { outcome, erased: rows } = erased.value;
      return ok({
        ...(outcome === null ? { done: true, proposal: null } : renderSettingOutcome(outcome)),
        rows_erased: rows,
        kept_until: renderErasurePlan(plan.value).kept_until,
      });
    },
  ),
  operatorRoute(
    'audit.read',
    'several',
    {
      ...TAG,
      method: 'POST',
      path: '/privacy/export',
      name: 'exportCustomer',
      summary: 'Export all stored data about one customer',
      body: ExportBody,
      answer: { document: schemas.record },
      refusals: ['invalid'],
    },
    async ({ body: { mode, account_number: account, bank, name }, actor }, deps) => {
      const person = parsePersonQuery(deps.banks, { account, bank, name });
      if (!person.ok) return reviewFailure(person.error);
      const found = await exportPerson({ ...deps, ...deps.customerData, actor }, person.value, mode);
      return ok({ document: renderPersonExport(found) });
    },
  ),
];
