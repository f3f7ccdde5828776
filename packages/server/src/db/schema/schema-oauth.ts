import type { ColumnType, Generated } from "kysely";
import type { JsonText } from "./columns/json-text.ts";
import type { AccessId, AppId, UserId } from "./ids.ts";

export type OauthAppsTable = {
  id: Generated<AppId>;
  client_id: string;
  secret_hash: string;
  name: string;
  website: string | null;
  redirect_uris: JsonText<readonly string[]>;
  scopes: JsonText<readonly string[]>;
  created_at: string;
  /** The day of the last use. */
  used_at: string;
  /** Has anybody ever let it in? */
  authorized: ColumnType<boolean | number, boolean | undefined, boolean>;
};

export type OauthCodesTable = {
  code_hash: string;
  app_id: AppId;
  user_id: UserId;
  redirect_uri: string;
  scopes: JsonText<readonly string[]>;
  /** Of RFC 7636, method S256. */
  challenge: string | null;
  expires_at: string;
  /** It is kept until its end, so that a second use is noticed. */
  redeemed_at: ColumnType<string | null, undefined, string>;
};

export type OauthAccessesTable = {
  id: Generated<AccessId>;
  app_id: AppId;
  /** null: the app's own. */
  user_id: UserId | null;
  token_hash: string;
  scopes: JsonText<readonly string[]>;
  /** The code that it came from. */
  code_hash: string | null;
  created_at: string;
  last_used_at: string;
};
