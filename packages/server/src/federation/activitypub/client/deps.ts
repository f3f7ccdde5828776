import type { Aspects } from "../../../features/aspects/index.ts";
import type { Person } from "../../../features/people/index.ts";
import type { Clock } from "../../../lib/time/clock.ts";
import type { LoadDeps } from "../../outbound/load/deps.ts";
import type { FindDocumentDeps } from "../documents/find-document.ts";
import type { ObjectsDeps } from "../records/objects.ts";

/** The dependencies of applying clients' activities. */
export type ClientDeps = FindDocumentDeps &
  LoadDeps &
  ObjectsDeps & {
    readonly aspects: Aspects;
    readonly clock: Clock;
    /** Finds an actor, locally or on the network, while a user waits. */
    readonly searchActor: (uri: string) => Promise<Person | undefined>;
  };

/** A local user with its person. */
export type Owner = {
  readonly person: Person;
  readonly userId: NonNullable<Person["userId"]>;
  readonly personId: Person["id"];
  readonly username: string;
};
