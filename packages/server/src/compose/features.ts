import type { Db } from "../db/db.ts";
import type { Notices } from "../db/postgres/notices.ts";
import {
  createAccounts,
  createAdministration,
  createCredentials,
  createFactorSeal,
  createKeySeal,
  createTokenSeal,
  type Credentials,
} from "../features/accounts/index.ts";
import { createAspects } from "../features/aspects/index.ts";
import { createAudit } from "../features/audit/index.ts";
import { createAudiences } from "../features/audiences/index.ts";
import { createBlocks } from "../features/blocks/index.ts";
import { createBookmarks } from "../features/bookmarks/index.ts";
import { createCalendars } from "../features/calendars/index.ts";
import {
  createChangeCollector,
  createChanges,
} from "../features/changes/index.ts";
import { createComments } from "../features/comments/index.ts";
import {
  createConversationReaders,
  createConversations,
} from "../features/conversations/index.ts";
import { createContacts } from "../features/contacts/index.ts";
import {
  createApplyHostPolicies,
  createHostPolicies,
} from "../features/host-policies/index.ts";
import { createDrafts } from "../features/drafts/index.ts";
import { createEvents } from "../features/events/index.ts";
import {
  createExports,
  createOwnExporters,
} from "../features/exports/index.ts";
import { createFacts, type Effects } from "../features/facts.ts";
import { createIndexing } from "../features/indexing/index.ts";
import { createLikes } from "../features/likes/index.ts";
import {
  createLeaving,
  createLeavingSteps,
} from "../features/leaving/index.ts";
import { createModeration } from "../features/moderation/index.ts";
import { createMoves, createMovingSteps } from "../features/moves/index.ts";
import {
  createInvitations,
  type WhoInvites,
} from "../features/invitations/index.ts";
import {
  createNotifications,
  NOTIFY,
} from "../features/notifications/index.ts";
import { createParticipations } from "../features/participations/index.ts";
import { createPeople } from "../features/people/index.ts";
import { createPolls } from "../features/polls/index.ts";
import { createPhotos, createPostPhotos } from "../features/photos/index.ts";
import { createPosts } from "../features/posts/index.ts";
import { createQuotes } from "../features/quotes/index.ts";
import { createReactions } from "../features/reactions/index.ts";
import { createReceipts } from "../features/receipts/index.ts";
import { createRemotePeople } from "../federation/remote-people/remote-people.ts";
import { createRelays } from "../federation/activitypub/relays/relay-list.ts";
import { createProxyAddresses } from "../features/remote-media/index.ts";
import { createRetractions } from "../features/retractions/index.ts";
import { FAN_OUT } from "../federation/outbound/outgoing.ts";
import { createSearch } from "../features/search/index.ts";
import { createSuspensions } from "../features/suspensions/index.ts";
import { createStreams } from "../features/streams/index.ts";
import { createTexts } from "../features/texts/index.ts";
import { createThreads } from "../features/threads/index.ts";
import { createJobs } from "../jobs/jobs.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { ImageProcessor } from "../lib/images/image-processor.ts";
import { NO_LIMITS, type Limits } from "../lib/limits/limits.ts";
import type { MediaStore } from "../lib/media/media-store.ts";

/** The jobs that follow each fact. */
const EFFECTS: Effects = {
  "post.published": [FAN_OUT, NOTIFY],
  "post.received": [NOTIFY],
  "post.changed": [FAN_OUT, NOTIFY],
  "post.retracted": [FAN_OUT, NOTIFY],
  "comment.created": [FAN_OUT, NOTIFY],
  "comment.changed": [FAN_OUT, NOTIFY],
  "comment.retracted": [FAN_OUT, NOTIFY],
  "like.created": [FAN_OUT, NOTIFY],
  "like.retracted": [FAN_OUT, NOTIFY],
  "event.changed": [FAN_OUT, NOTIFY],
  "event.retracted": [FAN_OUT, NOTIFY],
  "participation.changed": [FAN_OUT, NOTIFY],
  "poll.voted": [FAN_OUT],
  "vote.retracted": [FAN_OUT],
  "photo.retracted": [FAN_OUT],
  "quote.changed": [FAN_OUT],
  "contact.changed": [FAN_OUT],
  "sharing.started": [NOTIFY],
  "follow.refused": [NOTIFY],
  "contact.moved": [NOTIFY],
  "profile.changed": [FAN_OUT],
  "person.blocked": [FAN_OUT],
  "person.unblocked": [FAN_OUT],
};

export type FeaturesInput = {
  readonly db: Db;
  readonly clock: Clock;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
  readonly whoInvites: WhoInvites;
  /** Federate only with hosts that an operator has allowed? */
  readonly onlyAllowedHosts: boolean;
  /** Is ActivityPub enabled? */
  readonly speaksActivityPub: boolean;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly media: MediaStore;
  readonly images: ImageProcessor;
  readonly notices?: Notices;
  /** None by default. */
  readonly limits?: Limits;
  /** Unlimited by default. */
  readonly signUpsPerHour?: number;
  /** Replaces slow key generation and password hashing in tests. */
  readonly credentials?: Credentials;
};

/** All features, and the queue behind them. */
export type Features = ReturnType<typeof composeFeatures>;

