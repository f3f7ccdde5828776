import type { Db } from "../db/db.ts";
import type { Notices } from "../db/postgres/notices.ts";
import {
  createAccounts,
  createAdministration,
  createCredentials,
  createFactorSeal,
  createKeySeal,
  createMailSeal,
  createPushSeal,
  createTokenSeal,
  setupCodeOf,
  type Credentials,
} from "../features/accounts/index.ts";
import { createAspects } from "../features/aspects/index.ts";
import { createAudit } from "../features/audit/index.ts";
import { createAudiences } from "../features/audiences/index.ts";
import { createBans } from "../features/bans/index.ts";
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
import { createReminders } from "../features/reminders/index.ts";
import { createSpamRules } from "../features/spam-rules/index.ts";
import { createStatistics } from "../features/statistics/index.ts";
import { createAnnouncements } from "../features/announcements/index.ts";
import { createDirectory } from "../features/directory/index.ts";
import { createDrafts } from "../features/drafts/index.ts";
import { createFeaturedTags } from "../features/featured-tags/index.ts";
import { createFilters } from "../features/filters/index.ts";
import { createEvents } from "../features/events/index.ts";
import { EFFECTS } from "./effects.ts";
import { composeLeaving } from "./leaving.ts";
import { createFacts } from "../features/facts.ts";
import { createPins } from "../features/pins/index.ts";
import { createHeldTexts } from "../features/held-texts/index.ts";
import {
  createHomes,
  keepCommentFromHomes,
  homePlaces,
  noteArrivals,
} from "../features/homes/index.ts";
import { createIndexing } from "../features/indexing/index.ts";
import {
  createLinkPreviews,
  createPostLinks,
} from "../features/link-previews/index.ts";
import { createLikes } from "../features/likes/index.ts";
import { createMails, createStaffMail } from "../features/mail/index.ts";
import { createMarkers } from "../features/markers/index.ts";
import { createModeration } from "../features/moderation/index.ts";
import {
  createInvitations,
  type WhoInvites,
} from "../features/invitations/index.ts";
import { createNewcomers } from "../features/newcomers/index.ts";
import { createNotifications } from "../features/notifications/index.ts";
import { createParticipations } from "../features/participations/index.ts";
import { createOauth, endAppAccess } from "../features/oauth/index.ts";
import { createPeople } from "../features/people/index.ts";
import { createPersonNotes } from "../features/person-notes/index.ts";
import { createPolls } from "../features/polls/index.ts";
import {
  createCommentPhotos,
  createPhotos,
  createPostPhotos,
} from "../features/photos/index.ts";
import { createPosts } from "../features/posts/index.ts";
import { createPush } from "../features/push/index.ts";
import { createQuotes } from "../features/quotes/index.ts";
import { createReactions } from "../features/reactions/index.ts";
import { createReceipts } from "../features/receipts/index.ts";
import { createRemotePeople } from "../federation/remote-people/remote-people.ts";
import { createRelays } from "../federation/activitypub/relays/relay-list.ts";
import { createProxyAddresses } from "../features/remote-media/index.ts";
import { createWriteWatch } from "../features/freshness/index.ts";
import { createRetractions } from "../features/retractions/index.ts";
import {
  createServerProfile,
  type Registration,
} from "../features/server-profile/index.ts";
import { createSearch } from "../features/search/index.ts";
import { createSubscribedCalendars } from "../features/subscribed-calendars/index.ts";
import { createSubmissions } from "../features/submissions/index.ts";
import { createSuspensions } from "../features/suspensions/index.ts";
import { createStrikes } from "../features/strikes/index.ts";
import { createStreams } from "../features/streams/index.ts";
import { createTexts } from "../features/texts/index.ts";
import { createTrends } from "../features/trends/index.ts";
import { createThreads } from "../features/threads/index.ts";
import { createJobs } from "../jobs/jobs.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { ImageProcessor } from "../lib/images/image-processor.ts";
import type { RecordingProcessor } from "../lib/recordings/recording-processor.ts";
import { NO_LIMITS, type Limits } from "../lib/limits/limits.ts";
import type { MediaStore } from "../lib/media/media-store.ts";

