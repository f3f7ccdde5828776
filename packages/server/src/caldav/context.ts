import type { FastifyReply, FastifyRequest } from "fastify";
import type { Accounts, SignedIn } from "../features/accounts/index.ts";
import type { Calendars } from "../features/calendars/index.ts";
import type { Contacts } from "../features/contacts/index.ts";
import type { Events } from "../features/events/index.ts";
import type { Participations } from "../features/participations/index.ts";
import type { SubscribedCalendars } from "../features/subscribed-calendars/index.ts";
import type { People } from "../features/people/index.ts";
import type { WorkBudget } from "../lib/limits/work-budget.ts";
import type { Clock } from "../lib/time/clock.ts";
import type { DavTarget } from "./resources/paths.ts";

export type CalDavDeps = {
  readonly accounts: Pick<Accounts, "getSettings" | "signInBasic">;
  readonly calendars: Calendars;
  readonly contacts: Pick<Contacts, "listBirthdays">;
  readonly events: Pick<Events, "objects" | "removeCalendar">;
  readonly people: Pick<People, "find" | "listById">;
  readonly subscribedCalendars: SubscribedCalendars;
  readonly participations: Pick<Participations, "listNewest">;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly clock: Clock;
};

/** A request of a signed-in program. */
export type DavCall = {
  readonly deps: CalDavDeps;
  readonly user: SignedIn;
  readonly target: DavTarget;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** For rules and texts, which cost more than their length. */
  readonly budget: WorkBudget;
};
