// Checks the fields of an endpoint in a request: its URL, its subscribed events and its description.
import { EVENT_TYPES, isSubscription } from '../../domain/events/event.ts';
import { findNearestWord } from '../../domain/values/nearest-word.ts';
import { checkWebhookUrl, type UrlRules } from '../../domain/webhooks/url-rules.ts';
import { checkText, type FieldErrors } from '../input/field-rules.ts';

const DESCRIPTION_MAX = 200;
const MOST_SUBSCRIPTIONS = 50;
const GROUPS = [...new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]}.*`))];
export const SUBSCRIPTIONS: readonly string[] = [...EVENT_TYPES, ...GROUPS];

export function checkUrl(errors: FieldErrors, url: string, rules: UrlRules): string | undefined {
  const checked = checkWebhookUrl(url, rules);
  return checked.ok ? checked.value : errors.add('url', checked.error.code, checked.error.message);
}

/** Null and an empty list both mean every event. */
export function checkSubscriptions(
  errors: FieldErrors,
  given: readonly unknown[],
): readonly string[] | null | undefined {
  if (given.length > MOST_SUBSCRIPTIONS)
    return errors.add(
      'events',
      'too_long',
      `events has more than ${MOST_SUBSCRIPTIONS} entries. Shorten it.`,
    );
  for (const each of given) {
    if (typeof each !== 'string')
      return errors.add('events', 'wrong_type', 'events must be a JSON array of strings.');
    if (!isSubscription(each)) return errors.add('events', 'event_type_unknown', unknownTypeMessage(each));
  }
  return given.length === 0 ? null : [...new Set(given as readonly string[])];
}

function unknownTypeMessage(given: string): string {
  const meant = findNearestWord(given, SUBSCRIPTIONS);
  const hint =
    meant === undefined ? `Use types such as ${SUBSCRIPTIONS[0]} or transaction.*.` : `Use ${meant}.`;
  return `events contains an unknown type. ${hint}`;
}

/** An empty text removes the description. */
export function checkDescription(errors: FieldErrors, text: string): string | null | undefined {
  return text.trim() === '' ? null : checkText(errors, 'description', text, DESCRIPTION_MAX);
}
