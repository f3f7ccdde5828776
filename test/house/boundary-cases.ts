/**
 * One import. `{}` in `from` stands for the name of the case's file; `to` is
 * written as in the import statement.
 */
export type Case = { from: string; to: string; type?: "type" };

const lib = "packages/server/src/lib/{}.ts";
const observability = "packages/server/src/observability/{}.ts";
const db = "packages/server/src/db/{}.ts";
const jobs = "packages/server/src/jobs/{}.ts";
const http = "packages/server/src/http/{}.ts";
const config = "packages/server/src/config/{}.ts";
const cli = "packages/server/src/cli/{}.ts";
const doctor = "packages/server/src/doctor/{}.ts";
const backups = "packages/server/src/backups/{}.ts";
const api = "packages/server/src/api/{}.ts";
const caldav = "packages/server/src/caldav/{}.ts";
const oauth = "packages/server/src/oauth/{}.ts";
const mastodonApi = "packages/server/src/mastodon-api/{}.ts";
const pages = "packages/server/src/pages/{}.ts";
const posts = "packages/server/src/features/posts/{}.ts";
const federation = "packages/server/src/federation/{}.ts";
const activitypubFolder = "packages/server/src/federation/activitypub/{}.ts";
const diasporaFolder = "packages/server/src/federation/diaspora/{}.ts";
const render = "packages/server/src/federation/activitypub/render/{}.ts";
const discovery = "packages/server/src/federation/discovery/{}.ts";
const delivery = "packages/server/src/federation/delivery/{}.ts";
const activitypub = "packages/activitypub/src/{}.ts";
const diaspora = "packages/diaspora/src/{}.ts";

const many = (from: string, to: string[]): Case[] =>
  to.map((it) => ({ from, to: it }));

export const permitted: Case[] = [
  ...many("packages/server/src/compose/server.ts", [
    "../federation/fan-out.ts",
  ]),
  ...many(config, ["../lib/clock.ts"]),
  ...many(cli, ["../features/posts/index.ts", "../db/schema.ts"]),
  ...many(cli, ["../lib/clock.ts"]),
  ...many(doctor, ["../federation/fan-out.ts", "../config/config.ts"]),
  ...many(doctor, ["../backups/make-backup.ts"]),
  ...many(cli, ["../backups/make-backup.ts"]),
  ...many(backups, ["../jobs/queue.ts", "../db/schema.ts"]),
  ...many(backups, ["../lib/clock.ts"]),
  ...many(doctor, ["../features/posts/index.ts", "../db/schema.ts"]),
  ...many(api, ["../features/posts/index.ts", "../features/facts.ts"]),
  ...many(api, ["../http/app.ts", "../lib/clock.ts", "./routes.ts"]),
  ...many(pages, ["../features/posts/index.ts", "../http/app.ts"]),
  ...many(pages, ["../lib/clock.ts"]),
  ...many(http, ["../lib/clock.ts", "node:http"]),
  { from: http, to: "../config/config.ts", type: "type" },
  ...many(jobs, ["../db/schema.ts", "../lib/clock.ts"]),
  ...many(db, ["../lib/clock.ts", "node:sqlite"]),
  ...many(lib, ["./clock.ts", "node:fs"]),
  ...many(observability, ["../lib/clock.ts"]),
  ...many(jobs, ["../observability/log.ts"]),
  ...many(posts, ["./post-store.ts", "../likes/index.ts", "../facts.ts"]),
  ...many(posts, ["../../jobs/queue.ts", "../../db/schema.ts"]),
  ...many(posts, ["../../lib/clock.ts"]),
  ...many(federation, ["../features/posts/index.ts", "../jobs/queue.ts"]),
  ...many(federation, ["../db/schema.ts", "../http/app.ts"]),
  ...many(federation, ["../lib/clock.ts", "./activitypub/inbox.ts"]),
  ...many(federation, ["./diaspora/receive.ts", "./delivery/deliver.ts"]),
  ...many(activitypubFolder, ["@kith/activitypub", "../discovery/find.ts"]),
  ...many(diasporaFolder, ["@kith/diaspora", "../delivery/deliver.ts"]),
  ...many(render, ["@kith/activitypub", "../../../features/posts/index.ts"]),
  ...many(render, ["../records/uris.ts", "../../outbound/content.ts"]),
  ...many(render, ["../../../lib/clock.ts", "node:crypto"]),
  ...many(discovery, ["@kith/activitypub", "@kith/diaspora"]),
  ...many(discovery, ["../activitypub/inbox.ts", "../diaspora/receive.ts"]),
  ...many(delivery, ["../../features/posts/index.ts", "../../http/app.ts"]),
  ...many(delivery, ["../../jobs/queue.ts", "../../lib/clock.ts"]),
  ...many(activitypub, ["./inside.ts", "node:crypto"]),
  ...many(diaspora, ["./inside.ts", "node:crypto"]),
  // Tests may import what they need.
  ...many("packages/server/src/features/posts/{}.test.ts", [
    "../likes/like-store.ts",
    "../../federation/activitypub/inbox.ts",
    "tool",
  ]),
];

const no = (rule: string, from: string, to: string, type?: "type") => ({
  rule,
  from,
  to,
  ...(type ? { type } : {}),
});

