-- Transactions of a business by account number, by exact amount and by wallet: what people search for. Each condition, which
-- every row meets, is named only by the search: without statistics the planner would take these indexes, the newest, for others.
create index transactions_by_account on transactions (business_id, mode, account_number, id) where fee_minor >= 0;
create index transactions_by_amount on transactions (business_id, mode, amount_minor, id) where fee_minor >= 0;
-- A wallet is given once: moves between states leave this index alone.
create index transaction_states_by_wallet on transaction_states (business_id, mode, wallet_address, transaction_id)
  where wallet_address is not null;
