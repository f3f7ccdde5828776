import type { Receipt, Receipts } from "../../../features/receipts/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { getPost } from "./posts-routes.ts";
import type { PresentPostsDeps } from "../../presenters/present-posts.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { listOf } from "../../schemas/schemas.ts";

export type DeliveriesRoutesDeps = PresentPostsDeps & {
  readonly receipts: Receipts;
};

/** Deliveries of the caller's own posts; not found for everyone else. */
export function deliveriesRoutes(deps: DeliveriesRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:statuses",
      name: "listDeliveries",
      path: "/posts/:id/deliveries",
      summary:
        "Lists the servers to which your post is delivered, by name, including those that have not taken it yet.",
      input: NO_INPUT,
      output: listOf("Delivery"),
      handle: async ({ user, path, page }) => {
        const post = await getPost(deps, path("id"), user);
        if (post.personId !== user.personId)
          throw new KithError("not_found", "Not a post of one's own.");
        return (await deps.receipts.list(post.id, page)).map(presentReceipt);
      },
    }),
  ];
}

function presentReceipt(receipt: Receipt): WireRecord {
  return {
    Host: receipt.host,
    State: receipt.state,
    DeliveredAt: receipt.deliveredAt,
    FailedAt: receipt.failedAt,
    NextAttemptAt: receipt.nextAttemptAt,
  };
}
