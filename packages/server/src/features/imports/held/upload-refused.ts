import { KithError } from "../../../lib/errors.ts";

const MESSAGES = {
  missing: "The parameter file must be given.",
  empty: "The parameter file must not be empty.",
  unknown_kind:
    "The parameter kind must say what the list holds: its name does not.",
} as const;

/** An upload that its sender can correct. */
export class UploadRefused extends KithError {
  readonly reason: keyof typeof MESSAGES;
  constructor(reason: keyof typeof MESSAGES) {
    super("bad_request", MESSAGES[reason]);
    this.name = "UploadRefused";
    this.reason = reason;
  }
}
