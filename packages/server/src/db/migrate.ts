import { sql } from "kysely";
import type { Clock } from "../lib/time/clock.ts";
import { timestamp } from "../lib/time/clock.ts";
import {
  DatabaseUnusable,
  type Db,
  type DialectName,
  type Reader,
  type Tx,
} from "./db.ts";
import { codeOf, messageOf } from "../lib/errors.ts";
import { lockKey } from "./dialect.ts";
import type { Migration } from "./migration.ts";
import { firstTables } from "./migrations/0001-first-tables.ts";
import { distance } from "./migrations/0002-distance.ts";
import { calendars } from "./migrations/0003-calendars.ts";
import { photos } from "./migrations/0004-photos.ts";
import { texts } from "./migrations/0005-texts.ts";
import { leaving } from "./migrations/0006-leaving.ts";
import { timelines } from "./migrations/0007-timelines.ts";
import { photosOfPeople } from "./migrations/0008-photos-of-people.ts";
import { moves } from "./migrations/0009-moves.ts";
import { postContent } from "./migrations/0010-post-content.ts";
import { streamsRead } from "./migrations/0012-streams-read.ts";
import { carried } from "./migrations/0013-carried.ts";
import { peers } from "./migrations/0014-peers.ts";
import { conversations } from "./migrations/0016-conversations.ts";
import { forwarded } from "./migrations/0017-forwarded.ts";
import { historiesAndReports } from "./migrations/0019-histories-and-reports.ts";
import { provedDocuments } from "./migrations/0020-proved-documents.ts";
import { hostPolicies } from "./migrations/0021-host-policies.ts";
import { relays } from "./migrations/0022-relays.ts";
import { overtakenJobs } from "./migrations/0023-overtaken-jobs.ts";
import { deliveryReceipts } from "./migrations/0024-delivery-receipts.ts";
import { turns } from "./migrations/0025-turns.ts";
import { goneInboxes } from "./migrations/0026-gone-inboxes.ts";
import { sealedKeys } from "./migrations/0027-sealed-keys.ts";
import { auditLog } from "./migrations/0028-audit-log.ts";
import { decisionsAndReports } from "./migrations/0029-decisions-and-reports.ts";
import { invitations } from "./migrations/0030-invitations.ts";
import { secondFactors } from "./migrations/0031-second-factors.ts";
import { oldPeers } from "./migrations/0032-old-peers.ts";
import { awaitedThings } from "./migrations/0033-awaited-things.ts";
import { unsettledLeases } from "./migrations/0034-unsettled-leases.ts";
import { unprovenMessages } from "./migrations/0035-unproven-messages.ts";
import { confirmedGuids } from "./migrations/0036-confirmed-guids.ts";
import { answersGiven } from "./migrations/0037-answers-given.ts";
import { earlyRetractions } from "./migrations/0038-early-retractions.ts";
import { repeatedActivities } from "./migrations/0039-repeated-activities.ts";
import { orderOfThings } from "./migrations/0040-order-of-things.ts";
import { leaseNumbers } from "./migrations/0041-lease-numbers.ts";
import { contentWarnings } from "./migrations/0042-content-warnings.ts";
import { whoSeesDetails } from "./migrations/0043-who-sees-details.ts";
import { openProtocols } from "./migrations/0044-open-protocols.ts";
import { pagesOfThings } from "./migrations/0045-pages-of-things.ts";
import { statedAnswers } from "./migrations/0046-stated-answers.ts";
import { followersChecks } from "./migrations/0047-followers-checks.ts";
import { quotesGiven } from "./migrations/0048-quotes-given.ts";
import { retractionsOfAuthors } from "./migrations/0049-retractions-of-authors.ts";
import { waitingMessages } from "./migrations/0050-waiting-messages.ts";
import { quotes } from "./migrations/0051-quotes.ts";
import { languagesAndEmojis } from "./migrations/0052-languages-and-emojis.ts";
import { profileFields } from "./migrations/0053-profile-fields.ts";
import { remotePeople } from "./migrations/0054-remote-people.ts";
import { audiences } from "./migrations/0055-audiences.ts";
import { editsAndMutes } from "./migrations/0056-edits-and-mutes.ts";
import { conversationReaders } from "./migrations/0057-conversation-readers.ts";
import { search } from "./migrations/0058-search.ts";
import { keepingAndHiding } from "./migrations/0060-keeping-and-hiding.ts";
import { ignoresWithAnEnd } from "./migrations/0061-ignores-with-an-end.ts";
import { calendarAddresses } from "./migrations/0063-calendar-addresses.ts";
import { drafts } from "./migrations/0067-drafts.ts";
import { followRequests } from "./migrations/0068-follow-requests.ts";
import { postArrivals } from "./migrations/0070-post-arrivals.ts";
import { filters } from "./migrations/0074-filters.ts";
import { hostBlocks } from "./migrations/0075-host-blocks.ts";
import { linkPreviews } from "./migrations/0078-link-previews.ts";
import { oauth } from "./migrations/0079-oauth.ts";
import { markers } from "./migrations/0082-markers.ts";
import { submissions } from "./migrations/0083-submissions.ts";
import { personNotes } from "./migrations/0084-person-notes.ts";
import { appPasswords } from "./migrations/0085-app-passwords.ts";
import { calendarObjects } from "./migrations/0086-calendar-objects.ts";
import { recurrences } from "./migrations/0087-recurrences.ts";
import { serverProfile } from "./migrations/0091-server-profile.ts";
import { pins } from "./migrations/0093-pins.ts";
import { recordings } from "./migrations/0097-recordings.ts";
import { notificationChoices } from "./migrations/0100-notification-choices.ts";
import { readLanguages } from "./migrations/0101-read-languages.ts";
import { quotePolicies } from "./migrations/0102-quote-policies.ts";
import { pushSubscriptions } from "./migrations/0110-push-subscriptions.ts";
import { featuredTags } from "./migrations/0111-featured-tags.ts";
import { revokedQuotes } from "./migrations/0115-revoked-quotes.ts";
import { shownOccurrences } from "./migrations/0120-shown-occurrences.ts";
import { calendarRanges } from "./migrations/0121-calendar-ranges.ts";
import { calendarShares } from "./migrations/0125-calendar-shares.ts";
import { mail } from "./migrations/0130-mail.ts";
import { storage } from "./migrations/0135-storage.ts";
import { announcements } from "./migrations/0140-announcements.ts";
import { reminders } from "./migrations/0145-reminders.ts";
import { hostListImports } from "./migrations/0154-host-list-imports.ts";
import { subscribedCalendars } from "./migrations/0160-subscribed-calendars.ts";
import { zoneData } from "./migrations/0161-zone-data.ts";
import { approvalOfGuests } from "./migrations/0162-approval-of-guests.ts";
import { requestsOfJobs } from "./migrations/0163-requests-of-jobs.ts";
import { statistics } from "./migrations/0164-statistics.ts";
import { orderOfAspects } from "./migrations/0165-order-of-aspects.ts";
import { faceOfTheServer } from "./migrations/0166-face-of-the-server.ts";
import { lookOfTheServer } from "./migrations/0167-look-of-the-server.ts";
import { bans } from "./migrations/0169-bans.ts";
import { resharers } from "./migrations/0179-resharers.ts";
import { localPosts } from "./migrations/0180-local-posts.ts";
import { lastAudiences } from "./migrations/0181-last-audiences.ts";
import { repliesInHomes } from "./migrations/0182-replies-in-homes.ts";
import { followChoices } from "./migrations/0185-follow-choices.ts";
import { filterStatuses } from "./migrations/0186-filter-statuses.ts";
import { strikes } from "./migrations/0188-strikes.ts";
import { newcomers } from "./migrations/0189-newcomers.ts";
import { minimumAge } from "./migrations/0190-minimum-age.ts";
import { imports } from "./migrations/0191-imports.ts";
import { spamRules } from "./migrations/0193-spam-rules.ts";
import { importMoves } from "./migrations/0194-import-moves.ts";
import { hiddenTotals } from "./migrations/0197-hidden-totals.ts";
import { featuredPeople } from "./migrations/0198-featured-people.ts";
import { announcementReactions } from "./migrations/0199-announcement-reactions.ts";
import { exclusiveAspects } from "./migrations/0200-exclusive-aspects.ts";
import { endedPolls } from "./migrations/0201-ended-polls.ts";
import { kindsOfPeople } from "./migrations/0202-kinds-of-people.ts";
import { picturesOfComments } from "./migrations/0203-pictures-of-comments.ts";
import { textsHeld } from "./migrations/0207-held-texts.ts";
import { commentsWithPictures } from "./migrations/0208-comments-with-pictures.ts";
import { pendingSearchWords } from "./migrations/0209-pending-search-words.ts";
import { postsWithPictures } from "./migrations/0210-posts-with-pictures.ts";
import { findablePeople } from "./migrations/0211-findable-people.ts";
import { peopleHere } from "./migrations/0212-people-here.ts";
import { namedNotifications } from "./migrations/0213-named-notifications.ts";

