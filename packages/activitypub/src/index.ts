export { ActivityPubError } from "./errors.ts";
export type { ActivityPubErrorCode, SignatureFault } from "./errors.ts";
export {
  isJsonArray,
  isJsonObject,
  parseJson,
  serialize,
} from "./json/json.ts";
export type { JsonLimits } from "./json/json.ts";
export type { JsonObject, JsonValue } from "./json/json-types.ts";
export {
  CONTENT_TYPE,
  PUBLIC,
  acceptsActivityPub,
  isActivityPubContentType,
  isFetchedContentType,
} from "./media-types.ts";
export {
  httpOriginOf,
  isSameOriginOrSubdomain,
  parseHttpUrl,
  sameOrigin,
  withoutFragment,
} from "./urls.ts";
export { guidOf, idOf, type ObjectRef } from "./values.ts";
export { buildAudience, isPublicAddress, readAudience } from "./audience.ts";
export type { Audience } from "./audience.ts";
export { readActivity } from "./read/read-activity.ts";
export type { Activity } from "./read/read-activity.ts";
export { readNote } from "./read/read-note.ts";
export type { Note } from "./read/read-note.ts";
export type { Attachment, Picture, Tag } from "./read/read-parts.ts";
export type { LanguageMap } from "./read/language-map.ts";
export { readPost } from "./read/read-post.ts";
export type { ReadablePost } from "./read/read-post.ts";
export { readQuestion, readVote, readVotesOf } from "./read/read-question.ts";
export type { Question, Vote } from "./read/read-question.ts";
export {
  eventDescriptionOf,
  organizersOf,
  readEvent,
} from "./read/read-event.ts";
export type {
  CalendarEvent,
  EventStatus,
  JoinMode,
} from "./read/read-event.ts";
export type { Place } from "./read/read-place.ts";
export {
  readBlock,
  readCollectionChange,
  readDelete,
  readFlag,
  readMove,
  readParticipation,
  readReaction,
  readTombstone,
} from "./read/read-acts.ts";
export type {
  CollectionChange,
  Deletion,
  Move,
  Participation,
  Reaction,
  Report,
  Tombstone,
} from "./read/read-acts.ts";
export {
  buildQuoteAuthorization,
  isQuoteAuthorized,
  readQuoteAuthorization,
  readQuoteRequest,
} from "./quotes.ts";
export type { QuoteAuthorization, QuoteRequest } from "./quotes.ts";
export { ACTOR_TYPES, readActor } from "./read/read-actor.ts";
export type { RemoteActor } from "./read/read-actor.ts";
export { readKeyDocument } from "./read/read-key.ts";
export type { PublicKey } from "./read/read-key.ts";
export { readCollection } from "./read/read-collection.ts";
export type { Collection } from "./read/read-collection.ts";
export { withContext } from "./context.ts";
export { buildActor } from "./build/build-actor.ts";
export type { ActorInput } from "./build/build-actor.ts";
export { buildNote } from "./build/build-note.ts";
export type { AttachmentInput, NoteInput } from "./build/build-note.ts";
export { buildQuestion, buildVote } from "./build/build-question.ts";
export type { PollInput, VoteInput } from "./build/build-question.ts";
export { buildEvent, EVENT_NAME_LENGTH } from "./build/build-event.ts";
export type { EventInput } from "./build/build-event.ts";
export {
  buildActorDelete,
  buildAttendance,
  buildBlock,
  buildCollectionChange,
  buildEmojiReact,
  buildFlag,
  buildJoin,
  buildLeave,
  buildMove,
  buildQuoteRequest,
} from "./build/build-acts.ts";
export { buildActivity, buildTombstone } from "./build/build-activity.ts";
export type { ActivityInput, ActivityType } from "./build/build-activity.ts";
export {
  buildCollection,
  buildCollectionPage,
} from "./build/build-collection.ts";
export {
  activityPubLink,
  actorWebfingerLinks,
  buildJrd,
  parseJrd,
} from "./webfinger.ts";
export type { Jrd, WebfingerLink } from "./webfinger.ts";
export { contentDigestHeader, digestHeader } from "./digest.ts";
export {
  followersDigest,
  readSynchronizationHeader,
  synchronizationHeader,
} from "./followers-digest.ts";
export type { FollowersSynchronization } from "./followers-digest.ts";
export {
  decodeMultikey,
  encodeMultikey,
  importPublicKey,
  isPublicKey,
} from "./keys.ts";
export type { KeyLike } from "./keys.ts";
export { signCavage, signRfc9421 } from "./signatures/sign.ts";
export type { SignableRequest, SigningRequest } from "./signatures/sign.ts";
export {
  checkHttpSignature,
  parseHttpSignature,
  signedHeader,
  verifyHttpSignature,
  verifyHttpSignatureSync,
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
} from "./proofs/integrity-proof.ts";
export type { IntegrityProof } from "./proofs/integrity-proof.ts";
export { canonicalize } from "./json/jcs.ts";
export { decodeBase58, encodeBase58 } from "./proofs/base58.ts";
export {
  addLdSignature,
  readLdSignature,
  createLdVerifier,
  verifyLdSignature,
} from "./linked-data/ld-signature.ts";
export type { LdSignature } from "./linked-data/ld-signature.ts";
export { loadJsonLd } from "./linked-data/json-ld.ts";
export type { JsonLd } from "./linked-data/json-ld.ts";
export { JSON_LD_BOUNDS } from "./linked-data/json-ld-bounds.ts";
export { readPlainly, renamesTerms } from "./linked-data/plain-reading.ts";
