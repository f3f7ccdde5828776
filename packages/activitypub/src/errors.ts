/**
 * The kind of error, for callers to branch on.
 *
 * - `malformed_json`: not strict UTF-8 JSON with an object at the top, or over a limit
 * - `not_an_activity`, `not_an_actor`, `not_an_object`, `not_a_collection`: JSON of another shape
 * - `signature_missing`: the request or document has no signature
 * - `signature_malformed`: an unreadable signature header, or a repeated critical header
 * - `signature_expired`: outside the accepted time window, or past its own expiry
 * - `signature_invalid`: any other reason to reject a signature
 * - `digest_mismatch`: the body differs from the signed one
 * - `unsupported`: an algorithm, key type or value that we do not handle
 */
export type ActivityPubErrorCode =
  | "malformed_json"
  | "not_an_activity"
  | "not_an_actor"
  | "not_an_object"
  | "not_a_collection"
  | "signature_missing"
  | "signature_malformed"
  | "signature_expired"
  | "signature_invalid"
  | "digest_mismatch"
  | "unsupported";

/** The exact rule that a signature broke, for logs and tests; callers branch on the code. */
export type SignatureFault =
  | "no-signature"
  | "malformed-signature-header"
  | "duplicate-header"
  | "request-target-not-covered"
  | "method-not-covered"
  | "host-not-covered"
  | "host-mismatch"
  | "date-not-covered"
  | "date-out-of-window"
  | "expired"
  | "digest-not-covered"
  | "digest-mismatch"
  | "listed-header-missing"
  | "unsupported-algorithm"
  | "bad-signature"
  | "wrong-proof-purpose"
  | "json-ld-restructuring"
  | "actor-key-mismatch";

const CODE_OF_FAULT: Record<SignatureFault, ActivityPubErrorCode> = {
  "no-signature": "signature_missing",
  "malformed-signature-header": "signature_malformed",
  "duplicate-header": "signature_malformed",
  "request-target-not-covered": "signature_invalid",
  "method-not-covered": "signature_invalid",
  "host-not-covered": "signature_invalid",
  "host-mismatch": "signature_invalid",
  "date-not-covered": "signature_invalid",
  "date-out-of-window": "signature_expired",
  expired: "signature_expired",
  "digest-not-covered": "signature_invalid",
  "digest-mismatch": "digest_mismatch",
  "listed-header-missing": "signature_invalid",
  "unsupported-algorithm": "unsupported",
  "bad-signature": "signature_invalid",
  "wrong-proof-purpose": "signature_invalid",
  "json-ld-restructuring": "signature_invalid",
  "actor-key-mismatch": "signature_invalid",
};

/** The only error that this package throws for input from outside. */
export class ActivityPubError extends Error {
  readonly code: ActivityPubErrorCode;
  /** The rule that a signature broke; absent on errors that do not concern a signature. */
  declare readonly fault?: SignatureFault;

  constructor(
    code: ActivityPubErrorCode,
    message: string,
    fault?: SignatureFault,
  ) {
    super(message);
    this.name = "ActivityPubError";
    this.code = code;
    if (fault !== undefined) this.fault = fault;
  }
}

/** Creates an error for a broken signature rule, with the code of that rule. */
export function signatureError(
  fault: SignatureFault,
  message: string = fault,
): ActivityPubError {
  return new ActivityPubError(CODE_OF_FAULT[fault], message, fault);
}
