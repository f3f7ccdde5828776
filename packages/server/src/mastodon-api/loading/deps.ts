import type { Accounts } from "../../features/accounts/index.ts";
import type { Aspects } from "../../features/aspects/index.ts";
import type { Audiences } from "../../features/audiences/index.ts";
import type { Blocks } from "../../features/blocks/index.ts";
import type { Bookmarks } from "../../features/bookmarks/index.ts";
import type { Comments } from "../../features/comments/index.ts";
import type { Contacts } from "../../features/contacts/index.ts";
import type { Conversations } from "../../features/conversations/index.ts";
import type { Drafts } from "../../features/drafts/index.ts";
import type { Events } from "../../features/events/index.ts";
import type { FeaturedTags } from "../../features/featured-tags/index.ts";
import type { Filters } from "../../features/filters/index.ts";
import type { Homes } from "../../features/homes/index.ts";
import type { Likes } from "../../features/likes/index.ts";
import type { LinkPreviews } from "../../features/link-previews/index.ts";
import type { Markers } from "../../features/markers/index.ts";
import type { Moderation } from "../../features/moderation/index.ts";
import type { Notifications } from "../../features/notifications/index.ts";
import type { People, Person } from "../../features/people/index.ts";
import type { PersonNotes } from "../../features/person-notes/index.ts";
import type { Photos } from "../../features/photos/index.ts";
import type { Pins } from "../../features/pins/index.ts";
import type { Polls } from "../../features/polls/index.ts";
import type { Posts } from "../../features/posts/index.ts";
import type { Push } from "../../features/push/index.ts";
import type { Quotes } from "../../features/quotes/index.ts";
import type { Reactions } from "../../features/reactions/index.ts";
import type { Search } from "../../features/search/index.ts";
import type { SignedIn } from "../../features/accounts/index.ts";
import type { Strikes } from "../../features/strikes/index.ts";
import type { Streams } from "../../features/streams/index.ts";
import type { Submissions } from "../../features/submissions/index.ts";
import type { Texts } from "../../features/texts/index.ts";
import type { Threads } from "../../features/threads/index.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { SiteAddresses } from "../entities/site.ts";
import type { CountAccounts } from "./count-accounts.ts";

/** The doors of the features, and what entities need beside them. */
export type MastodonFeatures = {
  readonly accounts: Accounts;
  readonly aspects: Aspects;
  readonly audiences: Audiences;
  readonly blocks: Blocks;
  readonly bookmarks: Bookmarks;
  readonly clock: Clock;
  readonly comments: Comments;
  readonly contacts: Contacts;
  readonly conversations: Conversations;
  readonly db: { readonly read: Parameters<Audiences["narrowDefault"]>[0] };
  readonly drafts: Drafts;
  readonly events: Events;
  readonly featuredTags: FeaturedTags;
  readonly filters: Filters;
  readonly homes: Homes;
  readonly likes: Likes;
  readonly linkPreviews: LinkPreviews;
  readonly markers: Markers;
  readonly moderation: Moderation;
  readonly notifications: Notifications;
  readonly people: People;
  readonly personNotes: PersonNotes;
  readonly photos: Photos;
  readonly polls: Polls;
  readonly pins: Pins;
  readonly posts: Posts;
  readonly push: Push;
  readonly quotes: Quotes;
  readonly reactions: Pick<Reactions, "count">;
  readonly search: Search;
  readonly streams: Streams;
  readonly strikes: Pick<Strikes, "listByGuid">;
  readonly submissions: Submissions;
  readonly texts: Texts;
  readonly threads: Threads;
  /** Finds a person, or an object of a person, locally or on the network. */
  readonly find: (
    handleOrAddress: string,
    by: SignedIn,
  ) => Promise<
    | {
        readonly person: Person;
        readonly thing?: { readonly type: string; readonly guid: string };
      }
    | undefined
  >;
};

/** The dependencies of routes and loaders. */
export type MastodonDeps = MastodonFeatures & {
  readonly site: SiteAddresses;
  /** `host[:port]` of local handles. */
  readonly host: string;
  readonly countAccounts: CountAccounts;
};