export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  distance,
  calendars,
  photos,
  texts,
  leaving,
  timelines,
  photosOfPeople,
  moves,
  postContent,
  streamsRead,
  carried,
  peers,
  conversations,
  forwarded,
  historiesAndReports,
  provedDocuments,
  hostPolicies,
  relays,
  overtakenJobs,
  deliveryReceipts,
  turns,
  goneInboxes,
  sealedKeys,
  auditLog,
  decisionsAndReports,
  invitations,
  secondFactors,
  oldPeers,
  awaitedThings,
  unsettledLeases,
  unprovenMessages,
  confirmedGuids,
  answersGiven,
  earlyRetractions,
  repeatedActivities,
  orderOfThings,
  leaseNumbers,
  contentWarnings,
  whoSeesDetails,
  openProtocols,
  pagesOfThings,
  statedAnswers,
  followersChecks,
  quotesGiven,
  retractionsOfAuthors,
  waitingMessages,
  quotes,
  languagesAndEmojis,
  profileFields,
  remotePeople,
  audiences,
  conversationReaders,
  editsAndMutes,
  search,
  keepingAndHiding,
  ignoresWithAnEnd,
  calendarAddresses,
  drafts,
  followRequests,
  postArrivals,
  filters,
  hostBlocks,
  linkPreviews,
  oauth,
  markers,
  submissions,
  personNotes,
  appPasswords,
  calendarObjects,
  recurrences,
  serverProfile,
  pins,
  recordings,
  notificationChoices,
  readLanguages,
  quotePolicies,
  pushSubscriptions,
  featuredTags,
  revokedQuotes,
  shownOccurrences,
  calendarRanges,
  calendarShares,
  mail,
  storage,
  announcements,
  reminders,
  hostListImports,
  subscribedCalendars,
  zoneData,
  approvalOfGuests,
  requestsOfJobs,
  statistics,
  orderOfAspects,
  faceOfTheServer,
  lookOfTheServer,
  bans,
  resharers,
  localPosts,
  lastAudiences,
  repliesInHomes,
  followChoices,
  filterStatuses,
  strikes,
  newcomers,
  minimumAge,
  imports,
  spamRules,
  importMoves,
  hiddenTotals,
  featuredPeople,
  announcementReactions,
  exclusiveAspects,
  endedPolls,
  kindsOfPeople,
  picturesOfComments,
  textsHeld,
  commentsWithPictures,
  pendingSearchWords,
  postsWithPictures,
  findablePeople,
  peopleHere,
  namedNotifications,
];

