-- How much of a statement file has been read, and the cases that one statement file opened.

-- Both are shown while the file is being read. The size is unknown if the sender did not state it.
alter table statement_files add column bytes_read bigint not null default 0;
alter table statement_files add column bytes_total bigint;

-- The statement file whose report opened the case. People can end the open cases of one file together.
alter table cases add column file_id text collate "C";
create function case_of_file() returns trigger language plpgsql as $$
begin
  select r.raw ->> 'file' into new.file_id from credit_reports r where r.id = new.about and r.source = 'statements';
  return new;
end
$$;
create trigger of_file before insert on cases
  for each row when (new.kind = 'report_left_over') execute function case_of_file();
update cases c set file_id = r.raw ->> 'file'
  from credit_reports r where r.id = c.about and r.source = 'statements' and c.kind = 'report_left_over';
create index cases_open_by_file on cases (file_id, id) where closed_at is null and file_id is not null;
