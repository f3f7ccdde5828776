import type { Reader, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { recurringKind, type JobHandler } from "../../jobs/job.ts";
import { createTtlCache } from "../../lib/caching/ttl-cache.ts";
import { KithError } from "../../lib/errors.ts";
import { withParents } from "../../lib/host-name.ts";
import {
  rangesAround,
  RANGE_LENGTHS,
} from "../../lib/http-client/addresses.ts";
import { timestamp } from "../../lib/time/clock.ts";
import type { Doer } from "../audit/index.ts";
import type { Page } from "../page.ts";
import {
  deleteBan,
  deleteExpiredBans,
  findBan,
  listBans,
  listBansOf,
  listShutOut,
} from "./ban-store.ts";
import { BAN_SEVERITIES, domainOf, hashMailAddress } from "./ban.ts";
import type { Ban, BanKind, BanSeverity } from "./ban.ts";
import {
  BANS_LOCK,
  setBan,
  targetOf,
  type NewBan,
  type SetBanDeps,
} from "./set-ban.ts";

export {
  BAN_KINDS,
  BAN_SEVERITIES,
  type Ban,
  type BanKind,
  type BanSeverity,
} from "./ban.ts";
export type { NewBan } from "./set-ban.ts";

/** The job that deletes bans that have ended. */
export const FORGET_BANS = recurringKind("forget-bans");

/** The handler of {@link FORGET_BANS}. */
export function createForgetBans({
  db,
  clock,
}: Pick<SetBanDeps, "clock" | "db">): JobHandler<Record<string, never>> {
  return async () => {
    await db.transaction((tx) => deleteExpiredBans(tx, timestamp(clock.now())));
    return { kind: "again", afterMs: FORGET_EVERY_MS };
  };
}

const FORGET_EVERY_MS = 6 * 3_600_000;
/** For how long another process may not know of a change. */
const KEEP_MS = 1_000;

/** The network of somebody who signs up, and the mail address as `readMailAddress` gives it. */
export type Newcomer = {
  readonly from?: string | undefined;
  readonly mail?: string | undefined;
};

/** Mail domains, mail addresses and networks that are kept from signing up. */
export type Bans = ReturnType<typeof createBans>;

export function createBans(deps: SetBanDeps) {
  const { db, clock, audit } = deps;
  const now = () => timestamp(clock.now());
  const shutOut = createTtlCache(clock, KEEP_MS, async () => {
    const rows = await listShutOut(db.read, now());
    const ends = new Map(rows.map((row) => [row.value, row.expires_at]));
    const lengths = new Set([...ends.keys()].map(lengthOf));
    return { ends, lengths };
  });
  const isWithin = (
    { ends, lengths }: Awaited<ReturnType<typeof shutOut.get>>,
    network: string,
  ): boolean => {
    if (ends.size === 0) return false;
    return rangesAround(network, lengths).some((range) => {
      const end = ends.get(range);
      return end === null || (end !== undefined && end > now());
    });
  };
  const onMail = async (address: string, reader: Reader = db.read) => {
    const domains = withParents(domainOf(address));
    const hash = hashMailAddress(address);
    return [
      ...(await listBansOf(reader, "mail_domain", domains, now())),
      ...(await listBansOf(reader, "mail_address", [hash], now())),
    ];
  };
  const judge = async ({ from, mail }: Newcomer, reader: Reader = db.read) => {
    const ranges = rangesAround(from ?? "", RANGE_LENGTHS);
    return {
      network: strictest(await listBansOf(reader, "network", ranges, now())),
      mail: strictest(mail === undefined ? [] : await onMail(mail, reader)),
    };
  };

  return {
    /** Bans, or changes the ban of the same. @throws {KithError} `bad_request` */
    set: async (by: Doer, ban: NewBan): Promise<Ban> => {
      const made = await setBan(deps, by, ban);
      shutOut.forget();
      return made;
    },
    /** Lifts a ban of these kinds. @throws {KithError} `not_found` */
    lift: async (
      by: Doer,
      id: number,
      kinds?: readonly BanKind[],
    ): Promise<void> => {
      await db.transaction(async (tx) => {
        const ban = await findBan(tx, id, now());
        if (
          !ban ||
          kinds?.includes(ban.kind) === false ||
          !(await deleteBan(tx, id))
        )
          throw new KithError("not_found", "There is no such ban.");
        const target = targetOf(ban);
        await audit.recordAct(tx, { by, action: "ban.lift", target });
      });
      shutOut.forget();
    },
    find: (id: number) => findBan(db.read, id, now()),
    /** The bans of some kinds, newest first. */
    list: (kinds: readonly BanKind[], page: Page) =>
      listBans(db.read, kinds, now(), page),
    /** The bans of exactly this mail address. */
    listOnAddress: (address: string) =>
      listBansOf(db.read, "mail_address", [hashMailAddress(address)], now()),
    /** The strictest ban that somebody who signs up meets, by part. */
    judge: (newcomer: Newcomer) => judge(newcomer),
    /**
     * The same in the transaction that creates the account: a ban that is set meanwhile waits for
     * its end, or is met.
     */
    judgeWithin: async (tx: Tx, newcomer: Newcomer) => {
      await lockKey(tx, db.dialect, BANS_LOCK);
      return judge(newcomer, tx);
    },
    /** Is the address kept from being that of an account? */
    isMailRefused: async (address: string): Promise<boolean> =>
      strictest(await onMail(address)) === "no_sign_ups",
    /** Is a network kept from all access? At once where the bans are known. */
    isShutOut: (network: string): boolean | Promise<boolean> => {
      const known = shutOut.peek();
      return known
        ? isWithin(known, network)
        : shutOut.get().then((found) => isWithin(found, network));
    },
  };
}

const lengthOf = (range: string) => Number(range.split("/")[1]);

function strictest(bans: readonly Ban[]): BanSeverity | undefined {
  return BAN_SEVERITIES.findLast((severity) =>
    bans.some((ban) => ban.severity === severity),
  );
}
