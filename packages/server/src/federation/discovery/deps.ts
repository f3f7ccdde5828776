import type { RemotePeople } from "../remote-people/remote-people.ts";
import type { RemoteActor } from "@kith/activitypub";
import type { Protocol } from "../../db/schema/remote-person.ts";
import type { People } from "../../features/people/index.ts";
import type { Clock } from "../../lib/time/clock.ts";
import type { GuardedFetch } from "../../lib/http-client/guarded-fetch.ts";
import type { Log } from "../../observability/log.ts";

export type DiscoveryDeps = {
  readonly people: People;
  readonly remotePeople: RemotePeople;
  readonly clock: Clock;
  readonly log: Log;
  readonly fetch: GuardedFetch;
  /**
   * Fetches an actor from its own id; other documents are ignored. `gone` if
   * its server says so.
   */
  readonly fetchActor: (
    uri: string,
  ) => Promise<RemoteActor | "gone" | undefined>;
  readonly protocols: Readonly<Record<Protocol, boolean>>;
  /** `host[:port]` of local handles. */
  readonly handleHost: string;
  /** @param address a host, or a URL there */
  readonly isHostAllowed: (address: string) => Promise<boolean>;
};
