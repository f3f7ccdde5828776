/** The diaspora* federation protocol: values in, values or a {@link DiasporaError} out. No network, no clock, no store. */
export { DiasporaError } from "./errors.ts";
export type { DiasporaErrorCode, DiasporaStage } from "./errors.ts";
export { isGuid, isHandle, normalizeHandle } from "./identifiers.ts";
export { base64urlEncode } from "./base64.ts";
export { readPublicKey, toSpkiPem } from "./keys.ts";
export type { KeyLike } from "./keys.ts";
export {
  buildEnvelope,
  MAGIC_ENVELOPE_TYPE,
  parseEnvelope,
  verifyEnvelope,
} from "./envelope.ts";
export type {
  EnvelopeInput,
  UnverifiedEnvelope,
  VerifiedEnvelope,
} from "./envelope.ts";
export {
  decryptEnvelope,
  encryptEnvelope,
  isEncryptedFor,
} from "./encrypted-envelope.ts";
export type * from "./entity-types.ts";
export type * from "./person-types.ts";
export type * from "./post-types.ts";
export type * from "./relayable-types.ts";
export { parseEntity } from "./parse-entity.ts";
export { validateEntity } from "./validate-entity.ts";
export { buildEntity, buildRelayed } from "./build-entity.ts";
export { participantsOf } from "./entity-rules.ts";
export { isRelayable } from "./is-relayable.ts";
export { isBaseProfile, retractionTypeOf } from "./entity-kinds.ts";
export { PHOTO_PREFIXES, photoUrl } from "./photo-url.ts";
export type { PhotoSize } from "./photo-url.ts";
export {
  relayableSignatureBase,
  signProperties,
  signRelayable,
  verifyAuthorSignature,
} from "./relayables.ts";
export {
  migrationIdentities,
  migrationSignatureBase,
  signMigration,
  verifyMigrationSignature,
} from "./account-migration.ts";
export type { MigrationIdentities } from "./account-migration.ts";
export { buildWebfinger, parseWebfinger, webfingerLinks } from "./webfinger.ts";
export type { WebfingerLink, WebfingerPerson } from "./webfinger.ts";
export { buildHcard, parseHcard } from "./hcard.ts";
export type { Hcard, HcardInput } from "./hcard.ts";
export { splitName } from "./names.ts";
export type { SplitName } from "./names.ts";
export {
  fetchUrl,
  personStreamUrl,
  receivePrivateUrl,
  receivePublicUrl,
  seedLocationOf,
} from "./locations.ts";
export { buildPersonStream, parsePersonStream } from "./person-stream.ts";
export type { StreamEntry, StreamPost } from "./person-stream.ts";
export { diasporaLinksIn, mentionsIn, tagsIn } from "./text.ts";
export type { DiasporaLink, Mention } from "./text.ts";
