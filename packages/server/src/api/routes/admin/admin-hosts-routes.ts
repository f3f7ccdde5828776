import { Type } from "../../../lib/json-schema.ts";
import {
  HOST_DECISIONS,
  type HostDecision,
  type HostPolicies,
  type HostPolicy,
} from "../../../features/host-policies/index.ts";
import { text } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf } from "../../schemas/schemas.ts";

export type AdminHostsDeps = { readonly hostPolicies: HostPolicies };

const DECISION = Type.Object({
  host: text("A host, and with it all below it"),
  decision: Type.Optional(
    Type.Unsafe<HostDecision>({
      type: "string",
      enum: Object.keys(HOST_DECISIONS),
      description: "What is decided; the rest stays as it was",
    }),
  ),
  reason: text("Why, for those who run this server"),
});

/** Decisions about other servers. A job applies them soon after. */
export function adminHostsRoutes({ hostPolicies }: AdminHostsDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      forRole: "moderator",
      limit: "read",
      scope: "admin:read:domain_blocks",
      name: "listHostPolicies",
      path: "/admin/hosts",
      summary: "Lists the decisions about other servers, by host.",
      input: NO_INPUT,
      output: listOf("HostPolicy"),
      handle: async ({ page: { offset, limit } }) =>
        (await hostPolicies.list())
          .slice(offset, offset + limit)
          .map(presentPolicy),
    }),
    apiRoute({
      method: "POST",
      forRole: "admin",
      limit: "write",
      scope: "admin:write:domain_blocks",
      name: "setHostPolicy",
      path: "/admin/hosts",
      summary: "Decides how this server treats another one.",
      input: DECISION,
      needs: ["host", { name: "decision", error: "empty_string" }],
      output: EMPTY,
      handle: async ({ user, input }) => {
        const { host, decision, reason } = input;
        const policy = {
          ...HOST_DECISIONS[decision],
          ...(reason === undefined ? {} : { reason }),
        };
        if (!(await hostPolicies.set(user, host, policy)))
          throw new KithError(
            "bad_request",
            "The parameter host must be the name of another server.",
          );
        return {};
      },
    }),
    apiRoute({
      method: "DELETE",
      forRole: "admin",
      limit: "write",
      scope: "admin:write:domain_blocks",
      name: "deleteHostPolicy",
      path: "/admin/hosts/:host",
      summary: "Takes back every decision about another server.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        if (!(await hostPolicies.forgive(user, path("host"))))
          throw new KithError("not_found", "Nothing was decided.");
        return {};
      },
    }),
  ];
}

function presentPolicy(policy: HostPolicy): WireRecord {
  return {
    Host: policy.host,
    Blocked: policy.blocked,
    Silenced: policy.silenced,
    MediaRejected: policy.mediaRejected,
    Allowed: policy.allowed,
    Reason: policy.reason,
    CreatedAt: policy.createdAt,
    UpdatedAt: policy.updatedAt,
  };
}
