// Lists planted bugs in webhooks: which deliveries are created, when they are tried, which key signs them, and when they end.
import { type Bug, within } from '../patch.ts';

export const WEBHOOK_BUGS: readonly Bug[] = [
  {
    name: 'horizon_ignored',
    what: 'Events are read although a commit with a lower number still runs, and its events are skipped.',
    patches: [within('readPage').exchange('number < horizon', 'number > 0')],
  },
  {
    name: 'position_before_deliveries',
    what: 'The position of fan-out moves first, and the deliveries are stored afterwards.',
    patches: [
      within('fanOutEvents').before(
        'const added = await fanOut.spread(from,',
        'await fanOut.spread(from, page.position, [], clock.now());',
      ),
      within('fanOutEvents').exchange(
        'await fanOut.spread(from, page.position, wanted,',
        'await fanOut.spread(page.position, page.position, wanted,',
      ),
    ],
  },
  {
    name: 'subscription_ignored',
    what: 'An endpoint receives events that it did not subscribe to.',
    patches: [within('wantsEvent').exchange('isSubscribedTo(endpoint.events, event.type)', 'true')],
  },
  {
    name: 'mode_mixed',
    what: 'A live endpoint receives test events.',
    patches: [within('wantsEvent').drop('|| endpoint.mode !== event.mode')],
  },
  {
    name: 'test_event_to_all',
    what: 'An event for one endpoint is sent to all endpoints of its business.',
    patches: [within('wantsEvent').exchange('event.endpointId === endpoint.id', 'true')],
  },
  {
    name: 'attempt_not_counted',
    what: 'An attempt is not counted when it is leased.',
    patches: [within('claimAfter').exchange('spent ? row.attempts : row.attempts + 1', 'row.attempts')],
  },
  {
    name: 'lease_ignored',
    what: 'A delivery is claimed although another process holds it.',
    patches: [within('isFree').exchange('(leasedUntilMs === null || leasedUntilMs <= atMs)', 'true')],
  },
  {
    name: 'outcome_not_fenced',
    what: 'A process whose lease is over stores its outcome over that of the next one.',
    patches: [within('settleOne').exchange('row.fence !== delivery.fence', 'row.fence < delivery.fence')],
  },
  {
    name: 'sent_on_an_old_lease',
    what: 'A process that stood still sends a delivery that another one holds now.',
    patches: [
      within('attemptDelivery', { folder: 'app/webhooks' }).exchange(
        'startedAtMs >= request.leaseUntilMs',
        'false',
      ),
    ],
  },
  {
    name: 'retry_after_ignored',
    what: 'A receiver that asks for patience is asked again by the schedule.',
    patches: [within('decideNextStep', { folder: 'webhooks' }).exchange('outcome.retryAfterMs ?? 0', '0')],
  },
  {
    name: 'jitter_shortens',
    what: 'Jitter makes a pause shorter.',
    patches: [within('decideNextStep', { folder: 'webhooks' }).exchange('1 + JITTER', '1 - JITTER')],
  },
  {
    name: 'gone_is_retried',
    what: 'A receiver that is gone for good is tried again.',
    patches: [
      within('decideNextStep', { folder: 'webhooks' }).exchange('outcome.status === HTTP_GONE', 'false'),
    ],
  },
  {
    name: 'refused_address_is_retried',
    what: 'An address that must not be contacted is tried again.',
    patches: [
      within('decideNextStep', { folder: 'webhooks' }).exchange("outcome.kind === 'refused'", 'false'),
    ],
  },
  {
    name: 'only_200_is_success',
    what: 'A receiver that answers 204 is sent the event again.',
    patches: [within('isSuccessfulAttempt').exchange('outcome.status < 300', 'outcome.status < 201')],
  },
  {
    name: 'schedule_too_long',
    what: 'An eleventh attempt is made.',
    patches: [within('SCHEDULE_MS').before('20 * HOUR_MS', '20 * HOUR_MS,')],
  },
  {
    name: 'old_secret_dropped',
    what: 'After a rotation the old secret signs no more, although the overlap has not ended.',
    patches: [within('rotateKeys').drop('+ overlapHours * HOUR_MS')],
  },
  {
    name: 'old_secret_kept',
    what: 'After the overlap the old secret still signs.',
    patches: [within('keysInForce').exchange('endsAtMs > atMs', 'endsAtMs > 0')],
  },
  {
    name: 'disabled_still_attempted',
    what: 'An endpoint that was disabled or deleted is still sent to.',
    patches: [
      within('isReceiving').exchange("row.endpoint.state === 'enabled'", 'row.endpoint.url !== null'),
    ],
  },
  {
    name: 'endpoint_holds_up_others',
    what: 'Every turn begins with the same endpoint, and the last ones are never reached.',
    seeds: 300,
    patches: [within('deliverDueWebhooks').exchange("isWhole ? '' : last", "isWhole ? '' : ''")],
  },
  {
    name: 'recover_forgets_missed',
    what: 'Only what failed since the endpoint was enabled is recovered.',
    patches: [
      within('recoverFailedDeliveries').exchange('found.value.createdAtMs', 'found.value.updatedAtMs'),
    ],
  },
  {
    name: 'webhook_id_made_anew',
    what: 'Every attempt has a webhook-id of its own.',
    patches: [within('webhookHeaders').exchange("'webhook-id': eventId", "'webhook-id': eventId + atMs")],
  },
  {
    name: 'body_of_the_moment',
    what: 'The body has the time of the attempt.',
    patches: [
      within('deliverBatch').exchange(
        'deps.render(event)',
        'deps.render({ ...event, atMs: deps.clock.now() })',
      ),
    ],
  },
  {
    name: 'sequence_from_version',
    what: 'The sequence of an event is the version of the transaction, which has gaps.',
    patches: [within('eventsOfRow').exchange('sequence: earlier + (moves ? 2 : 1)', 'sequence: version')],
  },
  {
    name: 'disabled_without_event',
    what: 'An endpoint is disabled, and no event says so.',
    patches: [
      within('disableIn', { folder: 'simulation/webhooks' }).exchange(
        'commitAccountEvent(number, event)',
        'commitNothing(number)',
      ),
    ],
  },
];