export function composeFeatures(input: FeaturesInput) {
  const { db, clock, handleHost, media, notices } = input;
  const jobs = createJobs({ db, clock });
  jobs.onEnqueued(() => notices?.notify("jobs"));
  const retractions = createRetractions({ db, clock });
  const collector = createChangeCollector({ db, retractions, notices });
  const facts = createFacts(jobs, EFFECTS, collector.noteFact);
  const audit = createAudit({ db, clock });
  const hostPolicies = createHostPolicies({ ...input, jobs, audit });
  const standingOn = hostPolicies.verdictOn;
  const indexing = createIndexing({ db, clock, jobs });
  const people = createPeople({ db, clock, facts, standingOn, indexing });
  const remotePeople = createRemotePeople({
    ...{ db, clock, facts, people, standingOn },
  });
  const { whoInvites } = input;
  const invitations = createInvitations({ db, clock, audit, whoInvites });
  const signing = {
    ...{ db, clock, people, audit, handleHost },
    keySeal: createKeySeal(input.secretKey),
    credentials: input.credentials ?? createCredentials(),
  };
  const administration = createAdministration(signing);
  const accounts = createAccounts({
    ...signing,
    invitations,
    factorSeal: createFactorSeal(input.secretKey),
    baseUrl: input.baseUrl,
    tokenSeal: createTokenSeal(input.secretKey),
    limits: input.limits ?? NO_LIMITS,
    ...(input.signUpsPerHour !== undefined && {
      signUpsPerHour: input.signUpsPerHour,
    }),
    ...(notices && { notices }),
  });
  const contacts = createContacts({ db, clock, facts });
  const aspects = createAspects({ db, clock, people, contacts });
  const applyHostPolicies = createApplyHostPolicies({
    ...hostPolicies,
    db,
    aspects,
    contacts,
    people,
  });
  const texts = createTexts({ db });
  const readers = createConversationReaders({ clock });
  const stored = {
    ...{ db, clock, facts, retractions, texts, readers, indexing },
  };
  const audiences = createAudiences({ aspects, contacts, people, texts });
  const posts = createPosts({
    ...stored,
    audiences,
    photos: createPostPhotos({ ...stored, jobs, media }),
  });
  const proxyAddresses = createProxyAddresses(input.secretKey, input.baseUrl);
  const photos = createPhotos({
    ...input,
    jobs,
    people,
    aspects,
    facts,
    retractions,
    indexing,
    posts,
    mayShow: (url) => hostPolicies.isHostAllowed(url, "media"),
    proxyUrlOf: proxyAddresses.addressOf,
  });
  const comments = createComments({ ...stored, posts });
  const threads = createThreads({ db, comments, posts });
  const reacting = {
    ...{ db, clock, facts, posts, comments, retractions, indexing },
  };
  const likes = createLikes(reacting);
  const calendars = createCalendars(input);
  const plans = { db, clock, facts, accounts, audiences, calendars, posts };
  const events = createEvents({ ...plans, indexing, handleHost });
  const participations = createParticipations({
    db,
    clock,
    facts,
    events,
    people,
    retractions,
  });
  const polls = createPolls(reacting);
  const quotes = createQuotes({ db, clock, facts, jobs, people, posts });
  const relays = createRelays({ db, clock, jobs, audit });
  const reactions = createReactions({ db, clock, posts });
  const moderation = createModeration({
    ...{ db, clock, jobs, audit, people, posts, comments, events },
    handleHost,
    canForwardTo: ({ addresses }) =>
      input.speaksActivityPub && addresses.inboxUri !== null,
  });
  const suspensions = createSuspensions({
    ...{ db, clock, accounts, aspects, audit, contacts, people, handleHost },
  });
  const receipts = createReceipts({ db, clock });
  const streams = createStreams({ db, clock, posts });
  const search = createSearch({
    ...{ db, posts, people, aspects, indexing, handleHost },
  });
  const bookmarks = createBookmarks({ db, clock, posts });
  const drafts = createDrafts({
    ...{ db, clock, jobs, audiences, events, photos, polls, posts, quotes },
  });
  const notifications = createNotifications({ db, clock });
  const conversations = createConversations({
    ...{ db, people, posts, comments },
    markNoticeRead: notifications.markConversationRead,
  });
  const changes = createChanges({
    ...{ db, collector, posts, comments, likes, texts },
    ...{ conversations, notifications },
  });
  const blocks = createBlocks({
    db,
    jobs,
    clock,
    facts,
    people,
    contacts,
    aspects,
    notifications,
  });
  const leaving = createLeaving({ db, jobs, accounts, people });
  const moves = createMoves({ db, clock, jobs, accounts, people });
  const movingSteps = createMovingSteps({
    db,
    facts,
    people,
    aspects,
    blocks,
    contacts,
    clearUp: leaving.clearUp,
  });
  const leavingSteps = createLeavingSteps({
    db,
    aspects,
    blocks,
    bookmarks,
    calendars,
    comments,
    contacts,
    conversations,
    drafts,
    events,
    likes,
    moderation,
    moves,
    notifications,
    participations,
    photos,
    polls,
    posts,
    reactions,
    streams,
    texts,
    threads,
  });
  const exports = createExports(
    createOwnExporters({ db, accounts, people, media }),
  );
  return {
    jobs,
    changes,
    audit,
    indexing,
    search,
    exports,
    leaving,
    leavingSteps,
    moderation,
    moves,
    movingSteps,
    suspensions,
    retractions,
    hostPolicies,
    applyHostPolicies,
    people,
    remotePeople,
    accounts,
    administration,
    invitations,
    contacts,
    aspects,
    audiences,
    texts,
    threads,
    photos,
    proxyAddresses,
    posts,
    comments,
    conversations,
    likes,
    calendars,
    events,
    participations,
    polls,
    quotes,
    reactions,
    receipts,
    relays,
    streams,
    notifications,
    blocks,
    bookmarks,
    drafts,
  };
}
