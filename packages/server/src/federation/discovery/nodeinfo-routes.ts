import type { FastifyInstance } from "fastify";
import type { Comments } from "../../features/comments/index.ts";
import type { Protocol } from "../../db/schema/remote-person.ts";
import type { People } from "../../features/people/index.ts";
import type { Posts } from "../../features/posts/index.ts";
import type {
  ServerProfiles,
  ShownServer,
} from "../../features/server-profile/index.ts";
import type { Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";

export type NodeInfoDeps = {
  readonly people: People;
  readonly posts: Posts;
  readonly comments: Comments;
  readonly clock: Clock;
  readonly baseUrl: string;
  readonly version: string;
  readonly serverProfile: Pick<ServerProfiles, "get">;
  readonly protocols: Readonly<Record<Protocol, boolean>>;
};

type Usage = {
  readonly users: { readonly total: number };
  readonly localPosts: number;
  readonly localComments: number;
};

const VERSIONS = ["2.1", "2.0", "1.0"] as const;
type Version = (typeof VERSIONS)[number];

const SCHEMA = "http://nodeinfo.diaspora.software/ns/schema/";
const COUNTS_CACHED_MS = 3_600_000;

/** Serves NodeInfo 1.0, 2.0 and 2.1: pods treat a server without it as down. */
export function registerNodeInfo(
  app: FastifyInstance,
  deps: NodeInfoDeps,
): void {
  const countUsage = createUsageCounter(deps);
  const access = {
    config: { access: "anyone", limit: "read", mayBeOld: true },
  } as const;
  app.get("/.well-known/nodeinfo", access, async (_request, reply) =>
    reply
      .headers({
        "content-type": "application/json; charset=utf-8",
      })
      .send(JSON.stringify({ links: listLinks(deps) })),
  );
  app.get("/nodeinfo/:version", access, async (request, reply) => {
    const { version } = request.params as { version: string };
    if (!servedVersions(deps.protocols).some((served) => served === version))
      throw new KithError("not_found", "No such version of NodeInfo.");
    return (
      reply
        .headers({
          "content-type": `application/json; profile="${SCHEMA}${version}#"`,
        })
        // As bytes: Fastify would add a charset to text, which the media type
        // does not have.
        .send(
          Buffer.from(
            JSON.stringify(
              document(deps, version as Version, {
                usage: await countUsage(),
                server: await deps.serverProfile.get(),
              }),
            ),
          ),
        )
    );
  });
}

/** Version 1.0 cannot name ActivityPub, and is invalid without any protocol. */
function servedVersions({
  diaspora,
}: NodeInfoDeps["protocols"]): readonly Version[] {
  return diaspora ? VERSIONS : VERSIONS.filter((version) => version !== "1.0");
}

function listLinks({ baseUrl, protocols }: NodeInfoDeps): object[] {
  const links = servedVersions(protocols).map((version) => ({
    rel: SCHEMA + version,
    href: `${baseUrl}/nodeinfo/${version}`,
  }));
  const application = {
    rel: "https://www.w3.org/ns/activitystreams#Application",
    href: `${baseUrl}/api/v1/ap/instance`,
  };
  // Gancio takes the first link, whatever it is, so this one comes last.
  return protocols.activitypub ? [...links, application] : links;
}

function createUsageCounter({
  people,
  posts,
  comments,
  clock,
}: NodeInfoDeps): () => Promise<Usage> {
  let counted: { usage: Usage; atMs: number } | undefined;
  return async () => {
    const nowMs = clock.now().getTime();
    if (counted && nowMs - counted.atMs < COUNTS_CACHED_MS)
      return counted.usage;
    const usage = {
      users: { total: await people.countLocal() },
      localPosts: await posts.countLocal(),
      localComments: await comments.countLocal(),
    };
    counted = { usage, atMs: nowMs };
    return usage;
  };
}

function document(
  deps: NodeInfoDeps,
  version: Version,
  { usage, server }: { readonly usage: Usage; readonly server: ShownServer },
): object {
  const spoken = (["activitypub", "diaspora"] as const).filter(
    (protocol) => deps.protocols[protocol],
  );
  // Version 1.0 predates ActivityPub and rejects its name.
  const spoken1 = spoken.filter((protocol) => protocol === "diaspora");
  return {
    version,
    software: { name: "kith", version: deps.version },
    protocols:
      version === "1.0" ? { inbound: spoken1, outbound: spoken1 } : spoken,
    services: { inbound: [], outbound: [] },
    openRegistrations: server.signUp === "open",
    usage,
    metadata: {
      nodeName: server.name || new URL(deps.baseUrl).host,
      ...(server.description !== "" && {
        nodeDescription: server.description,
      }),
      // As Misskey and Pleroma name it.
      langs: [server.language],
      // By which libraries of clients find out the API that they can speak.
      upstream: { name: "mastodon" },
    },
  };
}
