import type { Db, Tx } from "../../db/db.ts";
import { withCurrentReads } from "../../lib/caching/old-reads.ts";
import { KithError } from "../../lib/errors.ts";
import { joinLines } from "../../lib/lines.ts";
import {
  isLanguage,
  LANGUAGES,
  type Language,
} from "../../lib/messages/messages.ts";
import { timestamp, type Timestamp } from "../../lib/time/clock.ts";
import { storableText } from "../../lib/well-formed.ts";
import { readMailAddress } from "../../lib/mail/mail-address.ts";
import type { Doer } from "../audit/index.ts";
import type { People, Person } from "../people/index.ts";
import { readAccent } from "./accent.ts";
import {
  findPictureFile,
  removeServerPicture,
  storePicture,
  type ServerPictureDeps,
} from "./server-picture.ts";
import {
  findServerProfile,
  saveServerProfile,
  type Registration,
  type ServerProfile,
  type StoredServer,
  type TextTimes,
} from "./server-profile-store.ts";
import { composeStyle, type ServerStyle } from "./style-sheet.ts";

export { contrastOfAccent, MIN_CONTRAST, showContrast } from "./accent.ts";
export { StyleRefused, type StyleFault } from "./style-sheet.ts";
export { pathOfPicture, SERVER_PICTURE_PATH } from "./server-picture.ts";
export type {
  Registration,
  ServerPicture,
  ServerProfile,
} from "./server-profile-store.ts";

/** In code points. */
export const SERVER_PROFILE_LIMITS = {
  name: 100,
  description: 1_000,
  rules: 5_000,
  joining: 2_000,
  terms: 20_000,
  privacy: 20_000,
  contact: 30,
  contactMail: 254,
} as const;

/** The highest numbers of the limits for new accounts, and the highest minimum age. */
export const NEWCOMER_LIMITS = {
  newcomerDays: 365,
  newcomerPosts: 10_000,
  newcomerFollows: 10_000,
  minAge: 120,
} as const;

type NumberName = keyof typeof NEWCOMER_LIMITS;

/** As shown: with what is in force. */
export type ShownServer = Omit<StoredServer, "language"> & {
  /** Where nothing else decides. */
  readonly language: Language;
  /** The style sheet to serve: the colours, and what the admins have written. */
  readonly sheet: ServerStyle | null;
  /** The registration in force: by the admins, else by the configuration. */
  readonly signUp: Registration;
};

export type ServerProfiles = ReturnType<typeof createServerProfile>;

type Deps = ServerPictureDeps & {
  readonly db: Db;
  /** By the configuration. */
  readonly registration: Registration;
  readonly people: Pick<People, "find">;
  /** The host of handles. */
  readonly handleHost: string;
};

const NOTHING: StoredServer = {
  ...{ name: "", description: "", rules: "", registration: null },
  ...{ joining: "", terms: "", privacy: "", contact: "", contactMail: "" },
  ...{ newcomerDays: 0, newcomerPosts: 0, newcomerFollows: 0 },
  ...{ newcomerLinks: true, minAge: 0 },
  ...{ language: "", accentLight: "", accentDark: "", style: "" },
  ...{ descriptionAt: null, termsAt: null, privacyAt: null, picture: null },
};

/** The language of pages and mails if nobody has chosen one. */
const DEFAULT_LANGUAGE: Language = "en";

/** Every page reads it. Other processes show a change after this time. */
const CACHED_MS = 5_000;

/** The description of the server, and its registration. */
export function createServerProfile(deps: Deps) {
  let cached:
    { readonly server: ShownServer; readonly atMs: number } | undefined;
  return {
    get: async (): Promise<ShownServer> => {
      const atMs = deps.clock.now().getTime();
      if (cached && Math.abs(atMs - cached.atMs) < CACHED_MS)
        return cached.server;
      const stored = await withCurrentReads(() =>
        findServerProfile(deps.db.read),
      );
      const profile = stored ?? NOTHING;
      const signUp = profile.registration ?? deps.registration;
      const language = languageOf(profile);
      const sheet = composeStyle(profile);
      const server = { ...profile, signUp, language, sheet };
      cached = { server, atMs };
      return server;
    },
    /**
     * Changes what is given, and leaves the rest.
     * @throws {KithError} `bad_request` for a text that is too long, a contact without an
     *   account here, no mail address, a language without pages, an accent that is hard to
     *   read, or a style sheet that is wrong or loads from elsewhere
     */
    save: async (by: Doer, given: Partial<ServerProfile>): Promise<void> => {
      await deps.db.transaction((tx) => describe(deps, tx, by, given));
      cached = undefined;
    },
    /**
     * Replaces the picture, together with other changes if there are any.
     * @throws {KithError} as `ImageProcessor` and `save`
     */
    setPicture: async (
      by: Doer,
      bytes: Uint8Array,
      given?: Partial<ServerProfile>,
    ): Promise<void> => {
      await storePicture(deps, by, bytes, (tx) =>
        given ? describe(deps, tx, by, given) : ensureRow(deps, tx),
      );
      cached = undefined;
    },
    /** Also without a picture. */
    removePicture: async (by: Doer): Promise<void> => {
      await removeServerPicture(deps, by);
      cached = undefined;
    },
    /** A file of the present picture, by the last segment of its path. */
    findPictureFile: (name: string) => findPictureFile(deps, name),
    /** Finds the contact, while the account is open. */
    findContact: async (): Promise<Person | undefined> => {
      const { contact } = (await findServerProfile(deps.db.read)) ?? NOTHING;
      return contact === "" ? undefined : findLocal(deps, contact);
    },
  };
}

