import type { KeyObject } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "../../../src/db/db.ts";
import type { KithServer } from "../server/kith-server.ts";
import { PARTS_OF_INDEX } from "../server/snapshot.ts";

/** Enough of a secret number to recognise it, and to fit into any line. */
const PART_BYTES = 30;

/** Every private key of a server: of its accounts, and its own. */
export async function privateKeysOf(kith: KithServer): Promise<KeyObject[]> {
  const { accounts } = kith.server.features;
  const rows = await kith.db.read
    .selectFrom("user_keys")
    .select("user_id")
    .execute();
  const users = rows.map(({ user_id }) => user_id);
  return [
    ...(await Promise.all(users.map((user) => accounts.getPrivateKey(user)))),
    ...(await Promise.all(users.map((user) => accounts.getProofKey(user)))),
    (await accounts.getServerKey()).privateKey,
  ];
}

/**
 * Whether a text contains one of these keys, in any format: PEM, DER, JWK or a
 * seed, as bytes, in base64, base64url, hexadecimal or as a list of numbers.
 * @param text bytes as latin1
 */
export function holdsKey(text: string, keys: readonly KeyObject[]): boolean {
  if (text.includes("PRIVATE KEY")) return true;
  // PEM has lines, and JSON writes their ends in its own way.
  const unbroken = text.replaceAll(/\\[rn]|\s/g, "");
  return keys
    .flatMap(formsOf)
    .some((form) => text.includes(form) || unbroken.includes(form));
}

/** Every row of every table. */
export async function dumpDatabase(db: Db): Promise<string> {
  const tables = await db.read.introspection.getTables();
  const values: string[] = [];
  for (const { name } of tables) {
    if (PARTS_OF_INDEX.test(name)) continue;
    const { rows } = await sql<
      Record<string, unknown>
    >`select * from ${sql.table(name)}`.execute(db.read);
    for (const value of rows.flatMap((row) => Object.values(row)))
      values.push(
        value instanceof Uint8Array
          ? Buffer.from(value).toString("latin1")
          : String(value),
      );
  }
  return values.join("\n");
}

/** The secret numbers of a key, as they may be written: all but them is public. */
function formsOf(key: KeyObject): string[] {
  const { d, p, q } = key.export({ format: "jwk" });
  return [d, p, q].flatMap((number) => {
    if (typeof number !== "string") return [];
    const bytes = Buffer.from(number, "base64url").subarray(0, PART_BYTES);
    const hex = bytes.toString("hex");
    return [
      bytes.toString("latin1"),
      hex,
      hex.toUpperCase(),
      bytes.join(","),
      ...[0, 1, 2].flatMap((offset) => [
        base64At(bytes, offset, "base64"),
        base64At(bytes, offset, "base64url"),
      ]),
    ];
  });
}

/** The common part of the base64 with `offset` preceding bytes (modulo 3). */
function base64At(
  bytes: Buffer,
  offset: number,
  encoding: "base64" | "base64url",
): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString(encoding);
  const start = [0, 2, 3][offset] ?? 0;
  return text.slice(start, start + 36);
}
