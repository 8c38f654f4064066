// How often the audit log commits to what keys did.
import type { SettingReader } from './setting-reader.ts';

export interface AuditConfig {
  readonly auditDigestMs: number;
}

export function readAuditConfig(settings: SettingReader): AuditConfig {
  return {
    auditDigestMs: settings.integer('AUDIT_DIGEST_MS', { fallback: 300_000, min: 100, max: 86_400_000 }),
  };
}
