import assert from "node:assert/strict";
import {
  parseEntity,
  parseEnvelope,
  verifyEnvelope,
  type Entity,
} from "@kith/diaspora";
import type { Fact } from "../../features/facts.ts";
import type { Person } from "../../features/people/index.ts";
import { loadOutgoing } from "../outbound/load/load-outgoing.ts";
import { createDiasporaSender } from "./create-sender.ts";
import type {
  RemotePersonWithKey,
  HomeServer,
} from "../../../test/support/remote/home-server.ts";

/** The messages to other servers about a fact, all of them in the name of `signer`. */
export async function renderFor(
  home: HomeServer,
  fact: Fact,
  signer: Person,
  to: readonly RemotePersonWithKey[],
): Promise<Entity[]> {
  const outgoing = await loadOutgoing(home.features, fact);
  const sent = await createDiasporaSender(home.deps).render(
    outgoing ?? assert.fail("Nothing to send"),
    to.map(({ person }) => person),
  );
  const opened = sent.map(({ document }) =>
    verifyEnvelope(parseEnvelope(document), signer.publicKeyPem),
  );
  return (await Promise.all(opened)).map(({ payloadXml }) =>
    parseEntity(payloadXml),
  );
}
