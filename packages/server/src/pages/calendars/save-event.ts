import type { SignedIn } from "../../features/accounts/index.ts";
import {
  findOccurrence,
  type CalendarEvent,
  type ChangeEvent,
  type CreateEvent,
} from "../../features/events/index.ts";
import { KithError } from "../../lib/errors.ts";
import { eventFormTexts as texts, repeatTexts } from "../languages/texts.ts";
import { findRecipients } from "../messages/message-draft.ts";
import type { PagesContext } from "../session/visitor.ts";
import {
  calendarOf,
  capacityOf,
  faultsOf,
  repeatsOf,
  typedOf,
  type EventDraft,
  type Faults,
} from "./event-draft.ts";
import type { Choices } from "./event-form-view.ts";

/** The result of a form: an event, or the draft with its faults. */
export type SavedEvent =
  { readonly event: CalendarEvent } | { readonly refused: EventDraft };

/** Creates an event from its form, or changes nothing. */
export async function createFromDraft(
  context: PagesContext,
  owner: SignedIn,
  draft: EventDraft,
  choices: Choices,
): Promise<SavedEvent> {
  const read = await readWho(context, owner, draft, choices);
  const faults = {
    ...faultsOf(draft),
    ...calendarFault(draft, choices),
    ...read.faults,
    ...sharedFault(owner, draft, choices),
  };
  if (Object.keys(faults).length > 0) return { refused: { ...draft, faults } };
  return saved(draft, () =>
    context.events.create({
      ...typedOf(draft),
      recurrence: repeatsOf(draft),
      ...{ owner, ...read.who },
      calendarId: calendarOf(draft),
      capacity: capacityOf(draft),
      needsApproval: draft.needsApproval,
    }),
  );
}

/** Changes an event of the user's by its form, or nothing. */
export async function changeFromDraft(
  context: PagesContext,
  owner: SignedIn,
  draft: EventDraft,
  { event, choices }: { event: CalendarEvent; choices: Choices },
): Promise<SavedEvent> {
  const faults = { ...faultsOf(draft), ...calendarFault(draft, choices) };
  if (Object.keys(faults).length > 0) return { refused: { ...draft, faults } };
  const changes = changesOf(draft, event);
  if (!changes)
    throw new KithError("not_found", "The series has no such date.");
  if (isMovedSeries(event, changes))
    return {
      refused: { ...draft, faults: { start: repeatTexts.faults.moved } },
    };
  return saved(draft, () =>
    context.events.change(owner, { id: event.id }, changes),
  );
}

/** @returns undefined for one of a series that it does not have */
function changesOf(
  draft: EventDraft,
  event: CalendarEvent,
): ChangeEvent | undefined {
  const { occurrence, isCancelled } = draft;
  if (occurrence === "")
    return {
      ...typedOf(draft, event),
      recurrence: repeatsOf(draft, event),
      calendarId: calendarOf(draft) ?? null,
      capacity: capacityOf(draft),
      needsApproval: draft.needsApproval,
    };
  const one = findOccurrence(event, occurrence);
  return (
    one && {
      ...typedOf(draft, { ...event, ...one }),
      ...{ occurrence, isCancelled },
    }
  );
}

/** The exceptions of a series are named by its times. */
function isMovedSeries(
  { recurrence }: CalendarEvent,
  { start, occurrence }: ChangeEvent,
): boolean {
  const { added = [], removed = [], changed = [] } = recurrence ?? {};
  const count = added.length + removed.length + changed.length;
  return start !== undefined && occurrence === undefined && count > 0;
}

/** A refusal by the feature is a fault of the form, if its author can mend it. */
async function saved(
  draft: EventDraft,
  save: () => Promise<CalendarEvent>,
): Promise<SavedEvent> {
  try {
    return { event: await save() };
  } catch (error) {
    const isMendable =
      error instanceof KithError &&
      ["bad_request", "invalid_datetime"].includes(error.code);
    if (!isMendable) throw error;
    return { refused: { ...draft, message: texts.faults.refused } };
  }
}

function calendarFault(draft: EventDraft, { calendars }: Choices): Faults {
  const isOwn =
    draft.calendar === "" ||
    calendars.some(({ id }) => String(id) === draft.calendar);
  return isOwn ? {} : { calendar: texts.faults.calendar };
}

/** An event in another person's calendar is announced to nobody. */
function sharedFault(
  { userId }: SignedIn,
  { calendar, audience }: EventDraft,
  { calendars }: Choices,
): Faults {
  const chosen = calendars.find(({ id }) => String(id) === calendar);
  return !chosen || chosen.userId === userId || audience === "self"
    ? {}
    : { audience: texts.faults.sharedCalendar };
}

type Who = Pick<CreateEvent, "audience" | "announce">;

/** Without an audience nothing is created. */
async function readWho(
  context: PagesContext,
  owner: SignedIn,
  draft: EventDraft,
  { aspects }: Choices,
): Promise<{ readonly who: Who; readonly faults?: Faults }> {
  const { audience, aspectIds, guests } = draft;
  const who: Who = { announce: true };
  if (guests.trim() !== "" && audience !== "people")
    return { who, faults: { guests: texts.faults.guestsUnused } };
  switch (audience) {
    case "self":
      return { who: { announce: false } };
    case "everyone":
    case "followers":
    case "all_aspects":
      return { who: { ...who, audience: { kind: audience } } };
    case "aspects": {
      const own = new Set(aspects.map(({ id }) => id));
      return aspectIds.length > 0 && aspectIds.every((id) => own.has(id))
        ? { who: { ...who, audience: { kind: audience, aspectIds } } }
        : { who, faults: { audience: texts.faults.aspects } };
    }
    case "people":
      return readGuests(context, owner, guests);
    default:
      return { who, faults: { audience: texts.faults.audience } };
  }
}

const MAX_GUESTS = 49;

async function readGuests(
  context: PagesContext,
  owner: SignedIn,
  guests: string,
): Promise<{ readonly who: Who; readonly faults?: Faults }> {
  const who: Who = { announce: true };
  const named = guests.split(/[\s,;]+/).filter((it) => it !== "");
  if (named.length > MAX_GUESTS)
    return { who, faults: { guests: texts.faults.guestsMany(MAX_GUESTS) } };
  const found = await findRecipients(context, owner, { to: guests });
  if ("unknown" in found)
    return { who, faults: { guests: texts.faults.guest(found.unknown) } };
  const { personIds } = found;
  return personIds.length === 0
    ? { who, faults: { guests: texts.faults.noGuests } }
    : { who: { ...who, audience: { kind: "people", personIds } } };
}
