import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Clock } from "../../lib/time/clock.ts";
import type { UserId } from "../ids.ts";

const KEY_BYTES = 32;
const VALID_MS = 60 * 60_000;
const TOKEN = /^(\d{1,15})\.(\d{1,15})\.([\w-]{43})$/;

/**
 * Tokens for people who are suspended and have just proven who they are: without a session,
 * they read their strikes and appeal, for one hour.
 */
export function createAppealTokens(secretKey: Uint8Array, clock: Clock) {
  const key = new Uint8Array(
    hkdfSync("sha256", secretKey, "", "kith appeals", KEY_BYTES),
  );
  const macOf = (userId: number, endMs: number) =>
    createHmac("sha256", key).update(`${userId} ${endMs}`).digest("base64url");
  return {
    make: (userId: UserId): string => {
      const endMs = clock.now().getTime() + VALID_MS;
      return `${userId}.${endMs}.${macOf(userId, endMs)}`;
    },
    /** @returns undefined for a token that is wrong or has ended */
    read: (token: string): number | undefined => {
      const [, user, end, mac] = TOKEN.exec(token) ?? [];
      if (user === undefined || end === undefined || mac === undefined)
        return undefined;
      const [userId, endMs] = [Number(user), Number(end)];
      const isRight = timingSafeEqual(
        Buffer.from(mac),
        Buffer.from(macOf(userId, endMs)),
      );
      const isFresh = clock.now().getTime() < endMs;
      return isRight && isFresh ? userId : undefined;
    },
  };
}
