import {
  asList,
  asObject,
  type Json,
} from "../../../../lib/archives/read-json.ts";
import {
  NOTIFICATION_KINDS,
  NOTIFYING_PEOPLE,
} from "../../../notifications/index.ts";
import { MAX_FIELDS } from "../../../people/index.ts";
import type { ImportItem } from "../../import-item.ts";
import type {
  ItemNotificationChoices,
  ItemProfile,
  ItemSettings,
} from "../../item-shapes.ts";
import {
  readCount,
  readFlag,
  readStorable,
  readTexts,
  readWord,
} from "./kith-records.ts";

const AUDIENCES = ["everyone", "contacts", "nobody"] as const;

/** @param pictures the names of their files; null without them */
export function* readProfile(
  profile: Json,
  { picture, header }: Pick<ItemProfile, "header" | "picture">,
): Generator<ImportItem, void, undefined> {
  if (Object.keys(profile).length === 0) return;
  const { firstName, lastName, bio, gender, location, birthday } = profile;
  const shownTo = asObject(profile["shownTo"]);
  const audienceOf = (name: keyof NonNullable<ItemProfile["shownTo"]>) =>
    // The narrowest, for a choice that cannot be read.
    readWord(shownTo[name], AUDIENCES) ?? "nobody";
  yield {
    kind: "profile",
    name: `${readStorable(firstName)} ${readStorable(lastName)}`.trim(),
    profile: {
      ...{
        firstName: readStorable(firstName),
        lastName: readStorable(lastName),
      },
      ...{ bio: readStorable(bio), gender: readStorable(gender) },
      location: readStorable(location),
      birthday: readStorable(birthday) || null,
      fields: asList(profile["fields"])
        .slice(0, MAX_FIELDS)
        .map(asObject)
        .map(({ name, value }) => ({
          ...{ name: readStorable(name), value: readStorable(value) },
        })),
      shownTo: {
        ...{ bio: audienceOf("bio"), birthday: audienceOf("birthday") },
        ...{ gender: audienceOf("gender"), location: audienceOf("location") },
      },
      ...readFlags(profile, ["indexable", "locked", "nsfw", "searchable"]),
      kind: profile["kind"] === "bot" ? "bot" : "person",
      ...{ picture, header },
    },
  };
}

function readFlags<Name extends string>(
  record: Json,
  names: readonly Name[],
): Partial<Record<Name, boolean>> {
  const flags: Partial<Record<Name, boolean>> = {};
  for (const name of names) {
    const flag = readFlag(record[name]);
    if (flag !== undefined) flags[name] = flag;
  }
  return flags;
}

const DEFAULTS = [
  ...(["everyone", "unlisted", "followers"] as const),
  ...(["all_aspects", "aspects", "self"] as const),
] as const;
const QUOTABLE = ["everyone", "followers", "nobody"] as const;

/** The choices of an account; its name, its keys and what it may do are not imported. */
export function* readSettings(
  account: Json,
): Generator<ImportItem, void, undefined> {
  const { locale, timeZone, postLanguage, readLanguages } = account;
  const { eventReminder, dayReminder } = account;
  const linkPreviews = readFlag(account["linkPreviews"]);
  const quotableBy = readWord(account["quotableBy"], QUOTABLE);
  const audience = readDefault(account["defaultAudience"]);
  const settings: ItemSettings = {
    ...(readStorable(locale) !== "" && { locale: readStorable(locale) }),
    ...(readStorable(timeZone) !== "" && { timeZone: readStorable(timeZone) }),
    ...(linkPreviews !== undefined && { linkPreviews }),
    ...(quotableBy !== undefined && { quotableBy }),
    ...(audience && { audience }),
    ...(postLanguage !== undefined && {
      postLanguage: readStorable(postLanguage) || null,
    }),
    ...(readLanguages !== undefined && {
      readLanguages: readTexts(readLanguages),
    }),
    ...(eventReminder !== undefined && {
      eventReminder: readCount(eventReminder) ?? null,
    }),
    ...(dayReminder !== undefined && {
      dayReminder: readCount(dayReminder) ?? null,
    }),
  };
  if (Object.keys(settings).length > 0)
    yield { kind: "setting", name: "account", settings };
}

function readDefault(value: unknown): ItemSettings["audience"] {
  const { kind, aspects } = asObject(value);
  const known = readWord(kind, DEFAULTS);
  return known && { kind: known, aspects: readTexts(aspects), people: [] };
}

/** The choices of notifications. */
export function readChoices(record: Json): ImportItem {
  const given = asObject(record["senders"]);
  const senders: {
    -readonly [
      Kind in keyof ItemNotificationChoices
    ]: ItemNotificationChoices[Kind];
  } = {};
  for (const kind of NOTIFICATION_KINDS) {
    const people = readWord(given[kind], NOTIFYING_PEOPLE);
    if (people !== undefined) senders[kind] = people;
  }
  return {
    ...{ kind: "setting", name: "notifications" },
    senders,
    dropped: readTexts(record["dropped"]),
  };
}
