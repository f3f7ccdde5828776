import assert from "node:assert/strict";
import { newGuid } from "../../../src/lib/guids.ts";
import {
  NO_ADDRESSES,
  type Person,
} from "../../../src/features/people/index.ts";
import type { ReceivedPost } from "../../../src/features/posts/index.ts";
import type { KithServer } from "../server/kith-server.ts";

/** A person on another server, as found by discovery. */
export async function remotePerson(
  { server }: KithServer,
  handle: string,
): Promise<Person> {
  const actorUri = `https://remote.example/users/${handle.split("@")[0]}`;
  const person = await server.features.remotePeople.store({
    handle,
    guid: newGuid(),
    keys: [{ keyId: `${actorUri}#main-key`, publicKeyPem: "a key" }],
    protocols: ["activitypub"],
    addresses: { ...NO_ADDRESSES, actorUri, inboxUri: `${actorUri}/inbox` },
    profile: {},
  });
  assert.ok(person);
  return person;
}

/** A public post of theirs, as a translator would give it. */
export function remotePost(
  by: Pick<Person, "id">,
  changes: Partial<ReceivedPost> = {},
): ReceivedPost {
  const guid = changes.guid ?? newGuid();
  return {
    guid,
    personId: by.id,
    type: "post",
    public: true,
    listed: true,
    text: "from elsewhere",
    providerName: "",
    rootGuid: null,
    rootPersonId: null,
    uri: `https://remote.example/objects/${guid}`,
    url: null,
    createdAt: "2026-01-02T03:04:05.678Z",
    recipients: [],
    ...changes,
  };
}
