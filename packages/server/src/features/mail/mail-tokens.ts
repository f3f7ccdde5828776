import {
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { mailAddressKey } from "../../lib/mail/mail-address.ts";
import type { UserId } from "../ids.ts";

/** The mails that one click on a link ends. */
export type UnsubscribeScope = "notices" | "staff";

const TOKEN_BYTES = 32;
const KEY_BYTES = 32;
const UNSUBSCRIBE = /^([ns])(\d{1,15})\.([\w-]{43})$/;

/** A secret for a link: 43 characters of base64url. */
export function newMailToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/**
 * The tokens of links that end mails. They are computed, because each mail has one and all of
 * them stay valid as long as the address is the same.
 */
export function createUnsubscribeTokens(secretKey: Uint8Array) {
  const key = new Uint8Array(
    hkdfSync("sha256", secretKey, "", "kith unsubscribe links", KEY_BYTES),
  );
  const macOf = (scope: string, userId: number, address: string) =>
    createHmac("sha256", key)
      .update(`${scope} ${userId} ${mailAddressKey(address)}`)
      .digest("base64url");
  return {
    make: (scope: UnsubscribeScope, userId: UserId, address: string) => {
      const [letter = ""] = scope;
      return `${letter}${userId}.${macOf(scope, userId, address)}`;
    },
    /** @returns whose mails of which kind a token names, still unproven */
    read: (token: string) => {
      const [, letter, id, mac] = UNSUBSCRIBE.exec(token) ?? [];
      if (letter === undefined || id === undefined || mac === undefined)
        return undefined;
      const scope: UnsubscribeScope = letter === "n" ? "notices" : "staff";
      const userId = Number(id);
      return {
        ...{ scope, userId },
        /** Was it made for this address? It takes the same time wherever they differ. */
        isFor: (address: string) =>
          timingSafeEqual(
            Buffer.from(mac),
            Buffer.from(macOf(scope, userId, address)),
          ),
      };
    },
  };
}

const TOKEN_IN_QUERY =
  /(\/(?:mail\/(?:confirm|unsubscribe)|users\/password\/new)\?[^\s"]*?token=)[^&\s"]+/g;

/** Redacts the tokens of mails in a log line. */
export function hideMailTokens(line: string): string {
  return line.replaceAll(TOKEN_IN_QUERY, "$1[secret]");
}