export const forbidden: (Case & { rule: string })[] = [
  no("no-cycles", "packages/server/src/lib/there.ts", "./back.ts"),
  no("everything-resolves", lib, "./nowhere.ts"),
  no("everything-resolves", lib, "not-installed"),
  no("declared-dependencies-only", lib, "undeclared"),
  no("declared-dependencies-only", lib, "tool"),
  no("sources-import-no-tests", lib, "./clock.test.ts"),
  no("sources-import-no-tests", lib, "../../test/harness.ts"),
  no("every-folder-has-a-row", "packages/server/src/rogue/{}.ts", "node:fs"),

  no("lib-imports-its-row", lib, "../db/schema.ts"),
  no("lib-imports-its-row", lib, "../config/config.ts", "type"),
  no("lib-imports-its-row", lib, "@kith/activitypub"),
  no("lib-imports-its-row", lib, "../observability/log.ts"),
  no("observability-imports-its-row", observability, "../db/schema.ts"),
  no("db-imports-its-row", db, "../jobs/queue.ts"),
  no("db-imports-its-row", db, "../features/posts/index.ts"),
  no("jobs-imports-its-row", jobs, "../features/facts.ts"),
  no("jobs-imports-its-row", jobs, "../federation/fan-out.ts", "type"),
  no("http-imports-its-row", http, "../features/posts/index.ts"),
  no("http-imports-its-row", http, "../db/schema.ts"),
  no("http-imports-its-row", http, "../api/routes.ts"),
  no("http-takes-only-types-of-config", http, "../config/config.ts"),
  no("config-imports-its-row", config, "../db/schema.ts"),
  no("config-imports-its-row", config, "../main.ts"),
  no("cli-imports-its-row", cli, "../compose/server.ts"),
  no("cli-imports-its-row", cli, "../jobs/queue.ts"),
  no("doctor-imports-its-row", doctor, "../compose/server.ts"),
  no("backups-imports-its-row", backups, "../config/config.ts"),
  no("backups-imports-its-row", backups, "../features/posts/index.ts"),
  no("doctor-imports-its-row", doctor, "../api/routes.ts"),
  no("api-imports-its-row", api, "../db/schema.ts"),
  no("api-imports-its-row", api, "../pages/routes.ts"),
  no("api-imports-its-row", api, "../federation/fan-out.ts"),
  no("api-imports-its-row", api, "@kith/diaspora", "type"),
  no("caldav-imports-its-row", caldav, "../api/routes.ts"),
  no("caldav-imports-its-row", caldav, "../db/schema.ts"),
  no("oauth-imports-its-row", oauth, "../pages/routes.ts"),
  no("oauth-imports-its-row", oauth, "../db/schema.ts"),
  no("mastodon-api-imports-its-row", mastodonApi, "../api/routes.ts"),
  no("mastodon-api-imports-its-row", mastodonApi, "../federation/fan-out.ts"),
  no("pages-imports-its-row", pages, "../api/routes.ts"),
  no("pages-imports-its-row", pages, "../jobs/queue.ts"),
  no("features-imports-its-row", posts, "../../config/config.ts"),
  no("features-imports-its-row", posts, "../../compose/server.ts", "type"),
  no("features-imports-its-row", posts, "../../cli/account.ts"),
  no("federation-imports-its-row", federation, "../api/routes.ts"),
  no("federation-imports-its-row", federation, "../config/config.ts"),
  no("federation-imports-its-row", delivery, "../../pages/routes.ts"),
  no("main-imports-its-row", "packages/server/src/main.ts", "./db/schema.ts"),

  no("features-know-no-transport", posts, "../../api/routes.ts"),
  no("features-know-no-transport", posts, "../../pages/routes.ts"),
  no("features-know-no-transport", posts, "../../http/app.ts", "type"),
  no("features-know-no-transport", posts, "../../federation/fan-out.ts"),
  no("features-know-no-transport", posts, "@kith/activitypub"),
  no("features-know-no-transport", posts, "@kith/diaspora", "type"),
  no("feature-door-only", api, "../features/posts/post-store.ts"),
  no("feature-door-only", federation, "../features/posts/post-store.ts"),
  no("door-between-features", posts, "../likes/like-store.ts"),
  no("door-between-features", posts, "../likes/like-store.ts", "type"),
  no("package-door-only", discovery, "../../../../diaspora/src/inside.ts"),

  no("protocol-packages-stand-alone", activitypub, "@kith/diaspora"),
  no("protocol-packages-stand-alone", diaspora, "@kith/activitypub", "type"),
  no(
    "protocol-packages-stand-alone",
    diaspora,
    "../../server/src/lib/clock.ts",
  ),
  no("protocols-are-pure", activitypub, "node:fs"),
  no("protocols-are-pure", diaspora, "node:http"),
  no("protocols-are-pure", diaspora, "node:sqlite"),
  no(
    "activitypub-folder-knows-no-diaspora",
    activitypubFolder,
    "../diaspora/receive.ts",
  ),
  no(
    "activitypub-folder-knows-no-diaspora",
    activitypubFolder,
    "@kith/diaspora",
  ),
  no(
    "diaspora-folder-knows-no-activitypub",
    diasporaFolder,
    "../activitypub/inbox.ts",
    "type",
  ),
  no(
    "diaspora-folder-knows-no-activitypub",
    diasporaFolder,
    "@kith/activitypub",
  ),
  no("delivery-knows-no-protocol", delivery, "@kith/activitypub"),
  no("delivery-knows-no-protocol", delivery, "../diaspora/receive.ts"),
  no("renderers-compute", render, "../../../db/schema.ts", "type"),
  no("renderers-compute", render, "../../../jobs/queue.ts"),
  no("renderers-compute", render, "../records/sent-store.ts"),
  no("renderers-compute", render, "../../outbound/load-outgoing.ts"),
  no("renderers-use-no-machine", render, "node:fs"),
  no("only-translators-know-the-protocols", federation, "@kith/activitypub"),
  no("only-translators-know-the-protocols", federation, "@kith/diaspora"),
];
