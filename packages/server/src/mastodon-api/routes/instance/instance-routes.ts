import type { ServerProfiles } from "../../../features/server-profile/index.ts";
import { LANGUAGES } from "../../../lib/messages/messages.ts";
import { createTtlCache } from "../../../lib/caching/ttl-cache.ts";
import {
  presentDefaultVisibility,
  presentQuotable,
} from "../../entities/account.ts";
import { renderContent } from "../../entities/content.ts";
import {
  presentInstance,
  presentOldInstance,
  presentRules,
  type DescribedInstance,
  type Instance,
  type InstanceUsage,
} from "../../entities/instance.ts";
import {
  publicRoute,
  userRoute,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { activityRoutes, type ActivityDeps } from "./activity-routes.ts";
import { instanceTextRoutes } from "./instance-texts.ts";
import { loadAccounts } from "../../loading/load-accounts.ts";
import type { Entity } from "../../kit/wire.ts";
import type { MastodonDeps } from "../../loading/deps.ts";

/** A new server is soon one with people and posts. */
const MINUTE_MS = 60_000;

export type InstanceDeps = MastodonDeps &
  ActivityDeps & {
    readonly instance: Omit<Instance, "languages">;
    readonly serverProfile: Pick<ServerProfiles, "findContact" | "get">;
  };

/** The server itself, and what a program asks for when it starts. */
export function instanceRoutes(deps: InstanceDeps): MastodonRoute[] {
  const { people, posts, comments, clock, push } = deps;
  const describe = async (): Promise<DescribedInstance> => ({
    ...deps.instance,
    ...(await describeServer(deps)),
    pushKey: await push.publicKey(),
  });
  const usage = createTtlCache<InstanceUsage>(clock, MINUTE_MS, async () => ({
    users: await people.countLocal(),
    statuses: (await posts.countLocal()) + (await comments.countLocal()),
    hosts: (await deps.hostPolicies.listPeers()).length,
  }));
  const open = (path: string, answer: () => Promise<unknown>): MastodonRoute =>
    publicRoute({
      method: "GET",
      path,
      scope: "any",
      limit: "read",
      handle: answer,
    });
  const none = async () => [];
  return [
    open("/v2/instance", async () =>
      presentInstance(await describe(), (await usage.get()).users),
    ),
    open("/v1/instance", async () =>
      presentOldInstance(await describe(), await usage.get()),
    ),
    open("/v1/instance/rules", async () =>
      presentRules(await deps.serverProfile.get()),
    ),
    ...activityRoutes(deps),
    open("/v1/instance/domain_blocks", none),
    open("/v1/instance/languages", async () =>
      LANGUAGES.map((code) => ({ code, name: nameOf(code) })),
    ),
    open("/v1/instance/translation_languages", async () => ({})),
    ...instanceTextRoutes(deps),
    // Emojis of this server; those of others come with the texts that have them.
    open("/v1/custom_emojis", none),
    preferencesRoute(deps),
  ];
}

async function describeServer(
  deps: InstanceDeps,
): Promise<
  Pick<DescribedInstance, "contact" | "joining" | "languages" | "server">
> {
  const server = await deps.serverProfile.get();
  const person = await deps.serverProfile.findContact();
  const [contact] = await loadAccounts(deps, person ? [person] : [], null);
  const { joining, language } = server;
  return {
    ...{ server, contact },
    // The usual one comes first.
    languages: [...new Set([language, ...LANGUAGES])],
    ...(joining !== "" && {
      joining: renderContent(deps.site, joining, new Map()),
    }),
  };
}

const nameOf = (code: string): string =>
  new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;

const preferencesRoute = ({ accounts, people }: MastodonDeps): MastodonRoute =>
  userRoute({
    method: "GET",
    path: "/v1/preferences",
    scope: "read:accounts",
    limit: "read",
    handle: async ({ viewer }): Promise<Entity> => {
      const [settings, person] = await Promise.all([
        accounts.getSettings(viewer.userId),
        people.find({ id: viewer.personId }),
      ]);
      const { audience, postLanguage } = settings;
      return {
        "posting:default:visibility": presentDefaultVisibility(audience.kind),
        "posting:default:sensitive": person?.profile.nsfw ?? false,
        "posting:default:language": postLanguage,
        "posting:default:quote_policy": presentQuotable(settings.quotableBy),
        "reading:expand:media": "default",
        "reading:expand:spoilers": false,
        "reading:autoplay:gifs": false,
      };
    },
  });
