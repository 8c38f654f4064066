// The headers of a webhook, apart from its signature.

/** `atMs`: of the attempt; null while there was none. */
export function webhookHeaders(
  userAgent: string,
  eventId: string,
  atMs: number | null,
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': eventId,
    ...(atMs !== null && { 'webhook-timestamp': String(webhookSeconds(atMs)) }),
  };
}

export function webhookSeconds(atMs: number): number {
  return Math.floor(atMs / 1_000);
}
