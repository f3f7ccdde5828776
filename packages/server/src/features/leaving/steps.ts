import type { Db } from "../../db/db.ts";
import type { Announcements } from "../announcements/index.ts";
import type { Reminders } from "../reminders/index.ts";
import type { Aspects } from "../aspects/index.ts";
import type { Blocks } from "../blocks/index.ts";
import type { Bookmarks } from "../bookmarks/index.ts";
import type { Calendars } from "../calendars/index.ts";
import type { Comments } from "../comments/index.ts";
import type { Conversations } from "../conversations/index.ts";
import type { Contacts } from "../contacts/index.ts";
import type { Drafts } from "../drafts/index.ts";
import type { FeaturedTags } from "../featured-tags/index.ts";
import type { HeldImports } from "../imports/index.ts";
import type { Filters } from "../filters/index.ts";
import type { Events } from "../events/index.ts";
import type { Mails } from "../mail/index.ts";
import type { Moderation } from "../moderation/index.ts";
import type { Moves } from "../moves/index.ts";
import type { Likes } from "../likes/index.ts";
import type { Newcomers } from "../newcomers/index.ts";
import type { SpamRules } from "../spam-rules/index.ts";
import type { Notifications } from "../notifications/index.ts";
import type { Markers } from "../markers/index.ts";
import type { Participations } from "../participations/index.ts";
import type { PersonNotes } from "../person-notes/index.ts";
import type { Photos } from "../photos/index.ts";
import type { Polls } from "../polls/index.ts";
import type { Posts } from "../posts/index.ts";
import type { Reactions } from "../reactions/index.ts";
import type { Submissions } from "../submissions/index.ts";
import type { SubscribedCalendars } from "../subscribed-calendars/index.ts";
import type { Strikes } from "../strikes/index.ts";
import type { Streams } from "../streams/index.ts";
import type { Texts } from "../texts/index.ts";
import type { Threads } from "../threads/index.ts";
import type { LeavingStep } from "./leave-job.ts";

export type LeavingStepsDeps = {
  readonly db: Db;
  readonly announcements: Pick<Announcements, "removeOf">;
  readonly reminders: Pick<Reminders, "removeSomeOf">;
  readonly aspects: Aspects;
  readonly blocks: Blocks;
  readonly bookmarks: Bookmarks;
  readonly calendars: Calendars;
  readonly comments: Comments;
  readonly contacts: Contacts;
  readonly conversations: Conversations;
  readonly drafts: Drafts;
  readonly events: Events;
  readonly featuredTags: Pick<FeaturedTags, "removeOf">;
  readonly filters: Filters;
  readonly heldImports: Pick<HeldImports, "removeSomeOf">;
  readonly likes: Likes;
  readonly mails: Pick<Mails, "removeOf">;
  readonly markers: Markers;
  readonly moderation: Moderation;
  readonly moves: Moves;
  readonly newcomers: Pick<Newcomers, "removeSomeOf">;
  readonly spamRules: Pick<SpamRules, "removeSomeOf">;
  readonly notifications: Notifications;
  readonly participations: Participations;
  readonly personNotes: PersonNotes;
  readonly photos: Photos;
  readonly polls: Polls;
  readonly posts: Posts;
  readonly reactions: Reactions;
  readonly streams: Streams;
  readonly strikes: Pick<Strikes, "removeSomeOf">;
  readonly subscribedCalendars: Pick<SubscribedCalendars, "removeOneOf">;
  readonly submissions: Submissions;
  readonly texts: Texts;
  readonly threads: Threads;
};

/** The step after all recipients have been notified. */
export const FIRST_OF_FEATURES = "notifications";

/**
 * Deletes all content of a local or remote person. Remote servers are notified once of the
 * deleted account, not of each thing.
 */
export function createLeavingSteps(deps: LeavingStepsDeps): LeavingStep[] {
  return [
    ...saidSteps(deps),
    ...shownSteps(deps),
    ...plannedSteps(deps),
    ...relationSteps(deps),
    ...keptSteps(deps),
  ];
}

/** Comments, reactions, votes, photos and the like, and all notifications by or for the person. */
function saidSteps(deps: LeavingStepsDeps): LeavingStep[] {
  const { comments, likes, notifications, participations, polls } = deps;
  const { moderation, photos, reactions, strikes } = deps;
  return [
    {
      name: FIRST_OF_FEATURES,
      run: (leaver, limit) => notifications.removeSomeOf(leaver, limit),
    },
    {
      name: "likes",
      run: ({ personId }, limit) => likes.removeSomeOf(personId, limit),
    },
    {
      name: "reactions",
      run: ({ personId }, limit) => reactions.removeSomeOf(personId, limit),
    },
    {
      name: "reports",
      run: ({ personId }, limit) => moderation.removeSomeAbout(personId, limit),
    },
    {
      name: "strikes",
      run: ({ personId }, limit) => strikes.removeSomeOf(personId, limit),
    },
    {
      name: "votes",
      run: ({ personId }, limit) => polls.removeSomeVotesOf(personId, limit),
    },
    {
      name: "answers",
      run: ({ personId }, limit) =>
        participations.removeSomeOf(personId, limit),
    },
    // Without their comments and posts, their files could no longer be found.
    {
      name: "photos",
      run: ({ personId }, limit) => photos.removeSomeOf(personId, limit),
    },
    {
      name: "comments",
      run: ({ personId }, limit) => comments.removeSomeOf(personId, limit),
    },
  ];
}

