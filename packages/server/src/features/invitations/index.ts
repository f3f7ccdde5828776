import { createHash, randomBytes } from "node:crypto";
import type { Db, Tx } from "../../db/db.ts";
import { lockKey } from "../../db/dialect.ts";
import { later, timestamp, type Clock } from "../../lib/time/clock.ts";
import { KithError } from "../../lib/errors.ts";
import { nameOfDoer, type Audit, type Doer } from "../audit/index.ts";
import type { InvitationId, UserId } from "../ids.ts";
import type { Page } from "../page.ts";
import {
  countInvited,
  findInvitation,
  insertInvitation,
  isInvitationUsable,
  listInvitations,
  takeUse,
  updateRevoked,
  type Invitation,
} from "./invitation-store.ts";

export type { Invitation } from "./invitation-store.ts";

/** The people who may invite: admins, all users, or no one. */
export type WhoInvites = "admins" | "users" | "off";

export type InvitationsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly whoInvites: WhoInvites;
};

/** The limits of an invitation: uses, and days until it expires. */
export const INVITATION_BOUNDS = { maxUses: 1_000, maxDays: 365 } as const;

/**
 * The limits of a user who is not an admin, in people who can be let in: by the open
 * invitations, and by those created within a day, revoked or not.
 */
export const MEMBER_BOUNDS = { open: 10, perDay: 10 } as const;

const DEFAULT_USES = 1;
const DEFAULT_DAYS = 7;
const DAY_MS = 24 * 3_600_000;
const CODE_BYTES = 18;

export type InvitationState = "open" | "used_up" | "expired" | "revoked";

/** Invitations: they allow people to sign up even if registration is closed. */
export type Invitations = ReturnType<typeof createInvitations>;

