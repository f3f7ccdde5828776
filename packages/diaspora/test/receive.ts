import {
  decryptEnvelope,
  DiasporaError,
  isRelayable,
  migrationIdentities,
  parseEntity,
  parseEnvelope,
  participantsOf,
  verifyAuthorSignature,
  verifyEnvelope,
  verifyMigrationSignature,
} from "../src/index.ts";
import type { Entity, Profile, Relayable, Retraction } from "../src/index.ts";
import {
  findPerson,
  person,
  privateKeyOf,
  publicKeyOf,
  vectorFile,
} from "./vectors.ts";
import type { KnownEntity, ReceiveVector } from "./vectors.ts";

export type Outcome =
  | { verdict: "accept"; sender: string; entity: Entity; payloadXml: string }
  | { verdict: "reject"; stage: string; reason: string };

class Rejection extends Error {
  readonly stage: string;
  constructor(stage: string) {
    super(`refused: ${stage}`);
    this.stage = stage;
  }
}

/** A minimal server: bob's, which knows the people and entities of the vector file and cannot fetch anything. */
export async function receive(vector: ReceiveVector): Promise<Outcome> {
  try {
    return await accept(vector);
  } catch (error) {
    if (error instanceof DiasporaError || error instanceof Rejection) {
      return { verdict: "reject", stage: error.stage, reason: error.message };
    }
    throw error;
  }
}

async function accept(vector: ReceiveVector): Promise<Outcome> {
  const body = Buffer.from(vector.body, "utf8");
  const xml =
    vector.endpoint === "private"
      ? await decryptEnvelope(body, privateKeyOf(vector.recipient ?? ""))
      : body;
  const envelope = parseEnvelope(xml);
  const key = keyOf(envelope.claimedSender, "envelope_signature");
  const { sender, payloadXml } = await verifyEnvelope(envelope, key);
  const entity = parseEntity(payloadXml);
  await checkSecondSignature(entity);
  checkSender(entity, sender);
  if (vector.endpoint === "public") checkPublicFlag(entity);
  else checkRecipient(entity, person(vector.recipient ?? "").handle);
  return { verdict: "accept", sender, entity, payloadXml };
}

function keyOf(handle: string, stage: string) {
  if (!findPerson(handle)?.discoverable) throw new Rejection(stage);
  return publicKeyOf(handle);
}

async function checkSecondSignature(entity: Entity): Promise<void> {
  if (entity.type === "account_migration") {
    const { signer } = migrationIdentities(entity);
    const key = keyOf(signer, "signature");
    if (await verifyMigrationSignature(entity, key)) return;
    throw new Rejection("signature");
  }
  if (!isRelayable(entity)) return;
  if (entity.author === parentOf(entity).root_author) return;
  const key = keyOf(entity.author, "author_signature");
  if (await verifyAuthorSignature(entity, key)) return;
  throw new Rejection("author_signature");
}

function parentOf(entity: Relayable): KnownEntity {
  const type = {
    comment: "Post",
    like: entity.type === "like" ? entity.parentType : "",
    poll_participation: "Poll",
    event_participation: "Event",
  }[entity.type];
  const parent = known(type, entity.parentGuid);
  if (!parent) throw new Rejection("parent");
  return parent;
}

function known(type: string, guid: string): KnownEntity | undefined {
  return vectorFile.known_entities.find(
    (one) => one.type === type && one.guid === guid,
  );
}

function checkSender(entity: Entity, sender: string): void {
  if (isRelayable(entity)) {
    const parent = parentOf(entity);
    const byAuthor = parent.root_local && sender === entity.author;
    if (!byAuthor && sender !== parent.root_author) {
      throw new Rejection("sender");
    }
    return;
  }
  if (entity.type === "retraction") return checkRetraction(entity, sender);
  if (!("author" in entity) || entity.author !== sender) {
    throw new Rejection("sender");
  }
  if (entity.type === "reshare" && entity.rootGuid !== undefined) {
    const root = known("Post", entity.rootGuid);
    if (root && root.author !== entity.rootAuthor) {
      throw new Rejection("validation");
    }
  }
}

function checkRetraction(retraction: Retraction, sender: string): void {
  const target = known(retraction.targetType, retraction.targetGuid);
  if (!target) throw new Rejection("target");
  const relayed = ["Comment", "Like", "PollParticipation"].includes(
    retraction.targetType,
  );
  const allowed = relayed
    ? [target.author, target.root_author]
    : [target.author];
  if (!allowed.includes(sender)) throw new Rejection("sender");
}

function checkPublicFlag(entity: Entity): void {
  if (!("public" in entity) || entity.public) return;
  if (entity.type === "profile" && isBaseOnly(entity)) return;
  throw new Rejection("public_flag");
}

function isBaseOnly({ bio, birthday, gender, location }: Profile): boolean {
  return [bio, birthday, gender, location].every((one) => one === undefined);
}

function checkRecipient(entity: Entity, owner: string): void {
  if (entity.type === "contact" && entity.recipient !== owner) {
    throw new Rejection("recipient");
  }
  if (
    entity.type === "conversation" &&
    !participantsOf(entity).includes(owner)
  ) {
    throw new Rejection("recipient");
  }
  if (entity.type === "participation") {
    if (!known("Post", entity.parentGuid)?.local) throw new Rejection("parent");
  }
}
