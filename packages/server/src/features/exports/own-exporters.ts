import type { Db, Reader } from "../../db/db.ts";
import type { MediaStore } from "../../lib/media/media-store.ts";
import type { Accounts, SignedIn } from "../accounts/index.ts";
import type { DefaultAudience } from "../audiences/index.ts";
import type { People } from "../people/index.ts";
import { toFile, toFiles, type Exporter, type Keyed } from "./export-file.ts";
import {
  listExportedConversations,
  listExportedMessages,
} from "./messages-queries.ts";
import { createPhotosExporter } from "./photos-exporter.ts";
import {
  listExportedCalendars,
  listExportedSharedCalendars,
  listExportedEvents,
  listExportedParticipations,
  listExportedSubscribedCalendars,
} from "./plans-queries.ts";
import { listExportedDrafts, nameAspects } from "./drafts-queries.ts";
import { listExportedApps } from "./apps-queries.ts";
import { listExportedFilters } from "./filters-queries.ts";
import {
  listExportedAnnouncementReactions,
  listExportedDismissals,
  listExportedReminders,
  listExportedMail,
  listExportedMarkers,
  listExportedNotificationChoices,
  listExportedPersonNotes,
} from "./programs-queries.ts";
import {
  listExportedBookmarks,
  listExportedFeaturedTags,
  listExportedFollowedTags,
  listExportedHiddenPosts,
  listExportedMutedPosts,
  listExportedStreams,
} from "./keeping-queries.ts";
import {
  listExportedAspects,
  listExportedBlocks,
  listExportedContacts,
  listExportedFollowRequests,
  listExportedHostBlocks,
  listExportedIgnores,
  listExportedInvitations,
  listExportedNotifications,
  listExportedReports,
  listExportedHeldTexts,
  listExportedStrikes,
} from "./relations-queries.ts";
import {
  listExportedComments,
  listExportedLikes,
  listExportedPosts,
  listExportedReactions,
  listExportedVotes,
} from "./writings-queries.ts";

export type OwnExportersDeps = {
  readonly db: Db;
  readonly accounts: Accounts;
  readonly people: People;
  readonly media: MediaStore;
};

/** Some records of a user after a key, by key. */
type List = (
  reader: Reader,
  user: SignedIn,
  afterKey: number,
  limit: number,
) => Promise<Keyed[]>;

/** The data that the features store of a user: everything but secrets. */
export function createOwnExporters(deps: OwnExportersDeps): Exporter[] {
  const { read } = deps.db;
  const records = (
    name: string,
    tables: Exporter["tables"],
    list: List,
  ): Exporter => ({
    tables,
    files: (user) =>
      toFiles(name, (afterKey, limit) => list(read, user, afterKey, limit)),
  });
  return [
    {
      tables: ["users", "people", "profiles"],
      files: (user) => exportSelf(deps, user),
    },
    records("aspects", ["aspects", "aspect_memberships"], listExportedAspects),
    records("contacts", ["contacts"], listExportedContacts),
    records("follow-requests", ["follow_requests"], listExportedFollowRequests),
    records(
      "posts",
      ["posts", "post_recipients", "polls", "poll_answers", "text_versions"],
      listExportedPosts,
    ),
    records("comments", ["comments"], listExportedComments),
    records(
      "conversations",
      ["conversation_readers", "unread_messages"],
      listExportedConversations,
    ),
    records("messages", [], listExportedMessages),
    records("likes", ["likes"], listExportedLikes),
    records("reactions", ["reactions"], listExportedReactions),
    records("votes", ["poll_votes"], listExportedVotes),
    records(
      "calendars",
      ["calendars", "calendar_shares"],
      listExportedCalendars,
    ),
    records(
      "shared-calendars",
      ["calendar_readers"],
      listExportedSharedCalendars,
    ),
    records(
      "subscribed-calendars",
      ["subscribed_calendars"],
      listExportedSubscribedCalendars,
    ),
    records(
      "events",
      ["events", "event_recipients", "event_versions", "calendar_objects"],
      listExportedEvents,
    ),
    records("participations", ["participations"], listExportedParticipations),
    records("notifications", ["notifications"], listExportedNotifications),
    records("streams", ["user_streams"], listExportedStreams),
    records("featured-tags", ["featured_tags"], listExportedFeaturedTags),
    records("followed-tags", ["followed_tags"], listExportedFollowedTags),
    records("blocks", ["blocks"], listExportedBlocks),
    records("host-blocks", ["host_blocks"], listExportedHostBlocks),
    records("ignores", ["ignores"], listExportedIgnores),
    records("invitations", ["invitations"], listExportedInvitations),
    records("reports", ["reports"], listExportedReports),
    records("strikes", ["strikes"], listExportedStrikes),
    records("held-texts", ["held_texts"], listExportedHeldTexts),
    records("muted-posts", ["muted_posts"], listExportedMutedPosts),
    records("hidden-posts", ["hidden_posts"], listExportedHiddenPosts),
    records("bookmarks", ["bookmarks"], listExportedBookmarks),
    records("drafts", ["drafts", "draft_photos"], listExportedDrafts),
    records(
      "filters",
      ["filters", "filter_keywords", "filter_statuses"],
      listExportedFilters,
    ),
    records("apps", ["oauth_accesses"], listExportedApps),
    records(
      "notification-choices",
      ["notification_choices"],
      listExportedNotificationChoices,
    ),
    records("event-reminders", ["event_reminders"], listExportedReminders),
    records(
      "announcement-reactions",
      ["announcement_reactions"],
      listExportedAnnouncementReactions,
    ),
    records(
      "dismissed-announcements",
      ["dismissed_announcements"],
      listExportedDismissals,
    ),
    records("mail", ["mail_addresses"], listExportedMail),
    records("markers", ["markers"], listExportedMarkers),
    records("person-notes", ["person_notes"], listExportedPersonNotes),
    createPhotosExporter(deps),
  ];
}

async function describeAudience(reader: Reader, audience: DefaultAudience) {
  if (audience.kind !== "aspects") return audience;
  const names = await nameAspects(reader, audience.aspectIds);
  const aspects = audience.aspectIds.flatMap((id) => names.get(id) ?? []);
  return { kind: audience.kind, aspects };
}

async function* exportSelf(
  { db, accounts, people }: OwnExportersDeps,
  { username, personId }: SignedIn,
): ReturnType<Exporter["files"]> {
  const account = await accounts.find(username);
  const person = await people.find({ id: personId });
  // Deleted concurrently: there is nothing left to export.
  if (!account || !person) return;
  const settings = await accounts.getSettings(account.id);
  yield toFile("account", {
    username,
    handle: person.handle,
    guid: person.guid,
    role: account.role,
    locale: account.locale,
    timeZone: account.timeZone,
    defaultAudience: await describeAudience(db.read, settings.audience),
    linkPreviews: settings.linkPreviews,
    postLanguage: settings.postLanguage,
    readLanguages: settings.readLanguages,
    quotableBy: settings.quotableBy,
    eventReminder: settings.eventReminder,
    dayReminder: settings.dayReminder,
    createdAt: account.createdAt,
    lastSeenAt: account.lastSeenAt,
    secondFactor: await accounts.hasSecondFactor(account.id),
    publicKey: person.publicKeyPem,
    aliases: person.alsoKnownAs,
  });
  const { id: _, ...profile } = person.profile;
  yield toFile("profile", profile);
}