export function createInvitations(deps: InvitationsDeps) {
  const { db, clock, audit, whoInvites } = deps;
  const now = () => timestamp(clock.now());

  /** @throws {KithError} `forbidden` */
  function refuseOthers(by: Inviter): void {
    if (!mayInvite(by))
      throw new KithError("forbidden", "Invitations are not for this user.");
  }

  function mayInvite(by: Inviter): boolean {
    if (whoInvites === "off") return false;
    return by === null || whoInvites === "users" || by.role === "admin";
  }

  /** Serialized per user, so that concurrent requests cannot exceed the limits. */
  async function refuseMany(
    tx: Tx,
    by: Inviter,
    wanted: number,
  ): Promise<void> {
    if (by === null || by.role === "admin") return;
    await lockKey(tx, db.dialect, `invitations:${by.userId}`);
    const dayAgo = timestamp(later(clock.now(), -DAY_MS));
    const { open, sinceThen } = await countInvited(
      tx,
      by.userId,
      now(),
      dayAgo,
    );
    if (open + wanted > MEMBER_BOUNDS.open)
      throw new KithError(
        "conflict",
        `At most ${MEMBER_BOUNDS.open} people can be invited at once: take an invitation back, or wait until one is used.`,
      );
    if (sinceThen + wanted > MEMBER_BOUNDS.perDay)
      throw new KithError(
        "too_many_requests",
        "Too many invitations within a day.",
        {
          retryAfterS: DAY_MS / 1000,
        },
      );
  }

  /** Revoking twice changes nothing, and adds no second audit entry. */
  async function revoke(
    by: Doer,
    id: InvitationId,
    ofUser: UserId | undefined,
  ): Promise<void> {
    await db.transaction(async (tx) => {
      const invitation = await findInvitation(tx, id);
      if (!invitation || (ofUser && invitation.byUserId !== ofUser))
        throw new KithError("not_found", "No such invitation.");
      if (!(await updateRevoked(tx, id, now()))) return;
      const target = String(id);
      const details = `made by ${invitation.byName}`;
      const action = "invitation.revoke";
      await audit.recordAct(tx, { by, action, target, details });
    });
  }

  return {
    mayInvite,
    /**
     * Creates an invitation.
     * @param wanted by default for one account, for seven days
     * @returns the invitation and its code, of which only a hash is stored
     * @throws {KithError} `forbidden` for users who may not invite, `bad_request` beyond
     * `INVITATION_BOUNDS`, `conflict` or `too_many_requests` beyond `MEMBER_BOUNDS`
     */
    create: async (
      by: Inviter,
      wanted: {
        readonly uses?: number | undefined;
        readonly days?: number | undefined;
      } = {},
    ): Promise<{ readonly invitation: Invitation; readonly code: string }> => {
      refuseOthers(by);
      const { uses = DEFAULT_USES, days = DEFAULT_DAYS } = wanted;
      refuseBeyond(uses, INVITATION_BOUNDS.maxUses);
      refuseBeyond(days, INVITATION_BOUNDS.maxDays);
      const code = randomBytes(CODE_BYTES).toString("base64url");
      const made = clock.now();
      const invitation = await db.transaction(async (tx) => {
        await refuseMany(tx, by, uses);
        const inserted = await insertInvitation(tx, {
          codeHash: hashCode(code),
          byUserId: by?.userId ?? null,
          byName: nameOfDoer(by),
          maxUses: uses,
          createdAt: timestamp(made),
          expiresAt: timestamp(later(made, days * DAY_MS)),
        });
        const target = String(inserted.id);
        const details = `for ${uses}, until ${inserted.expiresAt}`;
        const action = "invitation.create";
        await audit.recordAct(tx, { by, action, target, details });
        return inserted;
      });
      return { invitation, code };
    },
    /**
     * The user's own, newest first.
     * @throws {KithError} `forbidden` for users who may not invite
     */
    listOwn: async (
      by: NonNullable<Inviter>,
      page: Page,
    ): Promise<Invitation[]> => {
      refuseOthers(by);
      return listInvitations(db.read, by.userId, page);
    },
    /** The invitations of all users, newest first. */
    list: (page: Page): Promise<Invitation[]> =>
      listInvitations(db.read, undefined, page),
    /**
     * Revokes an own one.
     * @throws {KithError} `not_found`, or `forbidden` for users who may not invite
     */
    revokeOwn: async (
      by: NonNullable<Inviter>,
      id: InvitationId,
    ): Promise<void> => {
      refuseOthers(by);
      await revoke(by, id, by.userId);
    },
    /** Revokes an invitation of any user. @throws {KithError} `not_found` */
    revoke: (by: Doer, id: InvitationId) => revoke(by, id, undefined),
    stateOf: ({ revokedAt, expiresAt, uses, maxUses }: Invitation) =>
      stateAt(now(), { revokedAt, expiresAt, uses, maxUses }),
    /** Can this code be used to sign up? */
    isUsable: async (code: string): Promise<boolean> =>
      whoInvites !== "off" &&
      (await isInvitationUsable(db.read, hashCode(code), now())),
    /**
     * Counts a use, in the transaction that creates the account.
     * @returns undefined if the code is invalid, or no longer usable
     */
    use: async (tx: Tx, code: string): Promise<InvitationId | undefined> =>
      whoInvites === "off" ? undefined : takeUse(tx, hashCode(code), now()),
  };
}

/** The address for signing up with an invitation. */
export function invitationLink(baseUrl: string, code: string): string {
  return `${baseUrl}/users/sign_up?invitation=${code}`;
}

/** null for the command line. */
type Inviter = (NonNullable<Doer> & { readonly role: string }) | null;

function stateAt(
  now: string,
  it: Pick<Invitation, "revokedAt" | "expiresAt" | "uses" | "maxUses">,
): InvitationState {
  if (it.revokedAt !== null) return "revoked";
  if (it.uses >= it.maxUses) return "used_up";
  return it.expiresAt <= now ? "expired" : "open";
}

/** Codes are long and random: they cannot be guessed, and a plain hash is enough. */
function hashCode(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}

function refuseBeyond(value: number, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new KithError(
      "bad_request",
      `The number must be from 1 to ${most}, not ${value}.`,
    );
}
