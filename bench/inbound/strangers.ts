import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import { json } from "node:stream/consumers";
import type { Sender } from "../kit/senders.ts";

const HOSTS = 200;

/** Remote people unknown to this server, whose servers answer look-ups. */
export type Strangers = {
  /** A different one each time. */
  readonly next: () => Sender;
  readonly close: () => Promise<void>;
};

/**
 * Serves actors and WebFinger at every loopback address, each of which is a host.
 * All share one key, because generating one for each would take longer than receiving their messages.
 * @param receive gets the activities that their inboxes accept
 */
export async function openStrangers(
  receive: (activity: unknown) => void = () => {},
): Promise<Strangers> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
  });
  const pem = String(publicKey.export({ type: "spki", format: "pem" }));
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      void json(request).then(receive);
      return void response.writeHead(202).end();
    }
    const { pathname, searchParams } = new URL(
      request.url ?? "/",
      `http://${request.headers.host}`,
    );
    const host = request.headers.host ?? "";
    const name = pathname.startsWith("/u/")
      ? pathname.slice("/u/".length)
      : nameIn(searchParams.get("resource") ?? "");
    const answer = pathname.startsWith("/u/")
      ? { type: "application/activity+json", body: actor(host, name, pem) }
      : pathname === "/.well-known/webfinger"
        ? { type: "application/jrd+json", body: webfinger(host, name) }
        : undefined;
    response.writeHead(answer ? 200 : 404, {
      "content-type": answer?.type ?? "text/plain",
    });
    response.end(answer ? JSON.stringify(answer.body) : "");
  }).listen(0, "0.0.0.0");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("No port was given");
  const { port } = address;
  let count = 0;
  return {
    next: () => {
      count += 1;
      const name = `stranger${count}`;
      const host = `127.0.1.${1 + (count % HOSTS)}:${port}`;
      return {
        ...{ name, host, privateKey, handle: `${name}@${host}` },
        actorUri: `http://${host}/u/${name}`,
      };
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Handles `acct:name@host` and actor addresses. */
const nameIn = (resource: string): string =>
  /^acct:([^@]+)@/.exec(resource)?.[1] ?? resource.split("/u/")[1] ?? "";

function actor(host: string, name: string, pem: string) {
  const id = `http://${host}/u/${name}`;
  return {
    "@context": [
      "https://www.w3.org/ns/activitystreams",
      "https://w3id.org/security/v1",
    ],
    ...{ id, type: "Person", preferredUsername: name, name },
    ...{ inbox: `${id}/inbox`, outbox: `${id}/outbox` },
    followers: `${id}/followers`,
    endpoints: { sharedInbox: `http://${host}/inbox` },
    publicKey: { id: `${id}#main-key`, owner: id, publicKeyPem: pem },
  };
}

function webfinger(host: string, name: string) {
  return {
    subject: `acct:${name}@${host}`,
    links: [
      {
        rel: "self",
        type: "application/activity+json",
        href: `http://${host}/u/${name}`,
      },
    ],
  };
}
