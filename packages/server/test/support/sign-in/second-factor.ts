import assert from "node:assert/strict";
import { newUser } from "../pages/visit.ts";
import {
  codeAt,
  stepAt,
  toBase32,
} from "../../../src/features/accounts/two-factor/totp.ts";
import type { Clock } from "../../../src/lib/time/clock.ts";
import { runAccountCommand } from "../../../src/cli/commands/account-commands.ts";
import { PASSWORD, type KithServer } from "../server/kith-server.ts";

/** An app that has been given a secret. */
export type Authenticator = {
  readonly secret: string;
  /** The code of now, or of some steps later. */
  readonly code: (stepsLater?: number) => string;
};

export type Browsing = Awaited<ReturnType<typeof newUser>>;

const SECURITY = "/settings/security";

/** A person with a session, who sends the forms of the security page. */
export async function browsing(kith: KithServer, username: string) {
  const user = await newUser(kith.baseUrl, username);
  const { csrf_token, password } = user;
  return {
    ...user,
    /** With the right password, unless another is given. */
    change: (path: string, form: Record<string, string> = {}) =>
      user.post(`${SECURITY}/${path}`, { csrf_token, password, ...form }),
    see: () => user.get(SECURITY),
  };
}

export type Changing = Awaited<ReturnType<typeof browsing>>;

/** Sets up the second factor by the pages. */
export async function enrol(kith: KithServer, user: Changing) {
  const begun = await user.change("second_factor");
  assert.equal(begun.status, 200, begun.text);
  const app = appOf(kith, secretOn(begun.text));
  const done = await user.change("second_factor/confirm", { code: app.code() });
  assert.equal(done.status, 200, done.text);
  return { app, recoveryCodes: recoveryCodesOn(done.text) };
}

/** As the operator does it, on behalf of a person. */
export function resetPassword({ server }: KithServer, username: string) {
  const { administration } = server.features;
  return administration.resetPassword(null, { username }, PASSWORD);
}

/** As the operator does it on the command line. @returns the output */
export async function resetSecondFactor(
  { server }: KithServer,
  ...words: string[]
): Promise<string> {
  const said: string[] = [];
  const command = ["reset-second-factor", ...words];
  await runAccountCommand(server.features, command, (line) => said.push(line));
  return said.join("\n");
}

export function secretOn(page: string): string {
  const [, shown = ""] = /<code>([A-Z2-7 ]{39})<\/code>/.exec(page) ?? [];
  return shown.replaceAll(" ", "");
}

export function recoveryCodesOn(page: string): string[] {
  return [...page.matchAll(/<code>([a-z2-7-]{19})<\/code>/g)].map(
    ([, code = ""]) => code,
  );
}

export function appOf(
  { clock }: { readonly clock: Clock },
  secret: string,
): Authenticator {
  const bytes = fromBase32(secret);
  assert.equal(toBase32(bytes), secret);
  return {
    secret,
    code: (stepsLater = 0) => codeAt(bytes, stepAt(clock.now()) + stepsLater),
  };
}

function fromBase32(text: string): Buffer {
  const bits = [...text]
    .map((letter) =>
      "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
        .indexOf(letter)
        .toString(2)
        .padStart(5, "0"),
    )
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
}
