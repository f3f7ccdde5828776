import type { FollowChoices } from "../contacts/index.ts";
import type { DefaultAudience } from "../audiences/index.ts";
import type { Settings } from "../accounts/index.ts";
import type { DraftContent } from "../drafts/index.ts";
import type { ImportEvent } from "../events/index.ts";
import type { FilterChoice } from "../filters/index.ts";
import type { NotificationChoices } from "../notifications/index.ts";
import type { Profile } from "../people/index.ts";
import type { RepliesPolicy } from "../aspects/index.ts";
import type { NewUserStream } from "../streams/index.ts";

/** A profile; the choices that it lacks stay as they are. */
export type ItemProfile = Pick<
  Profile,
  | "bio"
  | "birthday"
  | "fields"
  | "firstName"
  | "gender"
  | "lastName"
  | "location"
> &
  Partial<
    Pick<
      Profile,
      "indexable" | "kind" | "locked" | "nsfw" | "searchable" | "shownTo"
    >
  > & {
    /** The name of its picture in the archive; null without one. */
    readonly picture: string | null;
    /** The same of the wide one above the profile. */
    readonly header?: string | null | undefined;
  };

/** An audience whose aspects and people are named. */
export type NamedAudience = {
  readonly kind: DraftContent["audience"]["kind"];
  readonly aspects: readonly string[];
  /** Handles. */
  readonly people: readonly string[];
};

export type ItemSettings = Partial<Omit<Settings, "audience">> & {
  readonly audience?: Omit<NamedAudience, "kind"> & {
    readonly kind: DefaultAudience["kind"];
  };
};

export type ItemNotificationChoices = Partial<NotificationChoices["senders"]>;

export type ItemAspect = {
  readonly name: string;
  readonly repliesPolicy: RepliesPolicy | undefined;
  readonly exclusive: boolean | undefined;
};

export type ItemFollowChoices = Omit<FollowChoices, "languages"> & {
  /** As the archive has them. */
  readonly languages: readonly string[];
};

/** A filter; one that has ended is read as a fault. */
export type ItemFilter = Omit<FilterChoice, "keywords"> & {
  readonly keywords: readonly {
    readonly keyword: string;
    readonly wholeWord: boolean;
  }[];
};

export type ItemStream = NewUserStream;

export type ItemCalendar = {
  /** Its name in its source, unique there. */
  readonly source: string;
  readonly name: string;
  /** As calendar programs have written them, by their names. */
  readonly properties: Readonly<Record<string, string>>;
};

export type ItemEvent = Omit<
  ImportEvent,
  "budget" | "calendarId" | "guid" | "owner"
> & {
  /** Its name in its source, unique there. */
  readonly source: string;
  /** The source of its calendar; null for none. */
  readonly calendar: string | null;
};

export type ItemSubscription = {
  readonly url: string;
  /** The user's own name for it; blank for the one that it gives itself. */
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
};

/** A post that was not published. */
export type ItemDraft = Pick<
  DraftContent,
  | "isTextOptional"
  | "language"
  | "location"
  | "nsfw"
  | "poll"
  | "quotableBy"
  | "text"
  | "warning"
> & {
  readonly audience: NamedAudience;
  /** The sources of its event and of the post that it quotes. */
  readonly event: string | null;
  readonly quoted: string | null;
  /** When it was to be published by itself; null for never. */
  readonly publishAt: string | null;
};
