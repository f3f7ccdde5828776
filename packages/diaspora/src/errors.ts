/** The stage of processing at which an error was found, in the order in which the stages run; `discovery` is separate. */
export type DiasporaStage =
  | "decrypt"
  | "envelope"
  | "envelope_signature"
  | "payload"
  | "validation"
  | "author_signature"
  | "signature"
  | "discovery";

/** The kind of error. The set is closed: a caller may switch over it. */
export type DiasporaErrorCode =
  | "decryption_failed"
  | "too_large"
  | "bad_encoding"
  | "doctype_refused"
  | "malformed_xml"
  | "too_complex"
  | "not_an_envelope"
  | "missing_data"
  | "missing_signature"
  | "unsupported_type"
  | "unsupported_encoding"
  | "unsupported_algorithm"
  | "bad_sender"
  | "bad_signature"
  | "bad_key"
  | "unknown_entity"
  | "missing_property"
  | "invalid_property"
  | "malformed_document"
  | "incomplete_document"
  | "subject_mismatch";

/**
 * The only error that this package throws on purpose. Its message is meant for a log: it names properties and limits, never
 * keys, and for `decrypt` it is always the same.
 */
export class DiasporaError extends Error {
  readonly stage: DiasporaStage;
  readonly code: DiasporaErrorCode;

  constructor(
    stage: DiasporaStage,
    code: DiasporaErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = "DiasporaError";
    this.stage = stage;
    this.code = code;
  }
}