export type FeaturesInput = {
  readonly db: Db;
  readonly clock: Clock;
  /** 32 bytes. */
  readonly secretKey: Uint8Array;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
  readonly whoInvites: WhoInvites;
  /** The registration by the configuration, unless the admins choose another. */
  readonly registration: Registration;
  /** Federate only with hosts that an operator has allowed? */
  readonly onlyAllowedHosts: boolean;
  /** Is ActivityPub enabled? */
  readonly speaksActivityPub: boolean;
  /** Is it shown what many people use, like and link? Yes by default. */
  readonly hasTrends?: boolean;
  /** May requests go to the private network? No by default. */
  readonly allowPrivateNetwork?: boolean;
  /** Are pages that public posts link read, to show previews? */
  readonly hasLinkPreviews: boolean;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly media: MediaStore;
  readonly images: ImageProcessor;
  readonly recordings: RecordingProcessor;
  readonly notices?: Notices;
  /** None by default. */
  readonly limits?: Limits;
  /** Unlimited by default. */
  readonly signUpsPerHour?: number;
  /** Multiplies the default limits of requests. */
  readonly requestFactor?: number;
  /** Is there a mail server? No by default. */
  readonly hasMail?: boolean;
  /** Of an archive that people import: 1 GiB by default. */
  readonly importBytes?: number;
  /** Replaces slow key generation and password hashing in tests. */
  readonly credentials?: Credentials;
};

/** All features, and the queue behind them. */
export type Features = ReturnType<typeof composeFeatures>;

