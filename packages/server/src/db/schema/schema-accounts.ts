import type { ColumnType, Generated } from "kysely";
import type { OptionalJson } from "./columns/json-columns.ts";
import type { JsonText } from "./columns/json-text.ts";
import type {
  AppPasswordId,
  AspectId,
  PasskeyId,
  TokenId,
  UserId,
} from "./ids.ts";

/** RFC 3339 in UTC with milliseconds. */
type Time = string;

type ChosenAudience =
  | { readonly kind: "everyone" | "unlisted" | "followers" }
  | { readonly kind: "all_aspects" | "self" | "mentioned" }
  | { readonly kind: "aspects"; readonly aspectIds: readonly AspectId[] };

export type SessionsTable = {
  id_hash: string;
  user_id: UserId;
  csrf_token: string;
  created_at: Time;
  expires_at: Time;
  /** With what it was begun, such as `Firefox, Linux`. */
  device: ColumnType<string, string | undefined, never>;
  /** By the place where they were chosen, the latest last. */
  last_audiences: OptionalJson<
    readonly (readonly [place: string, audience: ChosenAudience])[]
  >;
};

export type AccessTokensTable = {
  id: Generated<TokenId>;
  user_id: UserId;
  client_id: string;
  token_hash: string;
  token_sealed: string;
  created_at: Time;
  last_used_at: Time;
};

export type AppPasswordsTable = {
  id: Generated<AppPasswordId>;
  user_id: UserId;
  /** The program or device, as its owner calls it. */
  name: string;
  secret_hash: string;
  created_at: Time;
  last_used_at: ColumnType<Time | null, Time | undefined, Time>;
};

export type SecondFactorsTable = {
  user_id: UserId;
  secret_sealed: string;
  /** Of RFC 6238: the last time step whose code was accepted. */
  last_step: number;
  /** null: it does not count yet. */
  confirmed_at: Time | null;
  created_at: Time;
};

export type RecoveryCodesTable = { user_id: UserId; code_hash: string };

export type PendingSignInsTable = {
  id_hash: string;
  user_id: UserId;
  expires_at: Time;
};

export type PasskeysTable = {
  id: Generated<PasskeyId>;
  user_id: UserId;
  /** As the browser names it, in base64url. */
  credential_id: string;
  /** COSE. */
  public_key: Uint8Array;
  counter: number;
  /** How the browser reaches it. */
  transports: JsonText<readonly string[]>;
  name: string;
  created_at: Time;
  last_used_at: ColumnType<Time | null, Time | undefined, Time>;
};

export type PasskeyChallengesTable = {
  challenge_hash: string;
  /** null: somebody who signs in. */
  user_id: UserId | null;
  expires_at: Time;
};
