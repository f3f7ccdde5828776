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

/** Who may invite: admins, every user, or nobody. */
export type WhoInvites = "admins" | "users" | "off";

export type InvitationsDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly whoInvites: WhoInvites;
};

/** How often an invitation can be used, and for how many days. */
export const INVITATION_BOUNDS = { maxUses: 1_000, maxDays: 365 } as const;

/**
 * How many people somebody invites who does not run the server: who can be let in by
 * what is open, and by what was made within a day, taken back or not.
 */
export const MEMBER_BOUNDS = { open: 10, perDay: 10 } as const;

const DEFAULT_USES = 1;
const DEFAULT_DAYS = 7;
const DAY_MS = 24 * 3_600_000;
const CODE_BYTES = 18;

/** Where an invitation stands. */
export type InvitationState = "open" | "used_up" | "expired" | "revoked";

/** Invitations: who has one makes an account also where not everybody may. */
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

  /** Invitations of one person wait for each other, so that many at once are no more than one after the other. */
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

  /** Revoking what is revoked already changes nothing, and is not written down again. */
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
     * Makes an invitation.
     * @param wanted by default for one account, for seven days
     * @returns it, and its code, of which only a hash is kept
     * @throws {KithError} `forbidden` to whoever may not invite, `bad_request` beyond `INVITATION_BOUNDS`, `conflict` or `too_many_requests` beyond `MEMBER_BOUNDS`
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
    /** One's own, newest first. @throws {KithError} `forbidden` to whoever may not invite */
    listOwn: async (
      by: NonNullable<Inviter>,
      page: Page,
    ): Promise<Invitation[]> => {
      refuseOthers(by);
      return listInvitations(db.read, by.userId, page);
    },
    /** Everybody's, newest first. */
    list: (page: Page): Promise<Invitation[]> =>
      listInvitations(db.read, undefined, page),
    /** Ends one's own. @throws {KithError} `not_found`, or `forbidden` to whoever may not invite */
    revokeOwn: async (
      by: NonNullable<Inviter>,
      id: InvitationId,
    ): Promise<void> => {
      refuseOthers(by);
      await revoke(by, id, by.userId);
    },
    /** Ends anybody's. @throws {KithError} `not_found` */
    revoke: (by: Doer, id: InvitationId) => revoke(by, id, undefined),
    stateOf: ({ revokedAt, expiresAt, uses, maxUses }: Invitation) =>
      stateAt(now(), { revokedAt, expiresAt, uses, maxUses }),
    /** Would this code let somebody in? */
    isUsable: async (code: string): Promise<boolean> =>
      whoInvites !== "off" &&
      (await isInvitationUsable(db.read, hashCode(code), now())),
    /**
     * Counts a use, in the transaction that makes the account.
     * @returns undefined where the code lets nobody in, or nobody any more
     */
    use: async (tx: Tx, code: string): Promise<InvitationId | undefined> =>
      whoInvites === "off" ? undefined : takeUse(tx, hashCode(code), now()),
  };
}

/** Where somebody signs up with an invitation. */
export function invitationLink(baseUrl: string, code: string): string {
  return `${baseUrl}/users/sign_up?invitation=${code}`;
}

/** null: whoever sits at the command line. */
type Inviter = (NonNullable<Doer> & { readonly role: string }) | null;

function stateAt(
  now: string,
  it: Pick<Invitation, "revokedAt" | "expiresAt" | "uses" | "maxUses">,
): InvitationState {
  if (it.revokedAt !== null) return "revoked";
  if (it.uses >= it.maxUses) return "used_up";
  return it.expiresAt <= now ? "expired" : "open";
}

/** Codes are long and random: nobody finds one by trying, and a plain hash is enough. */
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
