import type { Accounts } from "../../../features/accounts/index.ts";
import type { Invitations } from "../../../features/invitations/index.ts";
import type { Mails } from "../../../features/mail/index.ts";
import type { IssuedAccess, Oauth } from "../../../features/oauth/index.ts";
import type { ServerProfiles } from "../../../features/server-profile/index.ts";
import { KithError } from "../../../lib/errors.ts";
import { readMailAddress } from "../../../lib/mail/mail-address.ts";
import { supportedLanguage } from "../../../lib/messages/messages.ts";
import type { Input } from "../../kit/input.ts";
import {
  publicRoute,
  type AnyCall,
  type MastodonRoute,
} from "../../kit/mastodon-route.ts";
import { Refusal, type FieldFaults } from "../../kit/refusals.ts";
import type { Entity } from "../../kit/wire.ts";

export type SignUpRouteDeps = {
  readonly accounts: Pick<Accounts, "signUp">;
  readonly invitations: Pick<Invitations, "isUsable">;
  readonly mails: Pick<Mails, "admit" | "askToConfirm" | "isEnabled">;
  readonly oauth: Pick<Oauth, "issueToNewUser">;
  readonly serverProfile: Pick<ServerProfiles, "get">;
};

type SignUp = Parameters<Accounts["signUp"]>[0];
type Faults = Extract<
  Awaited<ReturnType<Accounts["signUp"]>>,
  { readonly kind: "refused" }
>["faults"];
type Fault = Faults[number] | "agreement" | "email_malformed";

/** Apps let people sign up, by the rules of the page for it. */
export function signUpRoutes(deps: SignUpRouteDeps): MastodonRoute[] {
  return [
    publicRoute({
      method: "POST",
      path: "/v1/accounts",
      scope: "write:accounts",
      limit: "credentials",
      handle: (call) => signUp(deps, call),
    }),
  ];
}

async function signUp(
  deps: SignUpRouteDeps,
  { token, isOfApp, input, network }: AnyCall,
): Promise<Entity> {
  if (token === undefined)
    throw new KithError("unauthorized", "There is no token.");
  if (!isOfApp)
    throw new Refusal(422, "This method requires a token of the app alone");
  const asked = { ...(await readSignUp(deps, input)), from: network };
  const address = readAddress(deps, input);
  if (input.flag("agreement") !== true) throw faulty(["agreement"]);
  if (address !== undefined) deps.mails.admit(address);
  let issued: IssuedAccess | undefined;
  const result = await deps.accounts.signUp({
    ...asked,
    ...(address !== undefined && { mail: address }),
    also: async (tx, id) => {
      if (address !== undefined) await deps.mails.askToConfirm(tx, id, address);
      issued = await deps.oauth.issueToNewUser(tx, token, id);
    },
  });
  if (result.kind === "refused") throw faulty(result.faults);
  if (!issued) throw new Error("The new account has no token");
  return {
    access_token: issued.token,
    token_type: "Bearer",
    scope: issued.scopes.join(" "),
    created_at: Math.floor(Date.parse(issued.createdAt) / 1_000),
  };
}

/** @throws {Refusal} where nobody can sign up, or not with this invitation */
async function readSignUp(
  { invitations, serverProfile }: SignUpRouteDeps,
  input: Input,
): Promise<SignUp> {
  const invitation = input.filled("invite_code");
  const { signUp: registration } = await serverProfile.get();
  const isLetIn =
    invitation === undefined
      ? registration !== "closed"
      : await invitations.isUsable(invitation);
  if (!isLetIn) throw new Refusal(403, "This action is not allowed");
  const waits = registration === "approval" && invitation === undefined;
  const timeZone = input.filled("time_zone");
  return {
    username: input.text("username") ?? "",
    password: input.text("password") ?? "",
    reason: input.text("reason") ?? "",
    state: waits ? "pending" : "active",
    locale: supportedLanguage(input.filled("locale") ?? ""),
    dateOfBirth: input.filled("date_of_birth") ?? "",
    ...(invitation !== undefined && { invitation }),
    ...(timeZone !== undefined && { timeZone }),
  };
}

/** Without a mail server there are no addresses. @throws {Refusal} for what is none */
function readAddress(
  { mails }: SignUpRouteDeps,
  input: Input,
): string | undefined {
  const typed = input.filled("email");
  if (!mails.isEnabled || typed === undefined) return undefined;
  const address = readMailAddress(typed);
  if (address === undefined) throw faulty(["email_malformed"]);
  return address;
}

type Words = readonly [field: string, code: string, description: string];

/** The field of each fault with the code that apps know, and what is wrong with it. */
const WORDS: Readonly<Record<Fault, Words>> = {
  agreement: ["agreement", "ERR_ACCEPTED", "must be accepted"],
  username_blank: ["username", "ERR_BLANK", "can't be blank"],
  username_malformed: [
    ...(["username", "ERR_INVALID"] as const),
    "must contain only letters, numbers and underscores",
  ],
  username_taken: ["username", "ERR_TAKEN", "has already been taken"],
  username_reserved: ["username", "ERR_RESERVED", "is reserved"],
  password_too_short: ["password", "ERR_TOO_SHORT", "is too short"],
  password_too_long: ["password", "ERR_TOO_LONG", "is too long"],
  reason_too_long: ["reason", "ERR_TOO_LONG", "is too long"],
  email_malformed: ["email", "ERR_INVALID", "is invalid"],
  email_refused: ["email", "ERR_BLOCKED", "is not allowed"],
  network_refused: ["base", "ERR_BLOCKED", "sign-ups are refused from there"],
  date_of_birth_blank: ["date_of_birth", "ERR_BLANK", "can't be blank"],
  date_of_birth_malformed: ["date_of_birth", "ERR_INVALID", "is invalid"],
  date_of_birth_too_late: [
    ...(["date_of_birth", "ERR_BELOW_LIMIT"] as const),
    "is below the age limit",
  ],
};

function faulty(faults: readonly Fault[]): Refusal {
  const words = faults.map((fault) => WORDS[fault]);
  const details: FieldFaults = Object.fromEntries(
    [...Map.groupBy(words, ([field]) => field)].map(([field, all]) => [
      field,
      all.map(([, error, description]) => ({ error, description })),
    ]),
  );
  const said = words.map(([field, , description]) => {
    const name = field.replaceAll("_", " ");
    return field === "base"
      ? description
      : `${name.charAt(0).toUpperCase()}${name.slice(1)} ${description}`;
  });
  return new Refusal(422, `Validation failed: ${said.join(", ")}`, details);
}
