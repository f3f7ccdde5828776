import {
  MARKED_LISTS,
  type MarkedList,
} from "../../../features/markers/index.ts";
import type { UserId } from "../../../features/ids.ts";
import { presentMarker } from "../../entities/small.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";

/** How far lists are read. */
export function markerRoutes(deps: MastodonDeps): MastodonRoute[] {
  return [
    userRoute({
      method: "GET",
      path: "/v1/markers",
      scope: "read:statuses",
      limit: "read",
      handle: ({ input, viewer }) => {
        const asked = input.texts("timeline");
        const lists = MARKED_LISTS.filter((list) => asked.includes(list));
        const all = asked.length === 0 ? MARKED_LISTS : lists;
        return present(deps, viewer.userId, all);
      },
    }),
    userRoute({
      method: "POST",
      path: "/v1/markers",
      scope: "write:statuses",
      limit: "write",
      handle: async ({ input, viewer }) => {
        const places = new Map<MarkedList, number>();
        for (const list of MARKED_LISTS) {
          const id = input.record(list)?.id("last_read_id");
          if (id !== undefined) places.set(list, id);
        }
        await deps.markers.save(viewer.userId, places);
        return present(deps, viewer.userId, [...places.keys()]);
      },
    }),
  ];
}

async function present(
  { markers }: MastodonDeps,
  userId: UserId,
  lists: readonly MarkedList[],
): Promise<Entity> {
  const found = await markers.list(userId);
  return Object.fromEntries(
    lists.map((list) => [
      list,
      presentMarker(found.find((marker) => marker.list === list)),
    ]),
  );
}
