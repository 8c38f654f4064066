-- What the operator's pages read: the postings of one account, the movements of one network, withdrawals, and the audit log by
-- time. Each newest first, a page at a time.

create index postings_by_account on postings (account_id, entry_id);
create index movements_by_network on movements (mode, network, id) where network is not null;
create index movements_withdrawals on movements (mode, id) where kind = 'withdrawal';
create index audit_log_by_time on audit_log (at);
