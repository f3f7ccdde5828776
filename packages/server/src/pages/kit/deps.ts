import type { FastifyReply, FastifyRequest } from "fastify";
import type {
  Accounts,
  Administration,
  SignedIn,
} from "../../features/accounts/index.ts";
import type { IsAtMediaHost } from "../../http/media-host.ts";
import type { Reminders } from "../../features/reminders/index.ts";
import type { Statistics } from "../../features/statistics/index.ts";
import type { Announcements } from "../../features/announcements/index.ts";
import type { Aspects } from "../../features/aspects/index.ts";
import type {
  Audiences,
  PreviewAudience,
} from "../../features/audiences/index.ts";
import type { Audit } from "../../features/audit/index.ts";
import type { Blocks } from "../../features/blocks/index.ts";
import type { Bookmarks } from "../../features/bookmarks/index.ts";
import type { Pins } from "../../features/pins/index.ts";
import type { Calendars } from "../../features/calendars/index.ts";
import type { Changes } from "../../features/changes/index.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import type { Conversations } from "../../features/conversations/index.ts";
import type { Comment, Comments } from "../../features/comments/index.ts";
import type { Drafts } from "../../features/drafts/index.ts";
import type { Likes } from "../../features/likes/index.ts";
import type { Bans } from "../../features/bans/index.ts";
import type { SpamRules } from "../../features/spam-rules/index.ts";
import type { HostPolicies } from "../../features/host-policies/index.ts";
import type { Invitations } from "../../features/invitations/index.ts";
import type { Events } from "../../features/events/index.ts";
import type { Exports } from "../../features/exports/index.ts";
import type { HeldImports } from "../../features/imports/index.ts";
import type { Leaving } from "../../features/leaving/index.ts";
import type { Filters } from "../../features/filters/index.ts";
import type { Homes } from "../../features/homes/index.ts";
import type { UserId } from "../../features/ids.ts";
import type { LinkPreviews } from "../../features/link-previews/index.ts";
import type { Mails } from "../../features/mail/index.ts";
import type { Moderation } from "../../features/moderation/index.ts";
import type { Notifications } from "../../features/notifications/index.ts";
import type { People, Person } from "../../features/people/index.ts";
import type { Participations } from "../../features/participations/index.ts";
import type { Oauth } from "../../features/oauth/index.ts";
import type { Polls } from "../../features/polls/index.ts";
import type { Push } from "../../features/push/index.ts";
import type { Quotes } from "../../features/quotes/index.ts";
import type { Reactions } from "../../features/reactions/index.ts";
import type { Receipts } from "../../features/receipts/index.ts";
import type { Texts } from "../../features/texts/index.ts";
import type { Threads } from "../../features/threads/index.ts";
import type { Photos } from "../../features/photos/index.ts";
import type { RemoteMedia } from "../../features/remote-media/index.ts";
import type { Suspensions } from "../../features/suspensions/index.ts";
import type { Post, Posts } from "../../features/posts/index.ts";
import type {
  ReadElsewhere,
  SubscribedCalendars,
} from "../../features/subscribed-calendars/index.ts";
import type { Submissions } from "../../features/submissions/index.ts";
import type { HeldTexts } from "../../features/held-texts/index.ts";
import type { Strikes } from "../../features/strikes/index.ts";
import type { Streams } from "../../features/streams/index.ts";
import type { OperatedQueue } from "../../features/queue/index.ts";
import type { ServerProfiles } from "../../features/server-profile/index.ts";
import type { Search } from "../../features/search/index.ts";
import type { RelayList } from "../../features/relays/index.ts";
import type { ApiDocument } from "../../http/api-document.ts";
import type { CardPainter } from "../../lib/images/cards/card-painter.ts";
import type { Clock } from "../../lib/time/clock.ts";

/**
 * Answers with the ActivityPub object if the client asks for it.
 * @returns false if nothing was sent: continue with the page
 */
type SendActivityPub = (
  request: FastifyRequest,
  reply: FastifyReply,
  guid: string,
) => Promise<boolean>;

/** The password, and the account on the other server. */
type MoveForm = {
  readonly password: string;
  readonly from: string;
  readonly otherHandle: string;
};

/** Moving between servers, across protocols. Each act may refuse with `bad_request`. */
type Moving = {
  readonly sign: (
    user: SignedIn,
    proof: Pick<MoveForm, "password" | "from">,
    direction: "away" | "here",
    otherHandle: string,
  ) => Promise<{
    readonly oldHandle: string;
    readonly newHandle: string;
    readonly signature: string;
  }>;
  readonly leave: (
    user: SignedIn,
    form: MoveForm & { readonly signature?: string },
  ) => Promise<void>;
  readonly arrive: (
    user: SignedIn,
    form: MoveForm & { readonly signature: string },
  ) => Promise<void>;
  readonly listAliases: (user: SignedIn) => Promise<readonly string[]>;
  readonly setAliases: (
    user: SignedIn,
    names: readonly string[],
  ) => Promise<readonly string[]>;
};

