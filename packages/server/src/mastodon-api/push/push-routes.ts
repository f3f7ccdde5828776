import type { Push } from "../../features/push/index.ts";
import { userRoute, type MastodonRoute } from "../kit/mastodon-route.ts";
import { notFound } from "../kit/refusals.ts";
import {
  presentSubscription,
  readAlerts,
  readPolicy,
  readSubscription,
} from "./push-subscription.ts";

const PATH = "/v1/push/subscription";

/** The subscription of a token. */
export function pushRoutes({ push }: { readonly push: Push }): MastodonRoute[] {
  const declared = { path: PATH, scope: "push" } as const;
  return [
    userRoute({
      ...{ ...declared, method: "GET", limit: "read" },
      handle: async ({ viewer, token }) => {
        const found = await push.find(viewer.userId, { token });
        if (!found) throw notFound();
        return presentSubscription(found, await push.publicKey());
      },
    }),
    userRoute({
      ...{ ...declared, method: "POST", limit: "write" },
      handle: async ({ viewer, token, input }) => {
        const wanted = readSubscription(input);
        const made = await push.subscribe(viewer.userId, { token }, wanted);
        return presentSubscription(made, await push.publicKey());
      },
    }),
    userRoute({
      ...{ ...declared, method: "PUT", limit: "write" },
      handle: async ({ viewer, token, input }) => {
        const found = await push.find(viewer.userId, { token });
        if (!found) throw notFound();
        const { alerts, policy } = found;
        const choice = {
          alerts: readAlerts(input) ?? alerts,
          policy: readPolicy(input) ?? policy,
        };
        await push.change(viewer.userId, { token }, choice);
        return presentSubscription(
          { ...found, ...choice },
          await push.publicKey(),
        );
      },
    }),
    userRoute({
      ...{ ...declared, method: "DELETE", limit: "write" },
      handle: async ({ viewer, token }) => {
        await push.unsubscribe(viewer.userId, { token });
        return {};
      },
    }),
  ];
}
