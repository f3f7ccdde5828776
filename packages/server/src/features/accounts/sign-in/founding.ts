import { createHash, hkdfSync, timingSafeEqual } from "node:crypto";
import { KithError } from "../../../lib/errors.ts";
import type { Db, Tx } from "../../../db/db.ts";
import { hasAdmin } from "../account-store.ts";
import { lockAdmins } from "./sign-in.ts";

/** 100 bits in base 32. */
const BYTES = 20;
const SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/**
 * The code with which the first admin of a server signs up. It follows from the secret key,
 * so nothing is stored, and works only while there is no admin.
 */
export function setupCodeOf(secretKey: Uint8Array): string {
  const bytes = new Uint8Array(
    hkdfSync("sha256", secretKey, "", "kith first admin", BYTES),
  );
  const signs = [...bytes].map((byte) => SIGNS[byte % SIGNS.length]).join("");
  return signs.replaceAll(/(.{5})(?=.)/g, "$1-");
}

/** Is it the code? Case, blanks and dashes do not matter. */
export function isSetupCode(expected: string, typed: string): boolean {
  const digest = (text: string) =>
    createHash("sha256")
      .update(text.replaceAll(/[\s-]/g, "").toUpperCase())
      .digest();
  return timingSafeEqual(digest(expected), digest(typed));
}

/**
 * Two who set up one server at the same time must not both become its admin.
 * @throws {KithError} `not_found` if there is an admin
 */
export async function refuseSecondFounder(db: Db, tx: Tx): Promise<void> {
  await lockAdmins(db, tx);
  if (await hasAdmin(tx))
    throw new KithError("not_found", "The server is set up.");
}
