import {
  BAN_KINDS,
  BAN_SEVERITIES,
  type Ban,
  type BanKind,
  type Bans,
  type BanSeverity,
} from "../../../features/bans/index.ts";
import { text, uint } from "../../../http/input/input.ts";
import { KithError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/json-schema.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import { EMPTY, listOf, one } from "../../schemas/schemas.ts";

export type BansRoutesDeps = { readonly bans: Bans };

const DAY_MS = 86_400_000;

const BAN = Type.Object({
  kind: Type.Optional(
    Type.Unsafe<BanKind>({
      type: "string",
      enum: [...BAN_KINDS],
      description: "What is banned",
    }),
  ),
  value: text(
    "A mail domain, and with it all below it; a mail address, or the SHA-256 of one; an IP address, or a range in CIDR notation",
  ),
  severity: Type.Optional(
    Type.Unsafe<BanSeverity>({
      type: "string",
      enum: [...BAN_SEVERITIES],
      description:
        "approval: sign-ups wait for approval; no_sign_ups: there are none; no_access: a network is refused everything",
    }),
  ),
  comment: text("Why, for admins; at most 500 characters"),
  days: uint(
    "After how many days it ends, at most 3,650; never where not said",
  ),
});

/** Mail domains, mail addresses and networks that are kept from signing up. */
export function bansRoutes({ bans }: BansRoutesDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      forRole: "admin",
      limit: "read",
      scope: "admin:read",
      name: "listBans",
      path: "/admin/bans",
      summary:
        "Lists the mail domains, mail addresses and networks that are kept from signing up, newest first.",
      input: NO_INPUT,
      output: listOf("Ban"),
      handle: async ({ page }) =>
        (await bans.list(BAN_KINDS, page)).map(presentBan),
    }),
    apiRoute({
      method: "POST",
      forRole: "admin",
      limit: "write",
      scope: "admin:write",
      name: "setBan",
      path: "/admin/bans",
      summary:
        "Keeps a mail domain, a mail address or a network from signing up; a ban of the same is replaced.",
      input: BAN,
      needs: [
        { name: "kind", error: "empty_string" },
        "value",
        { name: "severity", error: "empty_string" },
      ],
      output: one("Ban"),
      handle: async ({ user, from, input }) => {
        const { days, kind, value, severity, comment } = input;
        const forMs = days === undefined ? undefined : days * DAY_MS;
        return presentBan(
          await bans.set(user, {
            ...{ kind, value, severity, comment, from, forMs },
          }),
        );
      },
    }),
    apiRoute({
      method: "DELETE",
      forRole: "admin",
      limit: "write",
      scope: "admin:write",
      name: "liftBan",
      path: "/admin/bans/:id",
      summary: "Lifts a ban.",
      input: NO_INPUT,
      output: EMPTY,
      handle: async ({ user, path }) => {
        await bans.lift(user, readId(path("id")));
        return {};
      },
    }),
  ];
}

function readId(written: string): number {
  if (/^[1-9]\d{0,14}$/.test(written)) return Number(written);
  throw new KithError("not_found", "There is no such ban.");
}

const presentBan = (ban: Ban): WireRecord => ({
  ID: ban.id,
  CreatedAt: ban.createdAt,
  Kind: ban.kind,
  Value: ban.value,
  Severity: ban.severity,
  Comment: ban.comment,
  ExpiresAt: ban.expiresAt,
});
