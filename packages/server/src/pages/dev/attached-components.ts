import type { CalendarEvent } from "../../features/events/index.ts";
import type { PollResult } from "../../features/polls/index.ts";
import { later } from "../../lib/time/clock.ts";
import { eventCardView } from "../events/event-card.ts";
import type { AnswerCounts } from "../events/event-parts.ts";
import type { Html } from "../kit/html.ts";
import { photosView } from "../posts/attached/photos-view.ts";
import { pollView } from "../posts/attached/poll-view.ts";
import type { KitComponent, KitInput } from "./kit-component.ts";
import { dayAhead, sampleEvent } from "./samples/sample-events.ts";
import { SAMPLES } from "./samples/sample-people.ts";
import {
  HOUR_MS,
  samplePhotos,
  samplePoll,
  samplePost,
} from "./samples/sample-posts.ts";

/** The attachments of posts. */
export function attachedComponents(input: KitInput): KitComponent[] {
  return [
    { id: "photo-grid", name: "Photo grid", states: grids(input) },
    { id: "poll", name: "Poll", states: polls(input) },
    { id: "event-card", name: "Event card", states: eventCards(input) },
  ];
}

function grids({ context }: KitInput): KitComponent["states"] {
  const grid = (count: number) =>
    photosView(context, samplePhotos(context.baseUrl, count));
  return {
    One: grid(1),
    "Two, one without a description": grid(2),
    "Three, one with a chosen focus": grid(3),
    Four: grid(4),
    Five: grid(5),
  };
}

const LONG_ANSWER =
  "The one behind the shed, which nobody has pruned for as long as anybody can remember";

function polls({ now, acting }: KitInput): KitComponent["states"] {
  const answers = [
    ["The old one", 12],
    [LONG_ANSWER, 1],
    ["الشجرة الطويلة", 0],
  ] as const;
  const tomorrow = later(now, 24 * HOUR_MS);
  const yesterday = later(now, -24 * HOUR_MS);
  const post = samplePost(50, SAMPLES.short, now);
  const poll = (result: PollResult, by = acting) =>
    pollView(result, post, by, now);
  const question = "Which tree first?";
  return {
    "Open, one answer": poll(
      samplePoll(question, answers, { endsAt: tomorrow }),
    ),
    "Open, several answers": poll(
      samplePoll(question, answers, { multiple: true }),
    ),
    Voted: poll(
      samplePoll(question, answers, { endsAt: tomorrow, chosen: [0] }),
    ),
    "Voted, counts hidden until the end": poll(
      samplePoll(question, answers, {
        ...{ endsAt: tomorrow, chosen: [0], isHidden: true },
      }),
    ),
    Ended: poll(samplePoll(question, answers, { endsAt: yesterday })),
    "Nobody has voted, and nobody may": pollView(
      samplePoll("", [
        ["Yes", 0],
        ["No", 0],
      ]),
      ...[post, undefined, now],
    ),
  };
}

type Answered = {
  readonly counts?: AnswerCounts;
  readonly own?: "accepted" | "declined";
  readonly isVisitor?: boolean;
};

const NOBODY = { accepted: 0, tentative: 0, declined: 0 };

function eventCard(
  { now, acting }: KitInput,
  event: CalendarEvent,
  { counts = NOBODY, own, isVisitor = false }: Answered = {},
): Html {
  return eventCardView(event, {
    answers: {
      counts: new Map([[event.id, counts]]),
      own: new Map(own === undefined ? [] : [[event.id, own]]),
    },
    ...{ answering: isVisitor ? undefined : acting, now },
  });
}

function eventCards(input: KitInput): KitComponent["states"] {
  const { now } = input;
  const card = (event: CalendarEvent, answered?: Answered) =>
    eventCard(input, event, answered);
  const long = `${"Harvest and long table ".repeat(5)}${"o".repeat(60)}`;
  return {
    "Not answered yet": card(sampleEvent(1, "Repair café", now)),
    "Going, among many": card(sampleEvent(2, long, now), {
      counts: { accepted: 120, tentative: 8, declined: 31 },
      own: "accepted",
    }),
    "Can't come, to an event whose places are taken": card(
      sampleEvent(3, "Pruning course", now, { capacity: 4 }),
      { counts: { ...NOBODY, accepted: 4 }, own: "declined" },
    ),
    "From right to left, without a place": card(
      sampleEvent(5, "ورشة التقليم", now, { location: "" }),
    ),
    "Without an account": card(sampleEvent(9, "Open day", now), {
      isVisitor: true,
    }),
    ...timesOfEvents(input),
  };
}

function timesOfEvents(input: KitInput): KitComponent["states"] {
  const { now } = input;
  const card = (
    ...[number, name, more]: [number, string, Partial<CalendarEvent>]
  ) => eventCard(input, sampleEvent(number, name, now, more));
  return {
    "For whole days": card(4, "Cider weekend", {
      ...{ allDay: true, start: dayAhead(now, 7), end: dayAhead(now, 9) },
    }),
    Cancelled: card(6, "Night walk", { status: "cancelled" }),
    Postponed: card(7, "Bee day", { status: "postponed" }),
    Over: card(8, "Spring cleaning", {
      ...{ start: "2020-03-01T09:00:00.000Z", end: null },
    }),
  };
}
