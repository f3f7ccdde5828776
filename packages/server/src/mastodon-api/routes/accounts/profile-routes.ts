import type { SignedIn } from "../../../features/accounts/index.ts";
import { presentEditableProfile } from "../../entities/account.ts";
import { userRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import { notFound } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";
import { loadCredentials } from "../../loading/load-accounts.ts";
import { changeOwnProfile } from "./credential-routes.ts";
import { listFeaturedTagsOf } from "./featured-tag-routes.ts";

/** The user's own profile, as it is edited. */
export function ownProfileRoutes(deps: MastodonDeps): MastodonRoute[] {
  return [
    userRoute({
      method: "GET",
      path: "/v1/profile",
      scope: "read:accounts",
      limit: "read",
      handle: ({ viewer }) => loadProfile(deps, viewer),
    }),
    userRoute({
      method: "PATCH",
      path: "/v1/profile",
      scope: "write:accounts",
      limit: "costly",
      files: ["avatar", "header"],
      handle: async ({ input, viewer }) => {
        await changeOwnProfile(deps, viewer, input);
        return loadProfile(deps, viewer);
      },
    }),
    userRoute({
      method: "DELETE",
      path: "/v1/profile/avatar",
      scope: "write:accounts",
      limit: "write",
      handle: async ({ viewer }) => {
        await deps.photos.removeProfile(viewer.personId);
        return loadCredentials(deps, viewer);
      },
    }),
    userRoute({
      method: "DELETE",
      path: "/v1/profile/header",
      scope: "write:accounts",
      limit: "write",
      handle: async ({ viewer }) => {
        await deps.photos.removeProfile(viewer.personId, "header");
        return loadCredentials(deps, viewer);
      },
    }),
  ];
}

async function loadProfile(
  deps: MastodonDeps,
  viewer: SignedIn,
): Promise<Entity> {
  const person = await deps.people.find({ id: viewer.personId });
  if (!person) throw notFound();
  const tags = await listFeaturedTagsOf(deps, person, viewer);
  return presentEditableProfile(deps.site, person, tags);
}
