import { createPublicKey } from "node:crypto";
import type { Accounts } from "../../../features/accounts/index.ts";
import {
  detailsFor,
  fieldsFor,
  type People,
  type Person,
} from "../../../features/people/index.ts";
import type { ProfileContent } from "../content.ts";
import { loadLinkedPeople } from "./load-linked-people.ts";

export type LoadProfileDeps = {
  readonly accounts: Pick<Accounts, "getProofKey">;
  readonly people: Pick<People, "find" | "listByHandle">;
};

/** Loads the public profile of a person. */
export async function loadProfile(
  deps: LoadProfileDeps,
  { userId, movedToId, profile }: Person,
): Promise<ProfileContent> {
  const { accounts, people } = deps;
  const fields = fieldsFor(profile, "stranger").map(({ value }) => value);
  const texts = [detailsFor(profile, "stranger").bio, ...fields];
  const [movedTo, linked, privateKey] = await Promise.all([
    movedToId === null ? undefined : people.find({ id: movedToId }),
    loadLinkedPeople(deps, texts),
    userId === null ? null : accounts.getProofKey(userId),
  ]);
  return {
    movedTo: movedTo ?? null,
    linked,
    proofKey: privateKey && createPublicKey(privateKey),
  };
}