/**
 * Migrates the schema, in one transaction. Several processes may start
 * concurrently: the others wait and find nothing to do.
 * @returns the names of the migrations that ran
 * @throws {DatabaseUnusable} if a newer version of Kith has changed the schema
 */
export async function migrate(
  db: Db,
  clock: Clock,
  { migrations = MIGRATIONS, onStep }: MigrateOptions = {},
): Promise<string[]> {
  return db
    .transaction(async (tx) => {
      await lockKey(tx, db.dialect, "kith:migrate");
      return applyMigrations(tx, db.dialect, clock, migrations, onStep);
    })
    .catch(explain);
}

type OnStep = (name: string, step: number, steps: number) => void;

type MigrateOptions = {
  readonly migrations?: readonly Migration[];
  /** Called before each migration, with its place among those to run. */
  readonly onStep?: OnStep;
};

/** Lists the migrations that have not run. @throws if the database cannot be read */
export async function listPending(
  reader: Reader,
): Promise<readonly Migration[]> {
  const done = await appliedNumbers(reader);
  return MIGRATIONS.filter(({ number }) => !done.has(number));
}

/** @throws {DatabaseUnusable} for a database that a newer Kith has changed */
export async function refuseNewerSchema(reader: Reader): Promise<void> {
  refuseNewer(await appliedNumbers(reader), MIGRATIONS);
}

