/** The errors of RFC 6749 (sections 4.1.2.1 and 5.2) and RFC 7009 that are answered here. */
export type OauthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied";

/** A refusal that an app gets, with its code. The message is for the developer of the app. */
export class OauthError extends Error {
  readonly code: OauthErrorCode;
  constructor(code: OauthErrorCode, message: string) {
    super(message);
    this.name = "OauthError";
    this.code = code;
  }
}