export type PagesDeps = {
  readonly accounts: Accounts;
  readonly people: People;
  /** Where somebody elsewhere is found on its own server; the likeliest first. */
  readonly listHomePages: (person: Person) => readonly string[];
  readonly contacts: Contacts;
  readonly posts: Posts;
  readonly photos: Photos;
  readonly linkPreviews: LinkPreviews;
  /** Do some of the recipients get no edits? */
  readonly ignoredEdits: {
    readonly ofPost: (post: Post) => Promise<boolean>;
    readonly ofComment: (comment: Comment) => Promise<boolean>;
  };
  readonly remoteMedia: RemoteMedia;
  readonly cards: Pick<CardPainter, "paint">;
  readonly comments: Comments;
  readonly conversations: Conversations;
  readonly likes: Likes;
  readonly drafts: Drafts;
  readonly filters: Filters;
  readonly announcements: Announcements;
  readonly statistics: Pick<Statistics, "list" | "listFailing">;
  readonly reminders: Reminders;
  readonly subscribedCalendars: SubscribedCalendars;
  readonly readCalendar: ReadElsewhere;
  readonly homes: Homes;
  readonly exports: Exports;
  readonly heldImports: HeldImports;
  readonly heldTexts: HeldTexts;
  readonly leaving: Pick<Leaving, "leave">;
  readonly moving: Moving;
  readonly streams: Streams;
  readonly strikes: Strikes;
  readonly previewAudience: PreviewAudience;
  readonly events: Events;
  readonly notifications: Notifications;
  readonly push: Push;
  readonly mails: Mails;
  readonly oauth: Oauth;
  readonly polls: Polls;
  readonly calendars: Calendars;
  readonly changes: Pick<Changes, "open">;
  readonly participations: Participations;
  readonly quotes: Pick<Quotes, "listShown" | "revoke">;
  readonly reactions: Pick<Reactions, "count" | "listTo">;
  readonly receipts: Pick<Receipts, "list">;
  readonly texts: Pick<Texts, "listVersions">;
  readonly threads: Pick<
    Threads,
    "listBelow" | "listBelowPost" | "listMuted" | "locate" | "mute" | "unmute"
  >;
  readonly aspects: Aspects;
  readonly audiences: Pick<Audiences, "checkDefault">;
  readonly blocks: Blocks;
  readonly bookmarks: Bookmarks;
  readonly pins: Pins;
  /** The origin at which public files are sent; null for the base URL. */
  readonly mediaHost: string | null;
  readonly isAtMediaHost: IsAtMediaHost;
  /** Other origins from which pages load files. */
  readonly mediaOrigins: readonly string[];
  /** Scheme and host, without a trailing slash. */
  readonly baseUrl: string;
  /** `host[:port]` of local handles. */
  readonly host: string;
  readonly serverProfile: ServerProfiles;
  readonly submissions: Pick<Submissions, "once">;
  /** Is the page of all components served, for those who work on them? */
  readonly hasKitPage: boolean;
  /** Does only this machine reach the server? */
  readonly isOfThisMachine: boolean;
  readonly clock: Clock;
  readonly apiDocument: () => ApiDocument;
  readonly audit: Audit;
  readonly moderation: Moderation;
  readonly suspensions: Suspensions;
  readonly administration: Administration;
  readonly invitations: Invitations;
  readonly bans: Bans;
  readonly spamRules: SpamRules;
  readonly hostPolicies: HostPolicies;
  /** None if ActivityPub is disabled. */
  readonly relays: RelayList | undefined;
  /** The queue, for the administration. */
  readonly queue: OperatedQueue;
  /** Finds a person locally or on the network, for this user. */
  readonly discover: (
    handle: string,
    by: UserId,
  ) => Promise<Person | undefined>;
  /**
   * Finds a person by handle, or a person, post or comment by the address of a
   * page, locally or on the network.
   */
  readonly find: (
    handleOrAddress: string,
    by: SignedIn,
  ) => Promise<
    | {
        readonly person: Person;
        /** The thing that was found, if it was not the person. */
        readonly thing?: {
          readonly type: "Post" | "Comment";
          readonly guid: string;
        };
      }
    | undefined
  >;
  readonly search: Search;
  /**
   * Fetches a remote post for this user, within a short time. Absent if
   * diaspora* is disabled.
   */
  readonly fetchLinked?:
    | ((
        link: { readonly author: string; readonly guid: string },
        by: UserId,
      ) => Promise<unknown>)
    | undefined;
  /** Absent if ActivityPub is disabled. */
  readonly activityPub?:
    | {
        readonly sendPost: SendActivityPub;
        readonly sendPerson: SendActivityPub;
      }
    | undefined;
};
