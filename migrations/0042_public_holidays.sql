-- Public holidays in Nigeria: banks book no transfers on these days, so reconciliation waits for the next working day. Operators edit
-- the list. Fixed days: Public Holidays Act (Cap. P40 LFN 2004) with the amendment of 2019 (Democracy Day). The days of Eid and Maulud
-- that are not provisional were declared by the Minister of Interior (press, 2025 and March 2026). Provisional: the day depends on the
-- moon and was calculated, or the minister may declare it for a holiday on a weekend.
create table public_holidays (
  day date primary key,
  name text not null check (length(name) between 1 and 60),
  provisional boolean not null,
  set_by text collate "C" not null,
  set_at timestamptz not null
);

insert into public_holidays (day, name, provisional, set_by, set_at)
select day::date, name, provisional, 'service:migration', now() from (values
  ('2025-01-01', 'New Year''s Day', false),
  ('2025-03-31', 'Eid-el-Fitr', false),
  ('2025-04-01', 'Eid-el-Fitr', false),
  ('2025-04-18', 'Good Friday', false),
  ('2025-04-21', 'Easter Monday', false),
  ('2025-05-01', 'Workers'' Day', false),
  ('2025-06-06', 'Eid-el-Kabir', false),
  ('2025-06-09', 'Eid-el-Kabir', false),
  ('2025-06-12', 'Democracy Day', false),
  ('2025-09-05', 'Eid-el-Maulud', false),
  ('2025-10-01', 'Independence Day', false),
  ('2025-12-25', 'Christmas Day', false),
  ('2025-12-26', 'Boxing Day', false),
  ('2026-01-01', 'New Year''s Day', false),
  ('2026-03-19', 'Eid-el-Fitr', false),
  ('2026-03-20', 'Eid-el-Fitr', false),
  ('2026-04-03', 'Good Friday', false),
  ('2026-04-06', 'Easter Monday', false),
  ('2026-05-01', 'Workers'' Day', false),
  ('2026-05-27', 'Eid-el-Kabir', true),
  ('2026-05-28', 'Eid-el-Kabir', true),
  ('2026-06-12', 'Democracy Day', false),
  ('2026-08-26', 'Eid-el-Maulud', true),
  ('2026-10-01', 'Independence Day', false),
  ('2026-12-25', 'Christmas Day', false),
  ('2026-12-28', 'Boxing Day (for Saturday)', true),
  ('2027-01-01', 'New Year''s Day', false),
  ('2027-03-10', 'Eid-el-Fitr', true),
  ('2027-03-11', 'Eid-el-Fitr', true),
  ('2027-03-26', 'Good Friday', false),
  ('2027-03-29', 'Easter Monday', false),
  ('2027-05-03', 'Workers'' Day (for Saturday)', true),
  ('2027-05-17', 'Eid-el-Kabir', true),
  ('2027-05-18', 'Eid-el-Kabir', true),
  ('2027-06-14', 'Democracy Day (for Saturday)', true),
  ('2027-08-16', 'Eid-el-Maulud', true),
  ('2027-10-01', 'Independence Day', false),
  ('2027-12-27', 'Christmas Day (for Saturday)', true),
  ('2027-12-28', 'Boxing Day (for Sunday)', true)
) as known (day, name, provisional);