async function describe(
  deps: Deps,
  tx: Tx,
  by: Doer,
  given: Partial<ServerProfile>,
): Promise<void> {
  const before = (await findServerProfile(tx)) ?? NOTHING;
  const profile = await readProfile(deps, before, given);
  const now = timestamp(deps.clock.now());
  const times = timesOf(before, profile, now);
  await saveServerProfile(tx, { ...profile, ...times }, now);
  await deps.audit.recordAct(tx, {
    ...{ by, action: "server.describe", target: profile.name },
    details: [profile.registration ?? "", ...changedLimits(before, profile)]
      .filter((it) => it !== "")
      .join(", "),
  });
}

/** The new values of the limits that an admin changed. */
function changedLimits(before: ServerProfile, now: ServerProfile): string[] {
  const names = [
    ...(["newcomerDays", "newcomerPosts", "newcomerFollows"] as const),
    ...(["newcomerLinks", "minAge"] as const),
  ];
  return names
    .filter((name) => before[name] !== now[name])
    .map((name) => `${name} ${now[name]}`);
}

function languageOf({ language }: Pick<ServerProfile, "language">): Language {
  return isLanguage(language) ? language : DEFAULT_LANGUAGE;
}

async function ensureRow({ clock }: Deps, tx: Tx): Promise<void> {
  if (await findServerProfile(tx)) return;
  const { picture: _, ...profile } = NOTHING;
  await saveServerProfile(tx, profile, timestamp(clock.now()));
}

function timesOf(
  before: StoredServer,
  now: ServerProfile,
  at: Timestamp,
): TextTimes {
  const timeOf = (text: "description" | "privacy" | "terms") =>
    now[text] === before[text] ? before[`${text}At`] : at;
  return {
    descriptionAt: timeOf("description"),
    termsAt: timeOf("terms"),
    privacyAt: timeOf("privacy"),
  };
}

async function findLocal(
  { people, handleHost }: Deps,
  username: string,
): Promise<Person | undefined> {
  const person = await people.find({ handle: `${username}@${handleHost}` });
  const isHere = person?.state === "active" && person.userId !== null;
  return isHere ? person : undefined;
}

/** @throws {KithError} `bad_request` */
async function readProfile(
  deps: Deps,
  before: ServerProfile,
  changes: Partial<ServerProfile>,
): Promise<ServerProfile> {
  const given = { ...before, ...changes };
  const contact = readText(given, "contact").replace(/^@/, "").toLowerCase();
  // The account of the present contact may be closed: it is not shown then.
  const isNew = contact !== "" && contact !== before.contact;
  if (isNew && !(await findLocal(deps, contact)))
    throw new KithError(
      "bad_request",
      "The parameter contact must be the name of an account here.",
    );
  const typed = storableText(given.contactMail).trim();
  const contactMail = typed === "" ? "" : readMailAddress(typed);
  if (contactMail === undefined)
    throw new KithError(
      "bad_request",
      "The parameter mail must be an e-mail address.",
    );
  return {
    name: joinLines(readText(given, "name"), " "),
    description: readText(given, "description"),
    rules: readText(given, "rules"),
    registration: given.registration,
    joining: readText(given, "joining"),
    terms: readText(given, "terms"),
    privacy: readText(given, "privacy"),
    ...{ contact, contactMail },
    language: readLanguage(given.language),
    accentLight: readAccent(given.accentLight, "light"),
    accentDark: readAccent(given.accentDark, "dark"),
    style: await readNewStyle(before, given),
    newcomerDays: readNumber(given, "newcomerDays", "newcomer_days"),
    newcomerPosts: readNumber(given, "newcomerPosts", "newcomer_posts"),
    newcomerFollows: readNumber(given, "newcomerFollows", "newcomer_follows"),
    newcomerLinks: given.newcomerLinks,
    minAge: readNumber(given, "minAge", "min_age"),
  };
}

async function readNewStyle(
  before: ServerProfile,
  given: ServerProfile,
): Promise<string> {
  const style = storableText(given.style);
  if (style === before.style || style.trim() === "") return style.trim();
  const { readStyle } = await import("./read-style.ts");
  return readStyle(style);
}

function readNumber(
  given: ServerProfile,
  field: NumberName,
  parameter: string,
): number {
  const value = given[field];
  const max = NEWCOMER_LIMITS[field];
  if (!Number.isSafeInteger(value) || value < 0 || value > max)
    throw new KithError(
      "bad_request",
      `The parameter ${parameter} must be a whole number from 0 to ${max}.`,
    );
  return value;
}

function readLanguage(given: string): string {
  const typed = given.trim().toLowerCase();
  if (typed !== "" && !isLanguage(typed))
    throw new KithError(
      "bad_request",
      `The parameter language must be one of ${LANGUAGES.join(", ")}, or empty.`,
    );
  return typed;
}

function readText(
  given: ServerProfile,
  field: keyof typeof SERVER_PROFILE_LIMITS,
): string {
  const text = storableText(given[field]).trim();
  const max = SERVER_PROFILE_LIMITS[field];
  if ([...text].length > max)
    throw new KithError(
      "bad_request",
      `The parameter ${field} must have at most ${max} characters.`,
    );
  return text;
}
