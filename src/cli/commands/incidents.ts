// Frozen businesses, halted sends and open cases. A proposal resumes sends or ends a case (reviews propose).

import { checkableAssets } from '../../app/ledger/check-ledger.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { renderCase, renderCaseGroup } from '../../renderings/cases.ts';
import { renderFreeze, renderHalt } from '../../renderings/stops.ts';
import { type Command, defineCommand, isoTimeText, printTable, REQUIRED_MODE } from '../command.ts';
import { amountText, readEveryRow } from '../ledger-tables.ts';
import { toJson } from '../terminal/json.ts';
import { printCaseGroups } from './case-groups.ts';
import { requestSettingChange } from './decision-words.ts';
import { printCase } from './review-record.ts';

const REASON = { value: 'TEXT', needed: true, about: 'the reason, which is recorded' } as const;

export const incidentCommands: readonly Command[] = [
  defineCommand({
    name: 'freezes list',
    summary: 'List the frozen businesses: their transactions are held for review.',
    run: (terminal) =>
      terminal.withFoundation(async ({ backOffice }) => {
        const freezes = await backOffice.listFreezes();
        const rows = freezes.map((each) => [each.businessId, each.mode, isoTimeText(each.atMs), each.reason]);
        if (rows.length === 0) terminal.print('No business is frozen.');
        else {
          printTable(terminal, [['BUSINESS', 'MODE', 'SINCE', 'REASON'], ...rows]);
          terminal.print(
            'To lift a freeze: bin/sliproad freezes lift --business ID --mode MODE --reason TEXT',
          );
        }
        return { freezes: freezes.map(renderFreeze) };
      }),
  }),
  defineCommand({
    name: 'freezes add',
    summary: 'Freeze a business at once: its transactions are held for review until the freeze is lifted.',
    options: {
      business: { value: 'ID', needed: true, about: 'the business' },
      mode: REQUIRED_MODE,
      reason: REASON,
    },
    run: (terminal, { options: { business: businessId, mode, reason } }) =>
      terminal.withFoundation(async (foundation) => {
        const request = { setting: 'business_frozen', businessId, mode, reason } as const;
        const { json } = await requestSettingChange(terminal, foundation, request);
        terminal.print(`${businessId} is frozen in ${mode} mode.`);
        return json;
      }),
  }),
  defineCommand({
    name: 'freezes lift',
    summary:
      'Unfreeze a business; in live mode another person must approve. Transactions held during the freeze stay on hold until reviewers release each one.',
    options: {
      business: { value: 'ID', needed: true, about: 'the frozen business' },
      mode: REQUIRED_MODE,
      reason: REASON,
    },
    run: (terminal, { options: { business: businessId, mode, reason } }) =>
      terminal.withFoundation(async (foundation) => {
        const request = { setting: 'freeze_lifted', businessId, mode, reason } as const;
        const { write, json } = await requestSettingChange(terminal, foundation, request);
        if (write !== undefined) {
          terminal.print(`${businessId} is no longer frozen in ${mode} mode.`);
          terminal.print('Transactions held during the freeze: bin/sliproad reviews list');
        }
        return json;
      }),
  }),
  defineCommand({
    name: 'cases list',
    summary:
      'List the open cases: reversed payments, returned payouts, differences. The cases about one statement file are one line.',
    options: { file: { value: 'FILE_ID', about: 'instead: every open case about this statement file' } },
    run: (terminal, { options: { file } }) =>
      terminal.withFoundation(async ({ operations }) => {
        const filter = { mode: null, open: true, ofFile: file ?? 'loose' };
        const open = await readEveryRow((page) => operations.listCases({ ...filter, ...page }));
        const cases = open.toReversed();
        const groups = file === undefined ? await operations.listCaseGroups(null) : [];
        const rows = cases.map((each) => [
          ...[each.id, each.kind, each.mode, formatNaira(each.amountMinor)],
          ...[each.transactionId ?? '-', isoTimeText(each.openedAtMs)],
        ]);
        if (rows.length + groups.length === 0) terminal.print('No case is open.');
        if (groups.length > 0) printCaseGroups(terminal, groups);
        if (rows.length > 0) {
          printTable(terminal, [['CASE', 'KIND', 'MODE', 'AMOUNT', 'TRANSACTION', 'SINCE'], ...rows]);
          terminal.print('Details, and how to close one: bin/sliproad cases show CASE_ID');
        }
        return { cases: cases.map(renderCase), groups: groups.map(renderCaseGroup) };
      }),
  }),
  defineCommand({
    name: 'cases show',
    words: ['CASE_ID'],
    summary: 'Show a case, its payment or payout, and the ways to close it.',
    run: (terminal, { words: [caseId] }) =>
      terminal.withFoundation((foundation) => printCase(terminal, foundation, caseId)),
  }),
];

export const haltCommands: readonly Command[] = [
  defineCommand({
    name: 'halts list',
    summary: 'List the assets whose sends are halted, and why.',
    run: (terminal) =>
      terminal.withFoundation(async ({ ledgerAudit, treasuryWatch, networks }) => {
        const decimals = checkableAssets(networks);
        const halts = await ledgerAudit.listHalts();
        if (halts.length === 0) {
          terminal.print('No asset is halted.');
          return { halts: [], outflows: [] };
        }
        const rows = halts.map(({ mode, asset, reason, atMs }) => [mode, asset, isoTimeText(atMs), reason]);
        printTable(terminal, [['MODE', 'ASSET', 'SINCE', 'REASON'], ...rows]);
        const findings = await treasuryWatch.openFindings();
        if (findings.length > 0) {
          const lines = findings.map(({ mode, asset, problem, amountMinor, txHash, to, movementIds }) => [
            ...[mode, asset, problem, amountText(amountMinor, mode, asset, decimals), txHash],
            ...[to ?? '-', movementIds.join(' ') || '-'],
          ]);
          const head = ['MODE', 'ASSET', 'PROBLEM', 'AMOUNT', 'TRANSACTION', 'TO', 'MOVEMENTS'];
          terminal.print('\nUnexplained transfers out of a treasury:');
          printTable(terminal, [head, ...lines]);
        }
        terminal.print('\nOnce you know the cause, one person proposes to resume and another approves:');
        terminal.print('  bin/sliproad reviews propose resume --mode MODE --asset ASSET');
        return {
          halts: halts.map((halt) => renderHalt(halt, networks)),
          outflows: findings.map((each) => toJson(each, decimals)),
        };
      }),
  }),
];