function shownSteps(deps: LeavingStepsDeps): LeavingStep[] {
  const { db, conversations, notifications, posts, texts } = deps;
  return [
    {
      name: "conversations",
      run: async ({ userId }, limit) =>
        userId !== null && conversations.removeSomeOf(userId, limit),
    },
    {
      name: "posts",
      run: ({ personId }, limit) =>
        db.transaction(async (tx) => {
          const ids = await posts.listSomeIdsOf(tx, personId, limit);
          await notifications.forgetBelow(tx, ids);
          await posts.removeByIds(tx, ids);
          return ids.length > 0;
        }),
    },
    {
      name: "received",
      run: (leaver, limit) => posts.removeSomeReceivedBy(leaver, limit),
    },
    {
      name: "mentions",
      run: ({ personId }, limit) => texts.removeSomeMentionsOf(personId, limit),
    },
  ];
}

/** Calendars go after their events. */
function plannedSteps(deps: LeavingStepsDeps): LeavingStep[] {
  const { db, calendars, events, notifications, subscribedCalendars } = deps;
  return [
    {
      name: "events",
      run: ({ personId }, limit) =>
        db.transaction(async (tx) => {
          const some = await events.listSomeOf(tx, personId, limit);
          const guids = some.map(({ guid }) => guid);
          await notifications.forgetEvents(tx, guids);
          await events.removeByIds(
            tx,
            some.map(({ id }) => id),
          );
          return some.length > 0;
        }),
    },
    {
      name: "invitations",
      run: ({ personId }, limit) =>
        events.removeSomeInvitationsOf(personId, limit),
    },
    {
      name: "shared-calendars",
      run: (leaver) => calendars.removeSharesWith(leaver),
    },
    {
      name: "subscribed-calendars",
      run: async ({ userId }) =>
        userId !== null && subscribedCalendars.removeOneOf(userId),
    },
    {
      name: "calendars",
      run: async ({ userId }, limit) =>
        userId !== null && calendars.removeSomeOf(userId, limit),
    },
  ];
}

/** Notes, markers and the like, of which nobody else knows. */
function keptSteps(deps: LeavingStepsDeps): LeavingStep[] {
  const { announcements, featuredTags, mails, markers, notifications } = deps;
  const { heldImports, newcomers, personNotes, reminders } = deps;
  const { spamRules, submissions } = deps;
  return [
    {
      name: "imports",
      run: async ({ userId }, limit) =>
        userId !== null && heldImports.removeSomeOf(userId, limit),
    },
    {
      name: "reminders",
      run: async ({ userId }, limit) =>
        userId !== null && reminders.removeSomeOf(userId, limit),
    },
    {
      name: "mail",
      run: async ({ userId }) => userId !== null && mails.removeOf(userId),
    },
    {
      name: "notification-choices",
      run: async ({ userId }) =>
        userId !== null && notifications.choices.removeSomeOf(userId),
    },
    {
      name: "markers",
      run: async ({ userId }) =>
        userId !== null && markers.removeSomeOf(userId),
    },
    {
      name: "featured-tags",
      run: async ({ userId }) =>
        userId !== null && featuredTags.removeOf(userId),
    },
    {
      name: "announcements",
      run: async ({ userId }) =>
        userId !== null && announcements.removeOf(userId),
    },
    {
      name: "submissions",
      run: async ({ userId }, limit) =>
        userId !== null && submissions.removeSomeOf(userId, limit),
    },
    {
      name: "newcomer-acts",
      run: async ({ userId }, limit) =>
        userId !== null && newcomers.removeSomeOf(userId, limit),
    },
    {
      name: "spam-hits",
      run: ({ personId }, limit) => spamRules.removeSomeOf(personId, limit),
    },
    {
      name: "person-notes",
      run: (leaver, limit) => personNotes.removeSomeOf(leaver, limit),
    },
  ];
}

function relationSteps(deps: LeavingStepsDeps): LeavingStep[] {
  const { db, aspects, blocks, bookmarks, contacts, drafts } = deps;
  const { filters, moves, streams, threads } = deps;
  return [
    {
      name: "mutes",
      run: async ({ userId }, limit) =>
        userId !== null && threads.removeSomeMutesOf(userId, limit),
    },
    {
      name: "streams",
      run: async ({ userId }, limit) =>
        userId !== null && streams.removeSomeOf(userId, limit),
    },
    {
      name: "bookmarks",
      run: async ({ userId }, limit) =>
        userId !== null && bookmarks.removeSomeOf(userId, limit),
    },
    {
      name: "drafts",
      run: async ({ userId }, limit) =>
        userId !== null && drafts.removeSomeOf(userId, limit),
    },
    {
      name: "filters",
      run: async ({ userId }, limit) =>
        userId !== null && filters.removeSomeOf(userId, limit),
    },
    {
      name: "aspects",
      run: (leaver, limit) => aspects.removeSomeOf(leaver, limit),
    },
    {
      name: "contacts",
      run: (leaver, limit) => contacts.removeSomeOf(leaver, limit),
    },
    {
      name: "distance",
      run: async ({ personId }) => {
        await db.transaction((tx) => blocks.removeAllOf(tx, personId));
        return false;
      },
    },
    {
      name: "moves",
      run: async ({ personId }) => {
        await moves.forgetUnlessMoved(personId);
        return false;
      },
    },
  ];
}
