import { sql } from "kysely";
import type { Reader, Tx } from "../../../db/db.ts";
import { isListedText } from "../../../db/prepared-query.ts";
import { loadJson, storeJson } from "../../../db/schema/columns/json-text.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import { fetchPage, type Page } from "../../page.ts";

/** The fields of a decision that a list can change. */
export type StoredPolicy = {
  readonly blocked: boolean;
  readonly silenced: boolean;
  readonly mediaRejected: boolean;
  readonly allowed: boolean;
  readonly reason: string;
};

/** The decision about one host before and after an import. */
export type ListChange = {
  readonly host: string;
  /** null: nothing was decided. */
  readonly before: StoredPolicy | null;
  readonly after: StoredPolicy;
};

export type HostListImport = {
  readonly id: number;
  /** The username of who imported it. */
  readonly byName: string;
  readonly createdAt: Timestamp;
  readonly undoneAt: Timestamp | null;
  readonly changes: readonly ListChange[];
};

export async function insertListImport(
  tx: Tx,
  made: Omit<HostListImport, "id" | "undoneAt">,
): Promise<number> {
  const { id } = await tx
    .insertInto("host_list_imports")
    .values({
      by_name: made.byName,
      changes: storeJson(made.changes),
      created_at: made.createdAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Newest first. */
export async function listListImports(
  reader: Reader,
  page: Page,
): Promise<HostListImport[]> {
  const query = reader.selectFrom("host_list_imports").selectAll();
  const rows = await fetchPage(query, "host_list_imports.id", page);
  return rows.map(toImport);
}

export async function findListImport(
  reader: Reader,
  id: number,
): Promise<HostListImport | undefined> {
  const row = await reader
    .selectFrom("host_list_imports")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toImport(row);
}

function toImport(row: {
  id: number;
  by_name: string;
  changes: Parameters<typeof loadJson<readonly ListChange[]>>[0];
  created_at: string;
  undone_at: string | null;
}): HostListImport {
  return {
    id: row.id,
    byName: row.by_name,
    changes: loadJson(row.changes),
    createdAt: row.created_at,
    undoneAt: row.undone_at,
  };
}

export async function updateUndone(
  tx: Tx,
  id: number,
  now: Timestamp,
): Promise<void> {
  await tx
    .updateTable("host_list_imports")
    .set({ undone_at: now })
    .where("id", "=", id)
    .execute();
}

/** The people of a host who are known here, with what depends on them. */
export type KnownOfHost = {
  readonly people: number;
  /** How many relations people here have with them, in either direction. */
  readonly contacts: number;
  readonly posts: number;
};

/** The remote hosts with people who are known here, with their ports. */
export async function listKnownHosts(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom("people")
    .select("host")
    .distinct()
    .where("user_id", "is", null)
    .execute();
  return rows.map(({ host }) => host);
}

/** Counts the people of some of these hosts, with what depends on them, by host. */
export async function countKnown(
  reader: Reader,
  hosts: readonly string[],
): Promise<Map<string, KnownOfHost>> {
  const { rows } = await sql<{ host: string } & KnownOfHost>`select people.host,
      count(*) as people,
      coalesce(sum((select count(*) from contacts
        where contacts.person_id = people.id
          and (contacts.following = true or contacts.sharing = true))), 0) as contacts,
      coalesce(sum((select count(*) from posts
        where posts.person_id = people.id)), 0) as posts
    from people
    where ${isListedText(reader, "people.host", JSON.stringify(hosts))}
      and people.user_id is null
    group by people.host`.execute(reader);
  return new Map(
    rows.map(({ host, people, contacts, posts }) => [
      host,
      {
        people: Number(people),
        contacts: Number(contacts),
        posts: Number(posts),
      },
    ]),
  );
}
