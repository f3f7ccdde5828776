import type { Reader, Tx } from "../../db/db.ts";
import type { Timestamp } from "../../lib/time/clock.ts";

/** Sign-up for anybody, after approval, or for nobody without an invitation. */
export type Registration = "open" | "approval" | "closed";

/** The description of the server by its admins. Empty texts say nothing. */
export type ServerProfile = {
  readonly name: string;
  /** Markdown. */
  readonly description: string;
  /** Markdown. */
  readonly rules: string;
  /** null: as the configuration says. */
  readonly registration: Registration | null;
  /** Read before somebody signs up. Markdown. */
  readonly joining: string;
  /** The terms of use. Markdown. */
  readonly terms: string;
  /** The privacy policy of the admins. Markdown. */
  readonly privacy: string;
  /** The username of the contact. */
  readonly contact: string;
  /** A mail address, for people and for those who report security holes. */
  readonly contactMail: string;
  /** A language of the pages, for readers whose own is not known. */
  readonly language: string;
  /** The accent on light ground, as `#rrggbb`. */
  readonly accentLight: string;
  /** The accent on dark ground, as `#rrggbb`. */
  readonly accentDark: string;
  /** CSS, after the style sheet of the pages. */
  readonly style: string;
  /** For how many days an account is new; 0: there are no limits for new accounts. */
  readonly newcomerDays: number;
  /** Posts and comments of a new account a day; 0: no limit. */
  readonly newcomerPosts: number;
  /** People whom a new account follows a day; 0: no limit. */
  readonly newcomerFollows: number;
  /** May new accounts write links? */
  readonly newcomerLinks: boolean;
  /** The age in years from which people may sign up; 0: any. */
  readonly minAge: number;
};

/** The stored picture of the server. */
export type ServerPicture = {
  /** 32 hexadecimal digits, as those of photos: files are swept by them. */
  readonly guid: string;
  /** Such as `image/png`. */
  readonly mediaType: string;
  /** Pixels of the largest file. */
  readonly width: number;
  readonly height: number;
};

/** When the texts last changed; null if they never did. */
export type TextTimes = {
  readonly descriptionAt: Timestamp | null;
  readonly termsAt: Timestamp | null;
  readonly privacyAt: Timestamp | null;
};

export type StoredServer = ServerProfile &
  TextTimes & { readonly picture: ServerPicture | null };

/** The table has one row. */
const ONLY = 1;

export async function findServerProfile(
  reader: Reader,
): Promise<StoredServer | undefined> {
  const row = await reader
    .selectFrom("server_profile")
    .select(["name", "description", "rules", "registration"])
    .select(["joining", "terms", "privacy", "contact", "language", "style"])
    .select(["contact_mail as contactMail", "accent_light as accentLight"])
    .select(["newcomer_days as newcomerDays", "min_age as minAge"])
    .select(["newcomer_posts as newcomerPosts", "newcomer_links"])
    .select(["newcomer_follows as newcomerFollows"])
    .select(["accent_dark as accentDark", "description_at as descriptionAt"])
    .select(["terms_at as termsAt", "privacy_at as privacyAt"])
    .select(["picture_guid as guid", "picture_type as mediaType"])
    .select(["picture_width as width", "picture_height as height"])
    .where("id", "=", ONLY)
    .executeTakeFirst();
  if (!row) return undefined;
  const { guid, mediaType, width, height, newcomer_links, ...profile } = row;
  const newcomerLinks = Boolean(newcomer_links);
  const picture = guid === "" ? null : { guid, mediaType, width, height };
  return { ...profile, newcomerLinks, picture };
}

/** Leaves the picture as it is. */
export async function saveServerProfile(
  tx: Tx,
  profile: ServerProfile & TextTimes,
  now: Timestamp,
): Promise<void> {
  const { contactMail, accentLight, accentDark, ...texts } = profile;
  const { descriptionAt, termsAt, privacyAt, ...others } = texts;
  const { newcomerDays, newcomerPosts, newcomerFollows, ...more } = others;
  const { newcomerLinks, minAge, ...rest } = more;
  const columns = {
    ...{ ...rest, contact_mail: contactMail, updated_at: now },
    ...{ accent_light: accentLight, accent_dark: accentDark },
    ...{ terms_at: termsAt, privacy_at: privacyAt },
    description_at: descriptionAt,
    ...{ newcomer_days: newcomerDays, newcomer_posts: newcomerPosts },
    ...{ newcomer_follows: newcomerFollows, newcomer_links: newcomerLinks },
    min_age: minAge,
  };
  await tx
    .insertInto("server_profile")
    .values({ id: ONLY, ...columns })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(columns))
    .execute();
}

/** Needs the row of the server. */
export async function saveServerPicture(
  tx: Tx,
  picture: ServerPicture | null,
  now: Timestamp,
): Promise<void> {
  const { guid = "", mediaType = "", width = 0, height = 0 } = picture ?? {};
  await tx
    .updateTable("server_profile")
    .set({ picture_guid: guid, picture_type: mediaType, updated_at: now })
    .set({ picture_width: width, picture_height: height })
    .where("id", "=", ONLY)
    .execute();
}
