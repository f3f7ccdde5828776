import { Type } from "../../../lib/json-schema.ts";
import type { OperatedQueue } from "../../../features/queue/index.ts";
import type { RelayList } from "../../../features/relays/index.ts";
import { text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { readIdOrNone } from "../../kit/identifiers.ts";
import { slicePage } from "../../../features/page.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type AdminQueueDeps = {
  readonly queue: OperatedQueue;
  /** None if ActivityPub is disabled. */
  readonly relays: RelayList | undefined;
};

const FILTER = Type.Object({
  host: text("Only what is for this host"),
  kind: text("Only jobs of this kind"),
});

/** The job queue and the relays. */
export function adminQueueRoutes({
  queue,
  relays,
}: AdminQueueDeps): ApiRoute[] {
  return [...queueRoutes(queue), ...(relays ? relayRoutes(relays) : [])];
}

function queueRoutes(queue: OperatedQueue): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      forRole: "admin",
      limit: "read",
      scope: "admin:read",
      name: "listJobs",
      path: "/admin/queue",
      summary: "Counts jobs by kind and host, the most first.",
      input: FILTER,
      output: listOf("JobGroup"),
      handle: async ({ input, page: { offset, limit } }) =>
        (await queue.list(given(input)))
          .slice(offset, offset + limit)
          .map((group) => ({
            Kind: group.kind,
            Host: group.host,
            Waiting: group.waiting,
            Running: group.running,
            GivenUp: group.dead,
            OldestAt: group.oldestAt,
            NextAt: group.nextAt,
            LastError: group.lastError,
          })),
    }),
    apiRoute({
      method: "POST",
      forRole: "admin",
      limit: "costly",
      scope: "admin:write",
      name: "retryJobs",
      path: "/admin/queue/retry",
      summary: "Tries waiting and given-up jobs again at once.",
      input: FILTER,
      output: one("JobsRetried"),
      handle: async ({ user, input }) => {
        const done = await queue.retry(user, given(input));
        return { Waiting: done.waiting, GivenUp: done.dead };
      },
    }),
    apiRoute({
      method: "POST",
      forRole: "admin",
      limit: "costly",
      scope: "admin:write",
      name: "dropJobs",
      path: "/admin/queue/drop",
      summary:
        "Removes the jobs of a host or of a kind from the queue for ever.",
      input: FILTER,
      needs: [["host", "kind"]],
      output: one("JobsDropped"),
      handle: async ({ user, input }) => {
        const filter = given(input);
        const { dropped, running } = await queue.drop(user, filter);
        return { Dropped: dropped, Running: running };
      },
    }),
  ];
}

/** A blank field of a form is no filter. */
function given({ host = "", kind = "" }: { host?: string; kind?: string }) {
  return {
    host: host.trim() === "" ? undefined : host.trim(),
    kind: kind.trim() === "" ? undefined : kind.trim(),
  };
}

function relayRoutes(relays: RelayList): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      forRole: "admin",
      limit: "read",
      scope: "admin:read",
      name: "listRelays",
      path: "/admin/relays",
      summary: "Lists the relays and their answers.",
      input: NO_INPUT,
      output: listOf("Relay"),
      handle: async ({ page }) =>
        slicePage(await relays.list(), page, "oldest first").map((relay) => ({
          ID: relay.id,
          CreatedAt: relay.createdAt,
          Url: relay.url,
          Kind: relay.kind,
          State: relay.state,
        })),
    }),
    apiRoute({
      method: "POST",
      forRole: "admin",
      limit: "write",
      scope: "admin:write",
      name: "addRelay",
      path: "/admin/relays",
      summary: "Asks a relay to pass public posts on.",
      input: Type.Object({
        url: text("The address of its inbox or of its actor"),
      }),
      needs: ["url"],
      output: EMPTY,
      errors: [409],
      handle: async ({ user, input: { url } }) => {
        const relayUrl = relays.readUrl(url.trim());
        if (relayUrl === undefined)
          throw new KithError(
            "bad_request",
            "The parameter url must be the address of a relay's inbox or actor.",
          );
        if (!(await relays.add(user, relayUrl)))
          throw new KithError("conflict", "This relay has been added before.");
        return {};
      },
    }),
    apiRoute({
      method: "DELETE",
      forRole: "admin",
      limit: "write",
      scope: "admin:write",
      name: "removeRelay",
      path: "/admin/relays/:id",
      summary: "Leaves a relay.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        const relay = await relays.find(readIdOrNone(path("id")));
        if (!relay || !(await relays.remove(user, relay.url)))
          throw new KithError("not_found", "No such relay.");
        return {};
      },
    }),
  ];
}
