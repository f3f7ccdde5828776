import { signCavage, signRfc9421, type KeyLike } from "@kith/activitypub";
import type { Clock } from "../../../lib/time/clock.ts";
import type { Sign } from "../../peers/request-signed.ts";
import type { SignatureForm } from "../../peers/peers.ts";

type Signer = {
  readonly keyId: string;
  readonly privateKey: KeyLike;
  readonly clock: Clock;
  /** For a POST. */
  readonly body?: Uint8Array;
  /** The digest of the body, where it was computed before. */
  readonly digest?: string;
};

/** The headers that every verifier requires, and that no proxy rewrites. */
const LEAST = ["(request-target)", "host", "date"];

/** Only the sender states its followers. */
const SYNCHRONIZATION = "collection-synchronization";

/**
 * Signs requests in the requested form, at the moment of sending. The minimal
 * form of a GET leaves out the query as well: Fedify and Misskey do not check
 * it.
 * @see protocol sections 3.1 to 3.5 and 13.4
 */
export function signAs({
  clock,
  ...signer
}: Signer): (form: SignatureForm) => Sign {
  const { body } = signer;
  return (form) => (request) => {
    const signing = { ...request, ...signer, now: clock.now() };
    const also =
      SYNCHRONIZATION in (request.headers ?? {}) ? [SYNCHRONIZATION] : [];
    switch (form) {
      case "cavage":
        return signCavage(signing);
      case "cavage-least":
        return signCavage({
          ...signing,
          signedHeaders: [...LEAST, ...(body ? ["digest"] : []), ...also],
          signQuery: body !== undefined,
        });
      case "rfc9421":
        return signRfc9421({
          ...signing,
          components: [
            "@method",
            "@target-uri",
            ...(body ? ["content-digest"] : []),
            ...also,
          ],
        });
    }
  };
}
