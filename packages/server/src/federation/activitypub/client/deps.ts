import type { Accounts } from "../../../features/accounts/index.ts";
import type { Aspects } from "../../../features/aspects/index.ts";
import type { Events } from "../../../features/events/index.ts";
import type { Participations } from "../../../features/participations/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Quotes } from "../../../features/quotes/index.ts";
import type { Retractions } from "../../../features/retractions/index.ts";
import type { Texts } from "../../../features/texts/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { FindDocumentDeps } from "../http/find-document.ts";
import type { ObjectsDeps } from "../records/objects.ts";

/** What it takes to carry out what a user's own program asks for. */
export type ClientDeps = FindDocumentDeps &
  ObjectsDeps & {
    readonly accounts: Accounts;
    readonly aspects: Aspects;
    readonly events: Events;
    readonly participations: Participations;
    readonly quotes: Quotes;
    readonly texts: Texts;
    readonly retractions: Retractions;
    readonly clock: Clock;
    /** Finds an actor, here or on the network, while somebody waits. */
    readonly searchActor: (uri: string) => Promise<Person | undefined>;
  };

/** A user here and its person. */
export type Owner = {
  readonly person: Person;
  readonly userId: NonNullable<Person["userId"]>;
  readonly personId: Person["id"];
  readonly username: string;
};
