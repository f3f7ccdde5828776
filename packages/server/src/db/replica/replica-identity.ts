/** The same for a database and its physical copies, and for no other database. */
const IDENTITY = `(select system_identifier::text from pg_control_system())
  || '/' || (select oid::text from pg_database where datname = current_database())
  as identity`;

/**
 * The position up to which the log is flushed: with `synchronous_commit` a commit is answered
 * after that, and a replica receives nothing beyond it.
 */
export const PRIMARY_POSITION = `select
  (pg_current_wal_flush_lsn() - '0/0'::pg_lsn)::text as position, ${IDENTITY}`;

/** The position up to which the log is replayed; null on a server that is no standby. */
export const REPLAYED_POSITION = `select case when pg_is_in_recovery()
  then (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::text end as position, ${IDENTITY}`;

/** A row of these queries. */
export type Position = {
  readonly position: string | null;
  readonly identity: string;
};
