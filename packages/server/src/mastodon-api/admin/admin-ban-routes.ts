import { isAtLeast } from "../../features/accounts/index.ts";
import type {
  Ban,
  BanKind,
  Bans,
  BanSeverity,
} from "../../features/bans/index.ts";
import { KithError } from "../../lib/errors.ts";
import { readMailAddress } from "../../lib/mail/mail-address.ts";
import type { Scope } from "../../features/oauth/index.ts";
import {
  userRoute,
  type MastodonRoute,
  type UserCall,
} from "../kit/mastodon-route.ts";
import { readAskedPage } from "../kit/paging.ts";
import { invalid, notFound } from "../kit/refusals.ts";
import { toWireId, toWireTime, type Entity } from "../kit/wire.ts";

export type AdminBanDeps = { readonly bans: Bans };

/** As apps know them: 100 of a page, and 200 at most. */
const OF_BANS = { usual: 100, most: 200 };

/** The name of one kind in this API, and how it is read and shown. */
type Resource = {
  readonly kind: BanKind;
  readonly name: "canonical_email_blocks" | "email_domain_blocks" | "ip_blocks";
  readonly read: (call: UserCall, before?: Ban) => Given;
  readonly present: (ban: Ban) => Entity;
};

type Given = {
  readonly value: string;
  readonly severity: BanSeverity;
  readonly comment?: string | undefined;
  readonly forMs?: number | undefined;
};

/** Bans of mail domains, mail addresses and networks, for admins. */
export function adminBanRoutes({ bans }: AdminBanDeps): MastodonRoute[] {
  return [
    ...[MAIL_DOMAINS, MAIL_ADDRESSES, NETWORKS].flatMap((resource) =>
      routesOf(bans, resource),
    ),
    changeRoute(bans),
    testRoute(bans),
  ];
}

function routesOf(bans: Bans, resource: Resource): MastodonRoute[] {
  const { kind, name, read, present } = resource;
  const [path, one] = [`/v1/admin/${name}`, `/v1/admin/${name}/:id`];
  const reading = adminRoute("GET", `admin:read:${name}`, "read");
  const writing = (method: "DELETE" | "POST") =>
    adminRoute(method, `admin:write:${name}`, "write");
  return [
    reading(path, async ({ input, link }) => {
      const page = readAskedPage(input, OF_BANS);
      const found = await bans.list([kind], page);
      link(
        page,
        found.map(({ id }) => id),
      );
      return found.map(present);
    }),
    reading(one, async ({ id }) => present(await getBan(bans, id(), kind))),
    writing("POST")(path, async (call) => {
      const from = call.network;
      const given = { kind, from, ...read(call) };
      return present(await bans.set(call.viewer, given));
    }),
    writing("DELETE")(one, async ({ id, viewer }) => {
      await bans.lift(viewer, id(), [kind]);
      return {};
    }),
  ];
}

/** Networks alone can be changed. A change of the range makes another ban of it. */
function changeRoute(bans: Bans): MastodonRoute {
  const { kind, name, read, present } = NETWORKS;
  const writing = adminRoute("PUT", `admin:write:${name}`, "write");
  return writing(`/v1/admin/${name}/:id`, async (call) => {
    const before = await getBan(bans, call.id(), kind);
    const given = { kind, from: call.network, ...read(call, before) };
    const made = await bans.set(call.viewer, given);
    if (made.id !== before.id) await bans.lift(call.viewer, before.id, [kind]);
    return present(made);
  });
}

function testRoute(bans: Bans): MastodonRoute {
  const { name, present } = MAIL_ADDRESSES;
  // As in Mastodon, it asks for the scope to read: nothing is written.
  const reading = adminRoute("POST", `admin:read:${name}`, "read");
  return reading(`/v1/admin/${name}/test`, async ({ input }) => {
    const address = readMailAddress(input.filled("email") ?? "");
    if (address === undefined) throw invalid("Email is invalid");
    return (await bans.listOnAddress(address)).map(present);
  });
}

/** @throws {KithError} `not_found` */
async function getBan(bans: Bans, id: number, kind: BanKind): Promise<Ban> {
  const ban = await bans.find(id);
  if (ban?.kind !== kind) throw notFound();
  return ban;
}

type Handle = (call: UserCall) => Promise<unknown>;

const adminRoute =
  (method: MastodonRoute["method"], scope: Scope, limit: "read" | "write") =>
  (path: string, handle: Handle): MastodonRoute =>
    userRoute({
      ...{ method, path, scope, limit },
      handle: async (call) => {
        if (!isAtLeast(call.viewer.role, "admin"))
          throw new KithError("forbidden", "Only admins may do this.");
        return handle(call);
      },
    });

const MAIL_DOMAINS: Resource = {
  kind: "mail_domain",
  name: "email_domain_blocks",
  read: ({ input }) => ({
    value: input.filled("domain") ?? "",
    severity: input.flag("allow_with_approval") ? "approval" : "no_sign_ups",
  }),
  present: ({ id, value, severity, createdAt }) => ({
    id: toWireId(id),
    domain: value,
    created_at: toWireTime(createdAt),
    allow_with_approval: severity === "approval",
    // Nobody counts who tried.
    history: [],
  }),
};

const MAIL_ADDRESSES: Resource = {
  kind: "mail_address",
  name: "canonical_email_blocks",
  read: ({ input }) => ({
    value: input.filled("email") ?? input.filled("canonical_email_hash") ?? "",
    severity: "no_sign_ups",
  }),
  present: ({ id, value }) => ({
    id: toWireId(id),
    canonical_email_hash: value,
  }),
};

const SEVERITIES = {
  approval: "sign_up_requires_approval",
  no_sign_ups: "sign_up_block",
  no_access: "no_access",
} as const satisfies Record<BanSeverity, string>;

const NETWORKS: Resource = {
  kind: "network",
  name: "ip_blocks",
  read: readNetwork,
  present: ({ id, value, severity, comment, createdAt, expiresAt }) => ({
    id: toWireId(id),
    ip: value,
    severity: SEVERITIES[severity],
    comment,
    created_at: toWireTime(createdAt),
    expires_at: expiresAt && toWireTime(expiresAt),
  }),
};

function readNetwork({ input }: UserCall, before?: Ban): Given {
  const named = input.filled("severity");
  const severity = named === undefined ? before?.severity : severityOf(named);
  if (severity === undefined)
    throw invalid("Severity is not included in the list");
  // An app that sends no end, or an empty one, means a ban without one.
  const seconds = input.uint("expires_in");
  return {
    value: input.filled("ip") ?? before?.value ?? "",
    severity,
    comment: input.text("comment") ?? before?.comment,
    forMs: seconds === undefined ? undefined : seconds * 1000,
  };
}

function severityOf(named: string): BanSeverity | undefined {
  if (named === SEVERITIES.approval) return "approval";
  if (named === SEVERITIES.no_sign_ups) return "no_sign_ups";
  return named === SEVERITIES.no_access ? "no_access" : undefined;
}
