import type { Db, Reader, Tx } from "../../db/db.ts";
import { timestamp, type Clock } from "../../lib/time/clock.ts";
import { primaryLanguage, readLanguageTag } from "../../lib/language-tag.ts";
import { readTimeZone } from "../../lib/time/datetime.ts";
import { KithError } from "../../lib/errors.ts";
import { isLanguage } from "../../lib/messages/messages.ts";
import type { UserId } from "../ids.ts";
import type { Settings } from "./account.ts";
import { findAccount, updateSettings } from "./account-store.ts";
import { lockAccount } from "./sign-in/sign-in.ts";

/** @throws {KithError} `not_found` */
export async function getSettings(
  reader: Reader,
  userId: UserId,
): Promise<Settings> {
  const account = await findAccount(reader, { id: userId });
  if (!account) throw new KithError("not_found", "No such account.");
  const { audience, locale, timeZone, linkPreviews } = account;
  const { postLanguage, readLanguages, quotableBy } = account;
  return {
    ...{ audience, locale, timeZone, linkPreviews },
    ...{ postLanguage, readLanguages, quotableBy },
    eventReminder: account.eventReminder,
    dayReminder: account.dayReminder,
  };
}

/**
 * Changes the given settings and leaves the rest.
 * @param check throws if the changes are refused, or writes what follows from them, in the
 *   same transaction
 * @throws {KithError} `bad_request` for an unsupported language or an unknown time zone
 */
export async function changeSettings(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  userId: UserId,
  changes: Partial<Settings>,
  check: (tx: Tx) => Promise<void> = async () => {},
): Promise<Settings> {
  const { locale } = changes;
  if (locale !== undefined && !isLanguage(locale))
    throw new KithError(
      "bad_request",
      "The locale must be a language in which this server speaks, such as en.",
    );
  const timeZone =
    changes.timeZone === undefined
      ? undefined
      : (readTimeZone(changes.timeZone) ?? refuseZone());
  return db.transaction(async (tx) => {
    await lockAccount(db, tx, userId);
    const before = await getSettings(tx, userId);
    const settings = {
      audience: changes.audience ?? before.audience,
      locale: locale ?? before.locale,
      timeZone: timeZone ?? before.timeZone,
      linkPreviews: changes.linkPreviews ?? before.linkPreviews,
      ...languages(changes, before),
      quotableBy: changes.quotableBy ?? before.quotableBy,
      ...reminders(changes, before),
    };
    await check(tx);
    await updateSettings(tx, userId, settings, timestamp(clock.now()));
    return settings;
  });
}

/** Four weeks. */
const MAX_REMINDER_MINUTES = 40_320;

/** @throws {KithError} `bad_request` for a time that is none, or longer than four weeks */
function reminders(
  changes: Partial<Settings>,
  before: Settings,
): Pick<Settings, "dayReminder" | "eventReminder"> {
  const { eventReminder = before.eventReminder } = changes;
  const { dayReminder = before.dayReminder } = changes;
  const isFine = [eventReminder, dayReminder].every(
    (it) =>
      it === null ||
      (Number.isInteger(it) && it >= 0 && it <= MAX_REMINDER_MINUTES),
  );
  if (!isFine)
    throw new KithError(
      "bad_request",
      `A reminder must be between 0 and ${MAX_REMINDER_MINUTES} minutes before.`,
    );
  return { eventReminder, dayReminder };
}

/** More than anybody reads, so that no list grows without end. */
const MAX_READ_LANGUAGES = 100;

/** @throws {KithError} `bad_request` for a tag that is no language */
function languages(
  changes: Partial<Settings>,
  before: Settings,
): Pick<Settings, "postLanguage" | "readLanguages"> {
  const { postLanguage = before.postLanguage, readLanguages } = changes;
  const read = readLanguages?.map((tag) =>
    primaryLanguage(readLanguageTag(tag) ?? refuseLanguage()),
  );
  const unique = [...new Set(read)].sort();
  if (unique.length > MAX_READ_LANGUAGES)
    throw new KithError(
      "bad_request",
      `You can read at most ${MAX_READ_LANGUAGES} languages.`,
    );
  return {
    postLanguage:
      postLanguage === null
        ? null
        : (readLanguageTag(postLanguage) ?? refuseLanguage()),
    readLanguages: read === undefined ? before.readLanguages : unique,
  };
}

function refuseLanguage(): never {
  throw new KithError(
    "bad_request",
    "A language must be a tag of BCP 47, such as en or pt-BR.",
  );
}

function refuseZone(): never {
  throw new KithError(
    "bad_request",
    "The time zone must be one of the IANA database, such as Europe/Berlin.",
  );
}