export function composeFeatures(input: FeaturesInput) {
  const { db, clock, handleHost, media, notices } = input;
  const jobs = createJobs({ db, clock });
  jobs.onEnqueued(() => notices?.notify("jobs"));
  const writeWatch = createWriteWatch({ db, notices });
  const retractions = createRetractions({ db, clock });
  const collector = createChangeCollector({ db, retractions, notices });
  const facts = createFacts(jobs, EFFECTS, async (tx, fact) => {
    await noteArrivals(tx, fact);
    await collector.noteFact(tx, fact);
  });
  const audit = createAudit({ db, clock });
  const bans = createBans({ db, clock, audit });
  const hostPolicies = createHostPolicies({ ...input, jobs, audit });
  const standingOn = hostPolicies.verdictOn;
  const indexing = createIndexing({ db, clock, jobs });
  const people = createPeople({
    ...{ db, clock, facts, standingOn, indexing, writeWatch },
  });
  const remotePeople = createRemotePeople({
    ...{ db, clock, facts, people, standingOn },
  });
  const serverProfile = createServerProfile({
    ...{ db, clock, audit, registration: input.registration },
    ...{ people, handleHost, jobs, media, images: input.images },
  });
  const { whoInvites } = input;
  const invitations = createInvitations({ db, clock, audit, whoInvites });
  const sending = { jobs, clock, isEnabled: input.hasMail ?? false };
  const staffMail = createStaffMail(sending);
  const signing = {
    ...{ db, clock, people, audit, handleHost },
    keySeal: createKeySeal(input.secretKey),
    credentials: input.credentials ?? createCredentials(),
    endAppAccess,
  };
  const administration = createAdministration(signing);
  const limits = input.limits ?? NO_LIMITS;
  const accounts = createAccounts({
    ...signing,
    ...{ bans, invitations },
    factorSeal: createFactorSeal(input.secretKey),
    baseUrl: input.baseUrl,
    tokenSeal: createTokenSeal(input.secretKey),
    limits,
    setupCode: setupCodeOf(input.secretKey),
    findMinAge: async () => (await serverProfile.get()).minAge,
    notifyStaff: (tx) => staffMail.notify(tx, "sign_up"),
    ...(input.signUpsPerHour !== undefined && {
      signUpsPerHour: input.signUpsPerHour,
    }),
    ...(notices && { notices }),
  });
  const { requestFactor = 1 } = input;
  const oauth = createOauth({ db, clock, accounts, limits, requestFactor });
  const contacts = createContacts({ db, clock, facts, people });
  const newcomers = createNewcomers({ db, clock });
  const aspects = createAspects({ db, clock, people, contacts, newcomers });
  const applyHostPolicies = createApplyHostPolicies({
    ...{ ...hostPolicies, db, aspects, contacts, people },
  });
  const texts = createTexts({ db });
  const spamRules = createSpamRules({
    ...{ db, clock, audit },
    report: (tx, report) => moderation.reportByRule(tx, report),
    notifyStaff: (tx) => staffMail.notify(tx, "held"),
  });
  const readers = createConversationReaders({ clock });
  const stored = {
    ...{ db, clock, facts, retractions, texts, readers, indexing },
    ...{ writeWatch, newcomers, spamRules },
  };
  const mails = createMails({
    ...{ ...sending, db, accounts, bans, limits, secretKey: input.secretKey },
    seal: createMailSeal(input.secretKey),
  });
  const { baseUrl, hasLinkPreviews: areEnabled } = input;
  const previewing = { baseUrl, areEnabled };
  const audiences = createAudiences({ aspects, contacts, people, texts });
  const posts = createPosts({
    ...stored,
    audiences,
    keepFromHomes: homePlaces.keepFrom,
    placeInHomes: homePlaces.placeIn,
    photos: createPostPhotos({ ...stored, jobs, media }),
    links: createPostLinks({ ...previewing, clock }),
  });
  const comments = createComments({
    ...{ ...stored, posts, keepFromHomes: keepCommentFromHomes },
    photos: createCommentPhotos({ ...stored, jobs, media }),
  });
  const proxyAddresses = createProxyAddresses(input.secretKey, input.baseUrl);
  const photos = createPhotos({
    ...{ ...input, jobs, people, aspects, facts, retractions, indexing, posts },
    comments,
    mayShow: (url) => hostPolicies.isHostAllowed(url, "media"),
    proxyUrlOf: proxyAddresses.addressOf,
    streamUrlOf: proxyAddresses.streamAddressOf,
  });
  const linkPreviews = createLinkPreviews({
    ...{ ...previewing, db, people, posts },
    proxyUrlOf: proxyAddresses.addressOf,
  });
  const threads = createThreads({ db, comments, posts });
  const reacting = {
    ...{ db, clock, facts, posts, comments, retractions, indexing },
  };
  const likes = createLikes({ ...reacting, texts, writeWatch });
  const calendars = createCalendars({ ...input, facts });
  const plans = { db, clock, facts, accounts, audiences, calendars, posts };
  const events = createEvents({ ...plans, indexing, handleHost });
  const participations = createParticipations({
    ...{ db, clock, facts, events, people, retractions },
  });
  const polls = createPolls(reacting);
  const canAsk = input.speaksActivityPub;
  const quotes = createQuotes({ ...input, facts, jobs, people, posts, canAsk });
  const relays = createRelays({ db, clock, jobs, audit });
  const reactions = createReactions({
    ...{ db, clock, posts, proxyUrlOf: proxyAddresses.addressOf },
  });
  const strikes = createStrikes({
    ...{ db, clock, jobs, mails, people, secretKey: input.secretKey },
    notifyStaff: (tx) => staffMail.notify(tx, "appeal"),
  });
  const moderation = createModeration({
    ...{ db, clock, jobs, audit, people, posts, comments, events },
    ...{ handleHost, strikes },
    notifyStaff: (tx) => staffMail.notify(tx, "report"),
    canForwardTo: ({ addresses }) =>
      input.speaksActivityPub && addresses.inboxUri !== null,
  });
  const suspensions = createSuspensions({
    ...{ db, clock, accounts, aspects, audit, contacts, people, handleHost },
    strikes,
  });
  const receipts = createReceipts({ db, clock });
  const streams = createStreams({ db, clock, posts });
  const homes = createHomes({ db, posts, comments, aspects });
  const search = createSearch({
    ...{ db, posts, people, aspects, indexing, handleHost },
  });
  const pins = createPins({ db, clock, facts, posts });
  const bookmarks = createBookmarks({ db, clock, posts });
  const trends = createTrends({
    ...{ db, clock, areEnabled: input.hasTrends ?? true },
  });
  const drafts = createDrafts({
    ...{ db, clock, jobs, audiences, events, photos, polls, posts, quotes },
  });
  const filters = createFilters({ db, clock, jobs, collector });
  const reminders = createReminders({ db, clock, events });
  const subscribedCalendars = createSubscribedCalendars({
    ...{ db, clock, accounts },
  });
  const statistics = createStatistics({ db, clock });
  const announcements = createAnnouncements({
    ...{ db, clock, audit, collector },
  });
  const directory = createDirectory({ db, clock });
  const featuredTags = createFeaturedTags({ db, clock, accounts });
  const notifications = createNotifications({ db, clock });
  const push = createPush({
    ...{ db, clock, jobs, accounts, contacts, people, notifications },
    seal: createPushSeal(input.secretKey),
    limits,
    baseUrl,
    allowPrivateNetwork: input.allowPrivateNetwork ?? false,
  });
  const conversations = createConversations({
    ...{ db, people, posts, comments },
    markNoticeRead: notifications.markConversationRead,
  });
  const changes = createChanges({
    ...{ db, collector, posts, comments, likes, texts, people, photos },
    ...{ conversations, notifications, homes },
  });
  const blocks = createBlocks({
    ...{ db, jobs, clock, facts, people, contacts, aspects, handleHost },
    ...{ calendars, notifications },
  });
  const markers = createMarkers({ db, clock, notifications });
  const personNotes = createPersonNotes({ db, clock, people });
  const heldTexts = createHeldTexts({
    ...{ db, audit, comments, events, people, posts, spamRules, strikes },
  });
  const submissions = createSubmissions({ db, clock });
  const ending = composeLeaving({
    ...{ db, clock, jobs, facts, media, accounts, announcements, aspects },
    ...{ blocks, bookmarks, calendars, comments, contacts, conversations },
    ...{ drafts, events, featuredTags, filters, likes, mails, markers },
    ...{ moderation, newcomers, notifications, participations, people },
    ...{ personNotes, spamRules },
    ...{ photos, polls, posts, reactions, reminders, streams, strikes },
    ...{ submissions, subscribedCalendars, texts, threads, limits },
    maxBytes: input.importBytes ?? 1024 ** 3,
  });
  return {
    writeWatch,
    serverProfile,
    jobs,
    changes,
    ...{ audit, bans, spamRules, heldTexts },
    indexing,
    search,
    ...ending,
    ...{ moderation, strikes },
    suspensions,
    retractions,
    hostPolicies,
    applyHostPolicies,
    people,
    remotePeople,
    accounts,
    oauth,
    administration,
    invitations,
    contacts,
    aspects,
    audiences,
    texts,
    threads,
    linkPreviews,
    photos,
    proxyAddresses,
    posts,
    comments,
    conversations,
    likes,
    ...{ calendars, events, participations, polls, quotes },
    reactions,
    receipts,
    relays,
    streams,
    homes,
    notifications,
    ...{ push, mails, staffMail },
    ...{ blocks, bookmarks, trends, pins, drafts, featuredTags, filters },
    ...{ markers, personNotes, submissions },
    ...{ announcements, directory, reminders, subscribedCalendars },
    statistics,
  };
}
