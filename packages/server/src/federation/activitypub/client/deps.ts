import type { Aspects } from "../../../features/aspects/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { LoadDeps } from "../../outbound/load/deps.ts";
import type { FindDocumentDeps } from "../http/find-document.ts";
import type { ObjectsDeps } from "../records/objects.ts";

/** What it takes to carry out what a user's own program asks for. */
export type ClientDeps = FindDocumentDeps &
  LoadDeps &
  ObjectsDeps & {
    readonly aspects: Aspects;
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
