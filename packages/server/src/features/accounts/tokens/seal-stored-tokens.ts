import type { Db } from "../../../db/db.ts";
import type { TokenSeal } from "../keys/token-seal.ts";
import { listUnboundTokens, updateSealedToken } from "../stores/token-store.ts";

/** Tokens that are sealed anew in one transaction. */
const AT_ONCE = 100;

/**
 * Binds to their rows the access tokens that an older Kith sealed with the secret key
 * itself. Safe to interrupt and to run concurrently. Tokens that cannot be opened stay as
 * they are: their client gets a new token on its next request for one.
 * @returns the number of tokens
 */
export async function sealStoredTokens(
  db: Db,
  tokenSeal: TokenSeal,
): Promise<number> {
  let count = 0;
  let afterId = 0;
  for (;;) {
    const tokens = await listUnboundTokens(db.read, afterId, AT_ONCE);
    const last = tokens.at(-1);
    if (!last) return count;
    count += await db.transaction(async (tx) => {
      let sealed = 0;
      for (const token of tokens) {
        const secret = tokenSeal.open(token.sealed, token);
        if (secret === undefined) continue;
        await updateSealedToken(tx, token, tokenSeal.seal(secret, token));
        sealed += 1;
      }
      return sealed;
    });
    afterId = last.id;
  }
}
