import { signRelayable } from "@kith/diaspora";
import type { Person } from "../../features/people/index.ts";
import type { DiasporaDeps } from "./deps.ts";
import { asSigner } from "./records/envelopes.ts";
import {
  findSignature,
  saveSignature,
  type RelayableKind,
  type StoredSignature,
} from "./records/relayable-store.ts";
import type { RelayableEntity } from "./render/render-relayable.ts";

const KINDS = {
  comment: "Comment",
  event_participation: "EventParticipation",
  like: "Like",
  poll_participation: "PollParticipation",
} as const satisfies Record<RelayableEntity["type"], RelayableKind>;

/**
 * Adds the author's signature: the stored one; a local person's is made once and stored before
 * anything is sent.
 * @returns undefined where the author is remote and no signature is stored
 */
export async function signAsAuthor(
  { db, accounts }: Pick<DiasporaDeps, "db" | "accounts">,
  entity: RelayableEntity,
  author: Person,
): Promise<RelayableEntity | undefined> {
  const kind = KINDS[entity.type];
  const stored = await findSignature(db.read, kind, entity.guid);
  if (stored && isCurrent(stored, entity, author))
    return { ...entity, signed: stored };
  const signer = asSigner(author);
  if (!signer) return undefined;
  const key = await accounts.getPrivateKey(signer.userId);
  const { signed } = await signRelayable<RelayableEntity>(entity, key);
  if (signed?.authorSignature === undefined)
    throw new Error("A signed relayable has no signature");
  const { properties, authorSignature } = signed;
  const saved = await saveSignature(
    db,
    kind,
    entity.guid,
    { properties, authorSignature },
    { replace: stored !== undefined },
  );
  return saved && { ...entity, signed: saved };
}

/**
 * An answer to an event that was changed, and a local comment that was edited, are signed
 * again. A remote comment goes on as its author signed it.
 */
function isCurrent(
  { properties }: StoredSignature,
  entity: RelayableEntity,
  author: Person,
): boolean {
  const has = (wanted: string, value: string | undefined) =>
    properties.find(([name]) => name === wanted)?.[1] === value;
  switch (entity.type) {
    case "event_participation":
      return has("status", entity.status);
    case "comment":
      return author.userId === null || has("edited_at", entity.editedAt);
    case "like":
    case "poll_participation":
      return true;
  }
}
