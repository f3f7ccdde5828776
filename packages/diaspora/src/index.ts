/** The diaspora* federation protocol: values in, values or a {@link DiasporaError} out. No network, no clock, no store. */
export { DiasporaError } from "./errors.ts";
export type { DiasporaErrorCode, DiasporaStage } from "./errors.ts";
export { isGuid, isHandle, normalizeHandle } from "./identifiers.ts";
export { base64urlEncode } from "./envelopes/base64.ts";
export { readPublicKey, toSpkiPem } from "./envelopes/keys.ts";
export type { KeyLike } from "./envelopes/keys.ts";
export {
  buildEnvelope,
  MAGIC_ENVELOPE_TYPE,
  parseEnvelope,
  verifyEnvelope,
} from "./envelopes/envelope.ts";
export type {
  EnvelopeInput,
  UnverifiedEnvelope,
  VerifiedEnvelope,
} from "./envelopes/envelope.ts";
export {
  decryptEnvelope,
  encryptEnvelope,
  isEncryptedFor,
} from "./envelopes/encrypted-envelope.ts";
export type * from "./entities/entity-types.ts";
export type * from "./entities/person-types.ts";
export type * from "./entities/post-types.ts";
export type * from "./entities/relayable-types.ts";
export { parseEntity } from "./entities/parse-entity.ts";
export { validateEntity } from "./entities/validate-entity.ts";
export { buildEntity, buildRelayed } from "./entities/build-entity.ts";
export { participantsOf } from "./entities/entity-rules.ts";
export { isRelayable } from "./entities/is-relayable.ts";
export { isBaseProfile, retractionTypeOf } from "./entities/entity-kinds.ts";
export { PHOTO_PREFIXES, photoUrl } from "./photo-url.ts";
export type { PhotoSize } from "./photo-url.ts";
export {
  relayableSignatureBase,
  signProperties,
  signRelayable,
  verifyAuthorSignature,
} from "./entities/relayables.ts";
export {
  migrationIdentities,
  migrationSignatureBase,
  signMigration,
  verifyMigrationSignature,
} from "./entities/account-migration.ts";
export type { MigrationIdentities } from "./entities/account-migration.ts";
export {
  buildWebfinger,
  parseWebfinger,
  webfingerLinks,
} from "./discovery/webfinger.ts";
export type { WebfingerLink, WebfingerPerson } from "./discovery/webfinger.ts";
export { buildHcard, parseHcard } from "./discovery/hcard.ts";
export type { Hcard, HcardInput } from "./discovery/hcard.ts";
export { splitName } from "./names.ts";
export type { SplitName } from "./names.ts";
export {
  fetchUrl,
  personStreamUrl,
  receivePrivateUrl,
  receivePublicUrl,
  seedLocationOf,
} from "./locations.ts";
export {
  buildPersonStream,
  parsePersonStream,
} from "./discovery/person-stream.ts";
export type { StreamEntry, StreamPost } from "./discovery/person-stream.ts";
export { diasporaLinksIn, mentionsIn, tagsIn } from "./text.ts";
export type { DiasporaLink, Mention } from "./text.ts";
