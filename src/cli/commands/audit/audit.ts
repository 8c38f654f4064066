// Commands that list the audit log, verify it, and export it. An exported copy can be verified without the database.
import { recordAction, recordRead } from '../../../app/audit/record-actions.ts';
import {
  type AuditVerdict,
  findTruncation,
  verifyAudit,
  verifyEntries,
} from '../../../app/audit/verify-audit.ts';
import type { AuditFinding, AuditHead, ChainedEntry } from '../../../domain/audit/audit-chain.ts';
import { parseInstant } from '../../../domain/values/calendar.ts';
import { renderAuditEntry } from '../../../renderings/audit.ts';
import { type Command, defineCommand, durationOption, printTable } from '../../command.ts';
import { CommandError, UsageError } from '../../terminal/command-error.ts';
import { asJsonObject, type Json, toJson } from '../../terminal/json.ts';
import { exportEntries, readExport } from './audit-file.ts';

const LIMIT = '50';
const MOST = 10_000;

const listCommand = defineCommand({
  name: 'audit list',
  summary: 'List who did what, newest first. TIME is 2026-11-14T09:30:00Z, or 24h for 24 hours ago.',
  options: {
    business: { value: 'ID', about: 'only this business' },
    actor: { value: 'ACTOR', about: 'only this person or user, for example per_… or os:ada' },
    subject: { value: 'ID', about: 'only this record' },
    action: { value: 'WORD', about: 'only actions that start with this word' },
    since: { value: 'TIME', about: 'start of the period' },
    until: { value: 'TIME', about: 'end of the period' },
    before: { value: 'NO', about: 'only entries before this number, for the next page' },
    limit: { value: 'N', about: `maximum number of entries (default: ${LIMIT})` },
  },
  run: async (terminal, { options }) => {
    const { business, actor, subject, action } = options;
    const beforeNo = options.before === undefined ? undefined : numberOption(options.before, '--before');
    const limit = numberOption(options.limit ?? LIMIT, '--limit');
    return terminal.withFoundation(async (foundation) => {
      const nowMs = foundation.clock.now();
      const filter = {
        ...{ businessId: business, actor, subject, action, beforeNo, limit: Math.min(limit, MOST) },
        sinceMs: timeOption(options.since, '--since', nowMs),
        untilMs: timeOption(options.until, '--until', nowMs),
      };
      if (business !== undefined) await recordRead(foundation, foundation.actor, business, 'audit list');
      const entries = await foundation.audit.list(filter);
      const names = await foundation.proposalDesk.namesOf([...new Set(entries.map((each) => each.actor))]);
      if (entries.length === 0) terminal.print('No matching entries.');
      else printTable(terminal, [HEADS, ...entries.map(rowOf)]);
      return asJsonObject({ entries: entries.map((each) => renderAuditEntry(each, names)) });
    });
  },
});

const verifyCommand = defineCommand({
  name: 'audit verify',
  summary:
    'Verify that no entry was altered, added or removed, and that the digests agree with the timeline. Exit code 1: the log is broken.',
  options: {
    head: { value: 'NO:HASH', about: 'compare with a head you saved' },
    file: { value: 'FILE', about: 'verify an export instead of the database' },
  },
  run: async (terminal, { options }) => {
    const held = options.head === undefined ? undefined : headOption(options.head);
    const onProgress = (done: string) => terminal.progress(done);
    const verify = async (): Promise<AuditVerdict> => {
      if (options.file !== undefined) {
        const { head, finding } = await verifyEntries(readExport(options.file), held);
        return { head, digests: 0, finding: finding ?? findTruncation(held, head) };
      }
      return terminal.withFoundation(({ audit }) => verifyAudit(audit, { held, digests: true, onProgress }));
    };
    const { head, digests, finding } = await verify();
    terminal.progress('');
    const answer = {
      whole: finding === undefined,
      entries: head.no,
      head: `${head.no}:${head.hash}`,
      digests,
    };
    if (finding !== undefined) throw brokenAuditError(finding, { ...answer, finding: toJson(finding) });
    const compared = options.file === undefined ? ` Digests that agree with the timeline: ${digests}.` : '';
    terminal.print(`The audit log is intact: ${head.no} entries.${compared}`);
    terminal.print(`head  ${head.no}:${head.hash}`);
    return answer;
  },
});

const exportCommand = defineCommand({
  name: 'audit export',
  summary:
    'Write all entries to a new file, one JSON object per line. To verify it: audit verify --file FILE',
  options: { file: { value: 'FILE', needed: true, about: 'the new file' } },
  run: (terminal, { options: { file } }) =>
    terminal.withFoundation(async (foundation) => {
      const { audit } = foundation;
      await recordAction(foundation, 'audit.exported', null, { file });
      const { no } = await audit.head();
      const done = await exportEntries(audit, no, file, (count) =>
        terminal.progress(`Wrote ${count} of ${no} entries`),
      );
      terminal.progress('');
      terminal.print(
        `Wrote ${done} entries to ${file}. To verify them: bin/sliproad audit verify --file ${file}`,
      );
      return { file, entries: done };
    }),
});

export const auditCommands: readonly Command[] = [listCommand, verifyCommand, exportCommand];

export function brokenAuditError({ no, text }: AuditFinding, answer?: Json): CommandError {
  return new CommandError(
    `The audit log is broken at entry ${no}: ${text}. Next steps: docs/operate/audit.md, "When it is broken"`,
    'failed',
    answer,
  );
}

const HEADS = ['NO', 'AT', 'ACTOR', 'ACTION', 'SUBJECT', 'BUSINESS', 'DETAIL'];
const SHOWN_CHARACTERS = 100;

function rowOf({ no, at, actor, action, subject, businessId, detail }: ChainedEntry): string[] {
  const short = detail.length > SHOWN_CHARACTERS ? `${detail.slice(0, SHOWN_CHARACTERS)}…` : detail;
  return [
    String(no),
    at,
    stripControlCharacters(actor),
    action,
    stripControlCharacters(subject ?? '-'),
    businessId ?? '-',
    short,
  ];
}

/** Replaces control characters, because a name can contain them and a terminal would execute them. */
function stripControlCharacters(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}

function numberOption(value: string, name: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new UsageError(`${name} must be a whole number above 0.`);
}

function timeOption(value: string | undefined, name: string, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const timeMs = parseInstant(value);
  if (timeMs !== undefined) return timeMs;
  if (/^\d+[smhd]$/.test(value)) return nowMs - durationOption(value, name);
  throw new UsageError(`${name} must be a time such as 2026-11-14T09:30:00Z, or a duration such as 24h.`);
}

function headOption(value: string): AuditHead {
  const [, no, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(value) ?? [];
  if (no === undefined || hash === undefined)
    throw new UsageError(
      '--head must be NO:HASH, as printed by audit verify and by the log line "audit head".',
    );
  return { no: Number(no), hash };
}