/** Does the database contain tables of Kith? */
export async function hasSchema({ dialect, read }: Db): Promise<boolean> {
  const { rows } =
    dialect === "sqlite"
      ? await sql`select 1 from sqlite_schema where name = 'schema_migrations'`.execute(
          read,
        )
      : await sql`select 1 where to_regclass('schema_migrations') is not null`.execute(
          read,
        );
  return rows.length > 0;
}

/** Have all known migrations run? @throws if the database cannot be read */
export async function isMigrated(reader: Reader): Promise<boolean> {
  const done = await appliedNumbers(reader);
  return MIGRATIONS.every(({ number }) => done.has(number));
}

/** Runs those of the migrations that have not run yet. @returns their names */
export async function applyMigrations(
  tx: Tx,
  dialect: DialectName,
  clock: Clock,
  migrations: readonly Migration[],
  onStep?: OnStep,
): Promise<string[]> {
  await sql`create table if not exists schema_migrations (
      number bigint not null primary key, name text not null,
      applied_at text not null)`.execute(tx);
  const done = await appliedNumbers(tx);
  refuseNewer(done, migrations);
  const pending = migrations.filter(({ number }) => !done.has(number));
  for (const [index, migration] of pending.entries()) {
    onStep?.(migration.name, index + 1, pending.length);
    for (const statement of migration.statements(dialect))
      await sql.raw(statement).execute(tx);
    await sql`insert into schema_migrations (number, name, applied_at)
        values (${migration.number}, ${migration.name}, ${timestamp(clock.now())})`.execute(
      tx,
    );
  }
  return pending.map(({ name }) => name);
}

/**
 * Errors of the database itself (a damaged file, missing permissions) are for
 * the operator to fix.
 */
function explain(error: unknown): never {
  if (error instanceof DatabaseUnusable || codeOf(error) === undefined)
    throw error;
  throw new DatabaseUnusable(
    `The database cannot be brought up to date: ${messageOf(error)}.`,
  );
}

async function appliedNumbers(reader: Reader): Promise<Set<number>> {
  const { rows } = await sql<{
    number: number;
  }>`select number from schema_migrations`.execute(reader);
  return new Set(rows.map((row) => row.number));
}

function refuseNewer(
  done: Set<number>,
  migrations: readonly Migration[],
): void {
  const newest = Math.max(0, ...migrations.map((m) => m.number));
  const beyond = [...done].find((number) => number > newest);
  if (beyond !== undefined)
    throw new DatabaseUnusable(
      `The database was made by a newer Kith (its schema has step ${beyond}, this one knows ${newest} steps). Nothing was changed. Start the newer Kith again; or, to go back, restore the backup that it made before the upgrade into an empty place (docs/backup.md), without what was written since.`,
    );
}
