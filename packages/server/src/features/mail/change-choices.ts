import { KithError } from "../../lib/errors.ts";
import { later, timestamp } from "../../lib/time/clock.ts";
import { isAtLeast, type Role } from "../accounts/index.ts";
import type { UserId } from "../ids.ts";
import type { MailDeps } from "./mail-deps.ts";
import {
  digestPeriodMs,
  STAFF_MAIL_KINDS,
  STAFF_OF,
  type MailChoices,
  type MailSettings,
  type StaffMailKind,
} from "./mail-settings.ts";
import {
  findAddressOf,
  findMailSettings,
  findNewestNotification,
  saveMailChoices,
} from "./mail-store.ts";
import { createUnsubscribeTokens } from "./mail-tokens.ts";

/** The kinds that somebody with this role may be sent. */
export function staffKindsOf(role: Role): StaffMailKind[] {
  return STAFF_MAIL_KINDS.filter((kind) => isAtLeast(role, STAFF_OF[kind]));
}

/**
 * Changes the given choices and leaves the rest.
 * @throws {KithError} `forbidden` for a kind that is for people with another role
 */
export async function changeMailChoices(
  deps: MailDeps,
  { userId, role }: { readonly userId: UserId; readonly role: Role },
  changes: Partial<MailChoices>,
): Promise<MailSettings> {
  const may = staffKindsOf(role);
  if (changes.staffKinds?.some((kind) => !may.includes(kind)))
    throw new KithError("forbidden", "It is sent to others.");
  return save(deps, userId, changes);
}

async function save(
  { db, clock, accounts }: MailDeps,
  userId: UserId,
  changes: Partial<MailChoices>,
): Promise<MailSettings> {
  return db.transaction(async (tx) => {
    await accounts.lock(tx, userId);
    const now = clock.now();
    const before = await findMailSettings(tx, userId, timestamp(now));
    const {
      frequency = before.frequency,
      kinds = before.kinds,
      staffKinds = before.staffKinds,
    } = changes;
    const choices = {
      frequency,
      kinds: [...new Set(kinds)],
      staffKinds: [...new Set(staffKinds)],
    };
    const periodMs = digestPeriodMs(frequency);
    const digest = frequency !== before.frequency && {
      at: periodMs === undefined ? null : timestamp(later(now, periodMs)),
      // It begins with what happens from now on.
      afterId: await findNewestNotification(tx, userId),
    };
    await saveMailChoices(
      ...([tx, userId, choices, digest || undefined, timestamp(now)] as const),
    );
    return { ...before, ...choices };
  });
}

/** Whose mails of which kind a link of a mail ends; undefined for a link that has ended. */
export async function findSubscribed(deps: MailDeps, token: string) {
  const named = createUnsubscribeTokens(deps.secretKey).read(token);
  if (!named) return undefined;
  const found = await findAddressOf(deps.db.read, named.userId);
  return found && named.isFor(found.address)
    ? { userId: found.userId, scope: named.scope, address: found.address }
    : undefined;
}

/** Ends the mails that a link names. @throws {KithError} `not_found` for a link that has ended */
export async function unsubscribe(
  deps: MailDeps,
  token: string,
): Promise<void> {
  const found = await findSubscribed(deps, token);
  if (!found) throw new KithError("not_found", "The link has ended.");
  await save(
    deps,
    found.userId,
    found.scope === "notices" ? { frequency: "never" } : { staffKinds: [] },
  );
}
