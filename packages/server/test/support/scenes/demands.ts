import {
  importPublicKey,
  isJsonObject,
  parseHttpSignature,
  parseJson,
  verifyHttpSignature,
  type ReceivedRequest,
} from "@kith/activitypub";
import type { KithServer } from "../server/kith-server.ts";

/** Whether a server takes a request, by its signature. */
export type Demand = (
  request: ReceivedRequest,
  origin: string,
) => Promise<boolean>;

/** Accepts requests signed with the named key; fetches that key unsigned. */
export function properlySigned(kith: KithServer): Demand {
  return async (request, origin) => {
    try {
      const parsed = parseHttpSignature(request);
      const key = await fetchKey(parsed.keyId);
      const now = kith.clock.now();
      await verifyHttpSignature(request, parsed, key, { now, origin });
      return true;
    } catch {
      return false;
    }
  };
}

/** As a server behind a proxy that puts its own name into `User-Agent`. */
export function behindProxy(demand: Demand): Demand {
  return (request, origin) =>
    demand(
      {
        ...request,
        headers: request.headers.map(([name, value]) =>
          name.toLowerCase() === "user-agent" ? [name, "proxy"] : [name, value],
        ),
      },
      origin,
    );
}

/** As Misskey and Fedify: the signature omits the query. */
export function withoutQuery(demand: Demand): Demand {
  return (request, origin) =>
    demand({ ...request, path: request.path.split("?")[0] ?? "" }, origin);
}

/** As a server that has given up draft-cavage. */
export function rfc9421Only(demand: Demand): Demand {
  return async (request, origin) =>
    request.headers.some(
      ([name]) => name.toLowerCase() === "signature-input",
    ) && demand(request, origin);
}

async function fetchKey(keyId: string) {
  const url = keyId.split("#")[0] ?? "";
  const response = await fetch(url, {
    headers: { accept: "application/activity+json" },
  });
  const { publicKey } = parseJson(Buffer.from(await response.arrayBuffer()));
  const pem = isJsonObject(publicKey) ? publicKey["publicKeyPem"] : undefined;
  return importPublicKey(typeof pem === "string" ? pem : "");
}
