// Every text, JSON and binary column of the database that is not in personal-places.ts: deleted with its transaction, kept although
// it may hold words of a customer, or without such words. A test compares these lists with the schema: a new column needs an entry.

/** Columns of rows that are deleted when their transaction is erased. */
export const DELETED_COLUMNS: readonly string[] = ['open_claims.account_number', 'open_claims.reference'];

/** Columns in which a customer's words may remain, by the reason. docs/operate/privacy.md prints this list. */
export const KEPT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  'required by law; sealed with the key file': ['travel_rule_records.sealed'],
  'what people decided and typed; each hash of the audit log includes the previous entry': [
    ...['audit_log.detail', 'proposals.detail', 'proposal_decisions.reason'],
  ],
  'a reason that a person typed; deleted when the stop ends': ['freezes.reason', 'rail_pauses.reason'],
  'given by the business, which should not put names into it': [
    ...['transactions.reference', 'idempotency_keys.key', 'quotes.idempotency_key'],
  ],
  'the id of a transfer, without which a repeated report would be a second payment': [
    ...['bank_credits.session_id', 'bank_credits.session_key', 'credit_reports.session_id'],
    'statement_rows.session_id',
  ],
  'public on the chain': [
    ...['deposits.memo', 'deposits.sender', 'simulated_arrivals.memo', 'simulated_arrivals.sender'],
  ],
};

