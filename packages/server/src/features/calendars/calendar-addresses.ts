import {
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import type { Db, Reader } from "../../db/db.ts";
import { KithError } from "../../lib/errors.ts";
import { timestamp, type Clock, type Timestamp } from "../../lib/time/clock.ts";
import type { CalendarId, UserId } from "../ids.ts";
import {
  findAddressedCalendar,
  updateSecretAddress,
  type AddressedCalendar,
} from "./calendar-address-store.ts";

export type AddressesDeps = {
  readonly db: Db;
  readonly clock: Clock;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
};

/** Where other programs read a calendar. */
export type CalendarAddresses = {
  readonly guid: string;
  readonly secret?: { readonly word: string; readonly since: Timestamp };
};

const PURPOSE = "kith calendar addresses";
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/**
 * The addresses of calendars. The secret word of one is derived from the
 * server's key and a salt: the database alone does not reveal it, and its owner
 * can be shown it again.
 */
export function createCalendarAddresses(deps: AddressesDeps) {
  const { db, clock } = deps;
  const key = new Uint8Array(
    hkdfSync("sha256", deps.secretKey, "", PURPOSE, KEY_BYTES),
  );
  const wordOf = (guid: string, salt: string) =>
    createHmac("sha256", key).update(`${guid} ${salt}`).digest("base64url");
  const present = ({ guid, secret }: AddressedCalendar): CalendarAddresses =>
    secret
      ? {
          guid,
          secret: { word: wordOf(guid, secret.salt), since: secret.since },
        }
      : { guid };
  return {
    /** @throws {KithError} `not_found`, also for another user's calendar */
    getAddresses: async (userId: UserId, id: CalendarId) =>
      present(await getOwn(db.read, userId, id)),
    /**
     * Makes a secret address; the former one ends.
     * @throws {KithError} `not_found`
     */
    renewSecretAddress: (userId: UserId, id: CalendarId) =>
      db.transaction(async (tx) => {
        const calendar = await getOwn(tx, userId, id);
        const salt = randomBytes(SALT_BYTES).toString("base64url");
        const secret = { salt, since: timestamp(clock.now()) };
        await updateSecretAddress(tx, id, secret);
        return present({ ...calendar, secret });
      }),
    /** @throws {KithError} `not_found` for another user's calendar */
    endSecretAddress: (userId: UserId, id: CalendarId) =>
      db.transaction(async (tx) => {
        await getOwn(tx, userId, id);
        await updateSecretAddress(tx, id, null);
      }),
    /** A calendar for everyone who knows its Guid. */
    findByGuid: (guid: string) => findAddressedCalendar(db.read, { guid }),
    /** A calendar for those who know its secret address. */
    findBySecret: async (guid: string, word: string) => {
      const found = await findAddressedCalendar(db.read, { guid });
      if (!found?.secret) return undefined;
      const expected = wordOf(found.guid, found.secret.salt);
      return isSame(word, expected) ? found : undefined;
    },
  };
}

const SECRET_IN_PATH = /(\/calendars\/[0-9a-f]{32}\/)[^/?#"\s]+/g;

/** Redacts the secret addresses of calendars in a log line. */
export function hideSecretCalendars(line: string): string {
  return line.replaceAll(SECRET_IN_PATH, "$1[secret]");
}

/** Takes the same time wherever the words differ. */
function isSame(word: string, expected: string): boolean {
  const [one, other] = [Buffer.from(word), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

async function getOwn(
  reader: Reader,
  userId: UserId,
  id: CalendarId,
): Promise<AddressedCalendar> {
  const calendar = await findAddressedCalendar(reader, { id, userId });
  if (!calendar) throw new KithError("not_found", "No such calendar.");
  return calendar;
}
