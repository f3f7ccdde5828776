import type { ServerProfiles } from "../../../features/server-profile/index.ts";
import { KithError } from "../../../lib/errors.ts";
import type { Timestamp } from "../../../lib/time/clock.ts";
import { renderContent } from "../../entities/content.ts";
import { publicRoute, type MastodonRoute } from "../../kit/mastodon-route.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";

type TextsDeps = Pick<MastodonDeps, "site"> & {
  readonly instance: { readonly baseUrl: string };
  readonly serverProfile: Pick<ServerProfiles, "get">;
};

const TERMS = "/v1/instance/terms_of_service";

/**
 * The long texts of the server, as Mastodon 4.4 has them; the privacy policy names the page
 * with what Kith keeps in any case. Of the terms, only those in force
 * are kept: an address with another date is not found.
 */
export function instanceTextRoutes(deps: TextsDeps): MastodonRoute[] {
  const { serverProfile } = deps;
  const render = (text: string): string =>
    renderContent(deps.site, text, new Map());
  const presentTerms = async (date?: string): Promise<Entity> => {
    const { terms, termsAt } = await serverProfile.get();
    const day = termsAt === null ? undefined : dayOf(termsAt);
    if (terms === "" || (date !== undefined && date !== day))
      throw new KithError("not_found", "There are no such terms of service.");
    return {
      ...{ effective_date: day, effective: true, succeeded_by: null },
      content: render(terms),
    };
  };
  const open = { method: "GET", scope: "any", limit: "read" } as const;
  return [
    publicRoute({
      ...open,
      path: "/v1/instance/extended_description",
      handle: async () => {
        const { description, descriptionAt } = await serverProfile.get();
        return { updated_at: descriptionAt, content: render(description) };
      },
    }),
    publicRoute({
      ...open,
      path: "/v1/instance/privacy_policy",
      handle: async () => {
        const { privacy, privacyAt } = await serverProfile.get();
        const page = `<${deps.instance.baseUrl}/about/privacy>`;
        const content = render(privacy === "" ? page : `${privacy}\n\n${page}`);
        return { updated_at: privacyAt, content };
      },
    }),
    publicRoute({ ...open, path: TERMS, handle: () => presentTerms() }),
    publicRoute({
      ...open,
      path: `${TERMS}/:date`,
      handle: ({ path }) => presentTerms(path("date")),
    }),
  ];
}

/** Such as `2026-11-27`, in UTC. */
const dayOf = (at: Timestamp): string => at.slice(0, 10);