/** Columns without words of a customer: why, and by table the names of the columns. */
export const COLUMNS_WITHOUT_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'the operator, its people and their sessions': {
    people: 'id email name',
    operator_roles: 'person_id role',
    memberships: 'business_id person_id role',
    invitations: 'id token_hash email business_id role sign_up_id invited_by accepted_by',
    sign_ups: 'id business_name link_tag email state decided_by business_id',
    mails: 'id about recipient subject body state problem',
    password_reset_asks: 'email',
    password_resets: 'person_id token_hash',
    passwords: 'person_id stored',
    sessions: 'id person_id token_hash previous_hash surface address user_agent',
    sign_ins: 'token_hash person_id tries_key challenge',
    sign_in_failures: 'key',
    passkeys: 'credential_id person_id public_key transports name',
    provided_identities: 'issuer subject person_id',
    provider_attempts: 'key_hash state nonce verifier',
    totp_secrets: 'person_id fingerprint sealed',
    recovery_codes: 'hash person_id',
    step_ups: 'id person_id session_id subject_id',
    step_up_tries: 'session_id subject_id challenge',
    known_devices: 'token_hash person_id',
  },
  'businesses: their names, keys, wallets and endpoints': {
    businesses: 'id name link_tag tier',
    api_keys: 'id business_id mode hash hint name scope',
    api_key_uses: 'key_id',
    business_wallets: 'business_id mode network address',
    webhook_endpoints: 'id business_id mode url events description state disabled_reason',
    webhook_secrets: 'endpoint_id sealed public_key made_by',
    account_events: 'id business_id mode type data endpoint_id',
    account_question_turns: 'business_id mode',
    claim_limit_lifts: 'business_id mode',
  },
  'settings of the operator: vendors, prices, fees, limits and rails': {
    vendors: 'id mode name number bank bank_code',
    vendor_silences: 'vendor_id mode',
    fees: 'business_id mode product',
    limits: 'business_id mode',
    limit_usage: 'business_id mode period',
    desk_prices: 'mode product currency set_by approved_by',
    spreads: 'mode product currency tier set_by',
    credit_sources: 'mode account source',
    quotes:
      'id business_id mode side currency network sources decision_id key_id request_hash transaction_id',
    quote_exposure: 'business_id mode',
    rate_books: 'mode product decision_id',
    rate_decisions: 'id mode product explanation',
    rate_history: 'mode product currency span',
    rate_readings: 'source currency',
    rate_sources: 'name last_failure_code last_failure_message',
    rate_values: 'mode product currency',
    freezes: 'business_id mode',
    halts: 'mode asset reason',
    controls: 'name value',
    rail_routes: 'mode rail bank_codes',
    rail_caps: 'mode rail',
    rail_pauses: 'mode rail actor',
    public_holidays: 'name set_by',
  },
  'our own books, accounts and checks': {
    accounts: 'key mode asset name side',
    entries: 'mode event subject_id',
    naira_moves: 'id mode kind charge account to_account reference proposal_id',
    reconciliations: 'mode account',
    reconciliation_items: 'mode account item kind reason facts',
    statement_files: 'id mode account vendor_id digest format profile imported_by state problems',
    statement_days: 'mode account state profile gap doubt',
    daily_turns: 'name',
  },
  'networks and wallets: public on the chain': {
    deposits: 'id mode network tx_hash address asset transaction_id exception',
    deposit_targets: 'mode network address memo transaction_id',
    one_provider_deposits: 'mode network tx_hash',
    outflow_acceptances: 'mode network tx_hash proposal_id',
    outflow_findings: 'mode network tx_hash asset problem recipient movement_ids',
    outflow_positions: 'mode network position',
    set_ups: 'mode network hash source sequence payload bound what',
    set_up_ends: 'mode network hash outcome',
    signing_days: 'mode network',
    attempt_replacements: 'mode network reference hash payload bound',
    simulated_arrivals: 'id network tx_hash address fate',
    simulated_transfers: 'order_id hash network about address fate',
  },
  'ids, states and counters of queues and feeds': {
    feeds: 'name position holder',
    log_readers: 'name position',
    webhook_deliveries: 'id endpoint_id event_id event_type state reason',
    webhook_attempts: 'delivery_id outcome error',
    webhook_position: 'position',
    rail_doubts: 'mode rail movement_id',
    rail_guards: 'mode rail failure',
    rail_health: 'mode rail account probe_failure',
    listed_payouts: 'mode rail reference payment',
    ended_payouts: 'movement_id mode rail reference said',
    payout_approvals: 'movement_id',
    unexplained_payments: 'mode rail payment reference doubt ended_by',
    rail_events: 'id mode rail digest type topic about state outcome',
    idempotency_keys: 'business_id mode request_hash transaction_id',
    simulated_payouts: 'reference about bank_code session_id fate',
    simulated_plays: 'transaction_id scenario',
    simulated_statement: 'kind source_id',
  },
  'ids, modes, states and amounts of money, and the closed words of its rules': {
    transactions:
      'id business_id mode type link_tag bank_code flags vendor_id vendor_name vendor_number vendor_bank deposits key_id quote_id',
    transaction_states:
      'transaction_id business_id mode type state_reason exception tx_hash network wallet_address',
    open_claims: 'transaction_id mode vendor_number',
    timeline:
      'transaction_id actor reason business_id mode state_reason exception tx_hash network wallet_address',
    account_enquiries: 'transaction_id rail verdict',
    movements: 'id kind mode network asset transaction_id credit_id deposit_id bank_account',
    movement_attempts: 'movement_id mode network rail reference source sequence payload bound orders state',
    bank_credits:
      'id mode source source_id account_number account_bank_code payer_bank_code parent_id exception transaction_id business_id',
    credit_reports:
      'id mode source source_id account_number account_bank_code payer_bank_code business_id state credit_id',
    bank_notices: 'id mode source source_id kind about state',
    quarantine: 'mode source reason',
    match_decisions: 'credit_id transaction_id verdict candidates actor',
    cases: 'id kind mode business_id transaction_id credit_id closed_by movement_id outcome about file_id',
    statement_rows:
      'mode account key kind file_id direction_by name_from account_from bank_from session_from',
    statement_profiles_confirmed: 'mode account profile file_id',
    request_log: 'business_id mode request_id key_id method code',
    travel_rule_records: 'leg kind mode business_id transaction_id network tx_hash asset',
  },
  'who proposed and decided, with ids and hashes': {
    proposals: 'id mode action subject_id proposed_by kind',
    proposal_decisions: 'proposal_id proposed_by decided_by step_up_id',
    audit_log: 'actor action subject business_id previous_hash hash',
    audit_head: 'hash',
  },
  'what erasure itself keeps: ids and hashes': {
    erased_lines: 'transaction_id line_hash batch',
    privacy_progress: 'place position',
    privacy_waiting: 'place key',
    privacy_requests: 'subject mode requested_by person',
  },
};
