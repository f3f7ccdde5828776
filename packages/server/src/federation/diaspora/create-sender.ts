import type { Person, Recipient } from "../../features/people/index.ts";
import {
  isInConversation,
  isRootHere,
  type Outgoing,
  type ProtocolSender,
  type Rendered,
} from "../outbound/outgoing.ts";
import type { DiasporaDeps } from "./deps.ts";
import {
  asSigner,
  dispatchDocument,
  dispatchEntity,
  type Signer,
} from "./records/envelopes.ts";
import {
  deleteSignatures,
  findSignature,
  RELAYABLE_KINDS,
} from "./records/relayable-store.ts";
import {
  renderOutgoing,
  TAKEN_BACK,
  type Renderable,
} from "./render/render-outgoing.ts";
import { signAsAuthor } from "./sign-relayable.ts";

type SenderDeps = Pick<
  DiasporaDeps,
  "db" | "accounts" | "baseUrl" | "uriOfPost"
>;

type Of<K extends Outgoing["kind"]> = Extract<Outgoing, { kind: K }>;

/** Sends local activities as diaspora* entities in signed envelopes. */
export function createDiasporaSender(deps: SenderDeps): ProtocolSender {
  return {
    render: async (outgoing, recipients) => {
      const signer = asSigner(signingPerson(outgoing));
      if (!signer || recipients.length === 0) return [];
      return outgoing.kind === "move"
        ? addressMove(outgoing, signer, recipients)
        : seal(deps, outgoing, signer, recipients);
    },
    forget: async (kind, guids) => {
      if (kind === "Post" || kind === "Photo") return;
      await deleteSignatures(deps.db, RELAYABLE_KINDS[kind], guids);
    },
  };
}

/** Replies and likes of others are forwarded in the name of the local post's author. */
function signingPerson(outgoing: Outgoing): Person {
  const passedOn =
    "postAuthor" in outgoing &&
    isRootHere(outgoing) &&
    !isInConversation(outgoing);
  return passedOn ? outgoing.postAuthor : outgoing.by;
}

async function seal(
  deps: SenderDeps,
  outgoing: Renderable,
  signer: Signer,
  recipients: readonly Recipient[],
): Promise<Rendered[]> {
  if (!(await wasPassedOn(deps, outgoing))) return [];
  const dispatches: Rendered[] = [];
  for (const rendered of renderOutgoing(deps, outgoing, recipients)) {
    const entity =
      "relayable" in rendered
        ? await signAsAuthor(deps, rendered.relayable, rendered.author)
        : rendered.entity;
    // Without its author's signature no server accepts it, or needs the entities sent with it.
    if (!entity) return [];
    const { isPublic, onlyFor } = rendered;
    const to = onlyFor
      ? recipients.filter(({ id }) => id === onlyFor.id)
      : recipients;
    dispatches.push(
      ...(await dispatchEntity(deps, entity, signer, {
        recipients: to,
        isPublic,
      })),
    );
  }
  return dispatches;
}

/** An entity that was not forwarded need not be retracted. */
async function wasPassedOn(
  { db }: SenderDeps,
  outgoing: Renderable,
): Promise<boolean> {
  switch (outgoing.kind) {
    case "comment_retraction":
    case "like_retraction":
    case "vote_retraction": {
      const { author, guid } = outgoing;
      const kind = TAKEN_BACK[outgoing.kind];
      return (
        author.userId !== null ||
        (await findSignature(db.read, kind, guid)) !== undefined
      );
    }
    default:
      return true;
  }
}

/**
 * Public, once for each server, and to each person: pods accept the former, Friendica the latter.
 */
function addressMove(
  { document }: Of<"move">,
  signer: Signer,
  recipients: readonly Recipient[],
): Rendered[] {
  if (document === null || document.text === "") return [];
  const ways = document.public ? [true, false] : [false];
  return ways.map((isPublic) =>
    dispatchDocument(document.text, signer, { recipients, isPublic }),
  );
}
