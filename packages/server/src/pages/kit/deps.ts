import type { FastifyReply, FastifyRequest } from "fastify";
import type {
  Accounts,
  Administration,
  SignedIn,
} from "../../features/accounts/index.ts";
import type { Aspects } from "../../features/aspects/index.ts";
import type { Audit } from "../../features/audit/index.ts";
import type { Blocks } from "../../features/blocks/index.ts";
import type { Bookmarks } from "../../features/bookmarks/index.ts";
import type { Calendars } from "../../features/calendars/index.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import type { Conversations } from "../../features/conversations/index.ts";
import type { Comment, Comments } from "../../features/comments/index.ts";
import type { Likes } from "../../features/likes/index.ts";
import type { HostPolicies } from "../../features/host-policies/index.ts";
import type { Invitations } from "../../features/invitations/index.ts";
import type { Events } from "../../features/events/index.ts";
import type { UserId } from "../../features/ids.ts";
import type { Moderation } from "../../features/moderation/index.ts";
import type { Notifications } from "../../features/notifications/index.ts";
import type { People, Person } from "../../features/people/index.ts";
import type { Participations } from "../../features/participations/index.ts";
import type { Polls } from "../../features/polls/index.ts";
import type { Quotes } from "../../features/quotes/index.ts";
import type { Photos } from "../../features/photos/index.ts";
import type { RemoteMedia } from "../../features/remote-media/index.ts";
import type { Suspensions } from "../../features/suspensions/index.ts";
import type { Post, Posts } from "../../features/posts/index.ts";
import type { OperatedQueue } from "../../features/queue/index.ts";
import type { Search } from "../../features/search/index.ts";
import type { RelayList } from "../../features/relays/index.ts";
import type { ApiDocument } from "../../http/api-document.ts";
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

export type PagesDeps = {
  readonly accounts: Accounts;
  readonly people: People;
  /** Where somebody elsewhere is found on its own server; the likeliest first. */
  readonly listHomePages: (person: Person) => readonly string[];
  readonly contacts: Contacts;
  readonly posts: Posts;
  readonly photos: Photos;
  /** Do some of the recipients get no edits? */
  readonly ignoredEdits: {
    readonly ofPost: (post: Post) => Promise<boolean>;
    readonly ofComment: (comment: Comment) => Promise<boolean>;
  };
  readonly remoteMedia: RemoteMedia;
  readonly comments: Comments;
  readonly conversations: Conversations;
  readonly likes: Likes;
  readonly events: Pick<Events, "findVisible" | "listOfCalendar">;
  readonly notifications: Notifications;
  readonly polls: Polls;
  readonly calendars: Calendars;
  readonly participations: Participations;
  readonly quotes: Pick<Quotes, "listShown">;
  readonly aspects: Aspects;
  readonly blocks: Blocks;
  readonly bookmarks: Bookmarks;
  /** Scheme and host, without a trailing slash. */
  readonly baseUrl: string;
  /** `host[:port]` of local handles. */
  readonly host: string;
  readonly registration: "open" | "approval" | "closed";
  readonly clock: Clock;
  readonly apiDocument: ApiDocument;
  readonly audit: Audit;
  readonly moderation: Moderation;
  readonly suspensions: Suspensions;
  readonly administration: Administration;
  readonly invitations: Invitations;
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
   * Finds a person by handle or by the address of a page, locally or on the
   * network.
   */
  readonly find: (
    handleOrAddress: string,
    by: SignedIn,
  ) => Promise<{ readonly person: Person } | undefined>;
  readonly search: Pick<Search, "people">;
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
