import type { Unpacked } from "../../lib/archives/unpack.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Blocks } from "../blocks/index.ts";
import type { Bookmarks } from "../bookmarks/index.ts";
import type { Comment, Comments } from "../comments/index.ts";
import type { People, Person } from "../people/index.ts";
import type { Photos } from "../photos/index.ts";
import type { Author, Post, Posts } from "../posts/index.ts";
import type { Streams } from "../streams/index.ts";
import type { Accounts } from "../accounts/index.ts";
import type { Calendars } from "../calendars/index.ts";
import type { Contacts } from "../contacts/index.ts";
import type { Drafts } from "../drafts/index.ts";
import type { Events } from "../events/index.ts";
import type { FeaturedTags } from "../featured-tags/index.ts";
import type { Filters } from "../filters/index.ts";
import type { Likes } from "../likes/index.ts";
import type { Notifications } from "../notifications/index.ts";
import type { PersonNotes } from "../person-notes/index.ts";
import type { Reminders } from "../reminders/index.ts";
import type { SubscribedCalendars } from "../subscribed-calendars/index.ts";
import type { Threads } from "../threads/index.ts";
import type { WorkBudget } from "../../lib/limits/work-budget.ts";
import type { AspectId, PersonId } from "../ids.ts";
import type { DeriveGuid } from "./derive-guid.ts";
import type { Fault, ItemKind, ItemWriting } from "./import-item.ts";
import type { Outcomes } from "./import-report.ts";
import type { OldAccount, Source } from "./source-format.ts";

export type ImportDeps = {
  readonly clock: Clock;
  readonly aspects: Aspects;
  readonly blocks: Blocks;
  readonly bookmarks: Bookmarks;
  readonly comments: Comments;
  readonly people: People;
  readonly photos: Photos;
  readonly posts: Posts;
  readonly streams: Streams;
  readonly accounts: Pick<Accounts, "changeSettings" | "getSettings">;
  readonly calendars: Pick<Calendars, "createSynced" | "findNamed" | "list">;
  readonly contacts: Pick<Contacts, "changeChoices" | "find">;
  readonly drafts: Pick<Drafts, "list" | "save">;
  readonly events: Pick<Events, "find" | "findVisible" | "import">;
  readonly featuredTags: Pick<FeaturedTags, "add" | "list">;
  readonly filters: Pick<Filters, "list" | "save" | "statuses">;
  readonly likes: Pick<Likes, "import" | "listBy">;
  readonly notifications: Pick<Notifications, "choices">;
  readonly personNotes: Pick<PersonNotes, "listAmong" | "save">;
  readonly reminders: Pick<Reminders, "choose" | "get">;
  readonly subscribedCalendars: Pick<
    SubscribedCalendars,
    "isSubscribed" | "list" | "subscribeLater"
  >;
  readonly threads: Pick<Threads, "listMuted" | "mute">;
  readonly deriveGuid: DeriveGuid;
  /** Finds a person, on the network if need be. */
  readonly findPerson: (handle: string) => Promise<Person | undefined>;
  /**
   * Moves an account elsewhere to the user, if the private key is its key.
   * @returns its person with `moved` and `known`
   */
  readonly moveByKey: (
    user: Author,
    old: OldAccount & { readonly isRehearsal: boolean },
  ) => Promise<{
    readonly kind:
      "moved" | "known" | "refused" | "unknown_person" | "wrong_key";
    readonly oldId?: PersonId;
  }>;
  /** Opens the archive of another program; undefined for an unknown one. */
  readonly openOther: (files: Unpacked) => Promise<Source | undefined>;
  /** Fetches a picture of another server; undefined if it does not give it. */
  readonly fetchPicture: (url: string) => Promise<Uint8Array | undefined>;
  /** Of a picture, a sound or a video. */
  readonly maxMediaBytes: number;
};

/** The limits of one import by a person. */
export type PersonLimits = {
  /** Of its unpacked files together. */
  readonly maxBytes: number;
  readonly maxRecords: number;
  /** Pictures, some of which are asked for on another server. */
  readonly maxPictures: number;
  /** People who are followed, blocked or ignored: each may be asked for on another server. */
  readonly maxPeople: number;
};

/** The outcome of a record. */
export type RecordOutcome = "added" | "known" | Fault;

/** An import, or the rehearsal of one, which changes nothing. */
export type ImportRun = {
  readonly user: Author;
  readonly source: Source;
  readonly isRehearsal: boolean;
  readonly outcomes: Outcomes;
  /** Limits for what people import by themselves; operators have none. */
  readonly limits?: PersonLimits | undefined;
  /** The posts and comments that a rehearsal would have stored, by their Guids. */
  readonly planned: Map<string, ItemWriting["audience"]>;
  /** How many things of a kind there are, with those that a rehearsal would have added. */
  readonly counts: Map<ItemKind, number>;
  /** For the rules of all events. */
  readonly budget: WorkBudget;
  /** The account of the archive moves here, as its owner asks. */
  readonly moves: boolean;
  /** The person of that account, once the key has proved it. */
  formerId?: PersonId;
  /** The aspects of the user by their names, once they were needed. */
  aspects?: Map<string, AspectId>;
};

/** Of a post or a comment of the user. */
export type OwnWriting =
  | { readonly kind: "post"; readonly post: Post }
  | { readonly kind: "comment"; readonly comment: Comment };
