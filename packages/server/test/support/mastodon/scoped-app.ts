import { createApp } from "../../../src/http/app.ts";
import { createUris } from "../../../src/federation/activitypub/records/uris.ts";
import { registerMastodonApi } from "../../../src/mastodon-api/index.ts";
import type { Scope } from "../../../src/features/oauth/index.ts";
import { watchedLog } from "../server/answer-watch.ts";
import type { KithServer } from "../server/kith-server.ts";

const SCOPES: readonly Scope[] = [
  ...(["read:accounts", "read:blocks", "read:bookmarks"] as const),
  ...(["read:favourites", "read:filters", "read:follows"] as const),
  ...(["read:lists", "read:mutes", "read:notifications"] as const),
  ...(["read:search", "read:statuses", "write:accounts"] as const),
  ...(["write:blocks", "write:bookmarks", "write:conversations"] as const),
  ...(["write:favourites", "write:filters", "write:follows"] as const),
  ...(["write:lists", "write:media", "write:mutes"] as const),
  ...(["write:notifications", "write:reports", "write:statuses"] as const),
  ...(["profile", "push"] as const),
];

/** The client API alone, over the features of a server, with tokens of any scopes. */
export function createScopedApp(kith: KithServer) {
  const { features } = kith.server;
  const { baseUrl, host } = kith;
  const granted = new Map<string, readonly string[]>();
  const app = createApp({
    log: watchedLog(),
    trustedProxies: [],
    notFound: async (_request, reply) => reply.code(404).send(),
  });
  const routes = registerMastodonApi(app, {
    ...features,
    db: kith.db,
    clock: kith.clock,
    find: async () => undefined,
    findAccess: async (token) => {
      const [secret = ""] = token.split(".", 1);
      const access = await features.oauth.findAccess(secret);
      return access && { ...access, scopes: granted.get(token) ?? [] };
    },
    proxyUrlOf: features.proxyAddresses.addressOf,
    uris: createUris(baseUrl),
    instance: { baseUrl, host, version: "0", maxRecordingBytes: 1 },
  });
  let calls = 0;
  return {
    scopes: SCOPES,
    routes,
    /** Calls without a body, so that nothing is found, or changed, where it is admitted. */
    statusOf: async (
      method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
      url: string,
      secret: string,
      scopes: readonly string[],
    ): Promise<number> => {
      calls += 1;
      const token = `${secret}.${calls}`;
      granted.set(token, scopes);
      const authorization = `Bearer ${token}`;
      const answer = await app.inject({
        ...{ method, url, headers: { authorization } },
      });
      return answer.statusCode;
    },
  };
}
