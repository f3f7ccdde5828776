import { KithError } from "../../../lib/errors.ts";
import type { ImportItem, ItemOf } from "../import-item.ts";
import type { ImportDeps, ImportRun, RecordOutcome } from "../import-run.ts";
import { importDraft } from "./import-draft.ts";
import {
  importFeaturedTag,
  importFilter,
  importFilteredPost,
  importStream,
} from "./import-lists.ts";
import {
  importAspect,
  importFollowChoice,
  importPersonNote,
} from "./import-people.ts";
import {
  importListedCalendar,
  importListedEvent,
  importReminder,
  importSubscription,
} from "./import-plans.ts";
import { likeListed } from "./import-like.ts";
import { hideListed, muteListed } from "./import-hidden.ts";
import { importProfile, importSettings } from "./import-self.ts";

type Record = Exclude<
  ImportItem,
  | ItemOf<
      "block" | "bookmark" | "follow" | "host_block" | "ignore" | "post" | "tag"
    >
  | { readonly fault: unknown }
>;

/** Imports what only its owner has, such as a profile, a filter, an event or a draft. */
export async function importRecord(
  deps: ImportDeps,
  run: ImportRun,
  item: Record,
): Promise<void> {
  run.outcomes.note(item.kind, await attempt(deps, run, item), item.name);
}

/** A record that is refused does not end the import. */
async function attempt(
  deps: ImportDeps,
  run: ImportRun,
  item: Record,
): Promise<RecordOutcome> {
  try {
    return await importOne(deps, run, item);
  } catch (error) {
    const isOfRecord =
      error instanceof KithError && error.code !== "unavailable";
    if (!isOfRecord) throw error;
    return error.code === "empty_string" ? "empty" : "refused";
  }
}

function importOne(
  deps: ImportDeps,
  run: ImportRun,
  item: Record,
): Promise<RecordOutcome> {
  switch (item.kind) {
    case "profile":
      return importProfile(deps, run, item);
    case "setting":
      return importSettings(deps, run, item);
    case "aspect":
      return importAspect(deps, run, item);
    case "follow_choice":
      return importFollowChoice(deps, run, item);
    case "person_note":
      return importPersonNote(deps, run, item);
    case "calendar":
      return importListedCalendar(deps, run, item);
    case "event":
      return importListedEvent(deps, run, item);
    case "reminder":
      return importReminder(deps, run, item);
    case "subscribed_calendar":
      return importSubscription(deps, run, item);
    case "draft":
      return importDraft(deps, run, item);
    case "like":
      return likeListed(deps, run, item);
    default:
      return importKept(deps, run, item);
  }
}

function importKept(
  deps: ImportDeps,
  run: ImportRun,
  item: ItemOf<
    | ("featured_tag" | "filter" | "filtered_post")
    | ("hidden_post" | "muted_post" | "stream")
  >,
): Promise<RecordOutcome> {
  switch (item.kind) {
    case "featured_tag":
      return importFeaturedTag(deps, run, item);
    case "filter":
      return importFilter(deps, run, item);
    case "filtered_post":
      return importFilteredPost(deps, run, item);
    case "stream":
      return importStream(deps, run, item);
    case "hidden_post":
      return hideListed(deps, run, item);
    case "muted_post":
      return muteListed(deps, run, item);
  }
}
