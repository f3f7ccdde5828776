export { ActivityPubError } from "./errors.ts";
export type { ActivityPubErrorCode, SignatureFault } from "./errors.ts";
export { isJsonArray, isJsonObject, parseJson, serialize } from "./json.ts";
export type { JsonLimits } from "./json.ts";
export type { JsonObject, JsonValue } from "./json-types.ts";
export {
  CONTENT_TYPE,
  PUBLIC,
  acceptsActivityPub,
  isActivityPubContentType,
  isFetchedContentType,
} from "./media-types.ts";
export {
  isSameOriginOrSubdomain,
  parseHttpUrl,
  sameOrigin,
  withoutFragment,
} from "./urls.ts";
export type { ObjectRef } from "./values.ts";
export { isPublicAddress, readAudience } from "./audience.ts";
export type { Audience } from "./audience.ts";
export { readActivity } from "./read-activity.ts";
export type { Activity } from "./read-activity.ts";
export { readNote } from "./read-note.ts";
export type { Note } from "./read-note.ts";
export type { Attachment, Picture, Tag } from "./read-parts.ts";
export { ACTOR_TYPES, readActor } from "./read-actor.ts";
export type { RemoteActor } from "./read-actor.ts";
export { readKeyDocument } from "./read-key.ts";
export type { PublicKey } from "./read-key.ts";
export { readCollection } from "./read-collection.ts";
export type { Collection } from "./read-collection.ts";
export { withContext } from "./context.ts";
export { buildActor } from "./build-actor.ts";
export type { ActorInput } from "./build-actor.ts";
export { buildNote } from "./build-note.ts";
export type { AttachmentInput, NoteInput } from "./build-note.ts";
export { buildActivity, buildTombstone } from "./build-activity.ts";
export type { ActivityInput, ActivityType } from "./build-activity.ts";
export { buildCollection, buildCollectionPage } from "./build-collection.ts";
export { activityPubLink, actorWebfingerLinks, parseJrd } from "./webfinger.ts";
export type { Jrd, WebfingerLink } from "./webfinger.ts";
export { contentDigestHeader, digestHeader } from "./digest.ts";
export { decodeMultikey, encodeMultikey, importPublicKey } from "./keys.ts";
export type { KeyLike } from "./keys.ts";
export { signCavage, signRfc9421 } from "./signatures/sign.ts";
export type { SignableRequest, SigningRequest } from "./signatures/sign.ts";
export {
  checkHttpSignature,
  parseHttpSignature,
  verifyHttpSignature,
} from "./signatures/verify.ts";
export type { ParsedSignature } from "./signatures/verify.ts";
export type { CavageSignature } from "./signatures/cavage.ts";
export type { Rfc9421Signature } from "./signatures/rfc9421.ts";
export type { ReceivedRequest } from "./signatures/request.ts";
export type { VerifyOptions } from "./signatures/rules.ts";
export { requireSigner, resolveKey } from "./resolve-key.ts";
export type {
  FetchDocument,
  FetchedDocument,
  KeyResolution,
  ResolvedKey,
} from "./resolve-key.ts";
export {
  addIntegrityProof,
  readIntegrityProof,
  verifyIntegrityProof,
} from "./integrity-proof.ts";
export type { IntegrityProof } from "./integrity-proof.ts";
export { canonicalize } from "./jcs.ts";
export { decodeBase58, encodeBase58 } from "./base58.ts";
