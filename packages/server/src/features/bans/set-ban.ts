import type { Db } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { KithError } from "../../lib/errors.ts";
import {
  rangesAround,
  RANGE_LENGTHS,
} from "../../lib/http-client/addresses.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { storableText } from "../../lib/well-formed.ts";
import type { Audit, Doer } from "../audit/index.ts";
import {
  countBans,
  deleteExpiredBans,
  listBansOf,
  saveBan,
} from "./ban-store.ts";
import {
  MAX_BAN_COMMENT,
  readBanned,
  type Ban,
  type BanKind,
  type BanSeverity,
} from "./ban.ts";

export type SetBanDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
};

export type NewBan = {
  readonly kind: BanKind;
  /** A domain, an address or its hash, or a network, as people type it. */
  readonly value: string;
  readonly severity: BanSeverity;
  readonly comment?: string | undefined;
  /** From now on; without an end if absent. */
  readonly forMs?: number | undefined;
  /** The network of the admin, who must not be shut out. */
  readonly from?: string | undefined;
};

/** Sign-ups and new bans wait for each other. */
export const BANS_LOCK = "bans";

const DAY_MS = 86_400_000;
const MAX_BAN_DAYS = 3_650;
const MAX_BANS = 20_000;

/**
 * Bans, or changes the ban of the same.
 * @throws {KithError} `bad_request` for a value that is none of its kind, a severity that
 *   does not fit it, a comment or a time that is too long, an own network, or too many bans
 */
export async function setBan(
  deps: SetBanDeps,
  by: Doer,
  given: NewBan,
): Promise<Ban> {
  const value = checkBan(given);
  const { kind, severity, forMs } = given;
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    await lockKey(tx, deps.db.dialect, BANS_LOCK);
    await deleteExpiredBans(tx, timestamp(now));
    const [before] = await listBansOf(tx, kind, [value], timestamp(now));
    if (!before && (await countBans(tx)) >= MAX_BANS)
      throw refuse(`There are ${MAX_BANS} bans already.`);
    const ban = await saveBan(tx, {
      ...{ kind, value, severity },
      comment: storableText(given.comment ?? "").trim(),
      createdAt: timestamp(now),
      expiresAt: forMs === undefined ? null : timestamp(later(now, forMs)),
    });
    await deps.audit.recordAct(tx, {
      ...{ by, action: "ban.set", target: targetOf(ban), details: severity },
    });
    return ban;
  });
}

/** @returns the value in its canonical spelling */
function checkBan(given: NewBan): string {
  const { kind, severity, forMs, comment = "", from } = given;
  if ([...comment].length > MAX_BAN_COMMENT)
    throw refuse(
      `The parameter comment must have at most ${MAX_BAN_COMMENT} characters.`,
    );
  const value = readBanned(kind, given.value);
  if (value === undefined) throw refuse(WANTED[kind]);
  if (kind !== "network" && severity === "no_access")
    throw refuse("Only a network can be kept from all access.");
  if (forMs !== undefined && !(forMs > 0 && forMs <= MAX_BAN_DAYS * DAY_MS))
    throw refuse(`A ban ends after at most ${MAX_BAN_DAYS} days.`);
  if (severity === "no_access" && from !== undefined)
    if (rangesAround(from, RANGE_LENGTHS).includes(value))
      throw refuse("That network is your own.");
  return value;
}

const WANTED: Readonly<Record<BanKind, string>> = {
  mail_domain: "The parameter value must be a mail domain such as example.org.",
  mail_address:
    "The parameter value must be a mail address, or the SHA-256 of one.",
  network:
    "The parameter value must be an IP address, or a range such as 192.0.2.0/24, not wider than /8, or /16 for IPv6.",
};

const refuse = (message: string) => new KithError("bad_request", message);

/**
 * The name of a ban in the audit log, whose entries are kept for ever: of the address and the
 * network of a person nothing but the number of the ban.
 */
export function targetOf({ kind, value, id }: Ban): string {
  if (kind === "mail_domain") return value;
  return `${kind === "network" ? "network" : "mail address"} ${id}`;
}
