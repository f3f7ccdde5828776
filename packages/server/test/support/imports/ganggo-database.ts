import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { createTestDatabase, type DatabaseKind } from "../server/databases.ts";

type ColumnType = "bool" | "id" | "int" | "text" | "time";

const TIMES = { created_at: "time", updated_at: "time" } as const;
const ROW = { id: "id", ...TIMES } as const;
const SHAREABLE = { shareable_id: "int", shareable_type: "text" } as const;

/** The tables of GangGo 1.0.0-develop.3, as its library makes them of the models. */
const TABLES = {
  schema_migrations: { commit: "text" },
  users: {
    ...{ ...ROW, deleted_at: "time", username: "text", email: "text" },
    ...{ serialized_private_key: "text", encrypted_password: "text" },
    ...{ last_seen: "time", person_id: "int" },
  },
  people: {
    ...{ ...ROW, guid: "text", author: "text", user_id: "int" },
    ...{ serialized_public_key: "text", closed_account: "int" },
    ...{ pod_id: "int", inbox: "text" },
  },
  profiles: {
    ...{ ...ROW, person_id: "int", author: "text", image_url: "text" },
    ...{ public: "bool", first_name: "text", last_name: "text" },
    ...{ birthday: "time", gender: "text", bio: "text", searchable: "bool" },
    ...{ location: "text", full_name: "text", nsfw: "bool" },
  },
  pods: { ...ROW, host: "text", inbox: "text", alive: "bool", protocol: "int" },
  contacts: { ...ROW, user_id: "int", person_id: "int", sharing: "bool" },
  aspects: { ...ROW, name: "text", user_id: "int", default: "bool" },
  aspect_memberships: { ...ROW, aspect_id: "int", person_id: "int" },
  aspect_visibilities: { ...ROW, ...SHAREABLE, aspect_id: "int" },
  posts: {
    ...{ ...ROW, person_id: "int", public: "bool", guid: "text" },
    ...{ type: "text", text: "text", provider_name: "text" },
    ...{ root_guid: "text", root_person_id: "int", protocol: "int" },
  },
  photos: {
    ...{ ...ROW, guid: "text", remote_path: "text", public: "bool" },
    ...{ person_id: "int", text: "text", post_id: "int" },
    ...{ height: "int", width: "int" },
  },
  comments: {
    ...{ ...ROW, ...SHAREABLE, text: "text", person_id: "int" },
    ...{ guid: "text", protocol: "int" },
  },
  likes: {
    ...{ ...ROW, ...SHAREABLE, positive: "bool", person_id: "int" },
    ...{ guid: "text", protocol: "int" },
  },
  shareables: { ...ROW, ...SHAREABLE, hidden: "bool", user_id: "int" },
  visibilities: { ...ROW, ...SHAREABLE, person_id: "int" },
  tags: { id: "id", name: "text" },
  user_taggings: { id: "id", tag_id: "int", user_id: "int" },
  user_streams: {
    ...{ ...ROW, user_id: "int", name: "text", tags: "text" },
    ...{ people: "text", expression: "text" },
  },
  user_settings: {
    ...{ id: "id", user_id: "int", setting_key: "int", value: "text" },
  },
} as const satisfies Record<string, Record<string, ColumnType>>;

const TYPES: Readonly<Record<DatabaseKind, Record<ColumnType, string>>> = {
  sqlite: {
    ...{ id: "integer primary key autoincrement", int: "integer" },
    ...{ bool: "bool", text: "text", time: "datetime" },
  },
  postgres: {
    ...{ id: "serial primary key", int: "integer", bool: "boolean" },
    ...{ text: "text", time: "timestamp with time zone" },
  },
};

type Value = boolean | number | string | null;

type GanggoTable = keyof typeof TABLES;

/** Rows by their table; `created_at` is a day of 2018 where a row does not say it. */
export type GanggoRows = Partial<
  Record<GanggoTable, readonly Readonly<Record<string, Value>>[]>
>;

/** A database of GangGo, which the import reads by its place. */
export type GanggoDatabase = {
  readonly place: string;
  readonly add: (rows: GanggoRows) => Promise<void>;
  readonly remove: () => Promise<void>;
};

/** Makes a database with the tables of GangGo. */
export async function createGanggo(
  kind: DatabaseKind,
): Promise<GanggoDatabase> {
  const database = await createTestDatabase(kind);
  const { location } = database;
  const run =
    location.kind === "sqlite"
      ? runOnFile(location.file)
      : runOnServer(location.url);
  const types = TYPES[kind];
  const creating = Object.entries(TABLES).map(([table, columns]) => {
    const each = Object.entries(columns).map(
      ([name, type]) => `"${name}" ${types[type]}`,
    );
    return [`create table "${table}" (${each.join(", ")})`, []] as const;
  });
  await run(creating);
  return {
    place: location.kind === "sqlite" ? location.file : location.url,
    add: (rows) => run(insertsOf(kind, rows)),
    remove: () => database.remove(),
  };
}

type Statement = readonly [sql: string, values: readonly Value[]];

function insertsOf(kind: DatabaseKind, all: GanggoRows): Statement[] {
  return Object.entries(all).flatMap(([table, rows]) =>
    rows.map((given): Statement => {
      const hasTime = "created_at" in TABLES[table as GanggoTable];
      const row = {
        ...(hasTime && { created_at: "2018-05-01 10:00:00+00:00" }),
        ...given,
      };
      const names = Object.keys(row).map((name) => `"${name}"`);
      const marks = names.map((_, at) => `$${at + 1}`);
      const values = Object.values(row).map((value) =>
        kind === "sqlite" && typeof value === "boolean" ? Number(value) : value,
      );
      return [
        `insert into "${table}" (${names.join(", ")}) values (${marks.join(", ")})`,
        values,
      ];
    }),
  );
}

function runOnFile(file: string) {
  return async (statements: readonly Statement[]): Promise<void> => {
    const database = new DatabaseSync(file);
    for (const [sql, values] of statements)
      database
        .prepare(sql.replaceAll(/\$(\d+)/g, "?$1"))
        .run(
          ...values.map((value) =>
            value === true ? 1 : value === false ? 0 : value,
          ),
        );
    database.close();
  };
}

function runOnServer(url: string) {
  return async (statements: readonly Statement[]): Promise<void> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      for (const [sql, values] of statements)
        await client.query(sql, [...values]);
    } finally {
      await client.end();
    }
  };
}
