import {
  buildActor,
  encodeMultikey,
  type ActorInput,
  type JsonObject,
} from "@kith/activitypub";
import {
  detailsFor,
  fieldsFor,
  givenName,
  usernameOf,
  type Person,
} from "../../../features/people/index.ts";
import type { ProfileContent } from "../../outbound/content.ts";
import type { RenderContext } from "./note-parts.ts";
import { renderText } from "./render-text.ts";

/** Renders the actor document of a local person. */
export function renderActor(
  context: RenderContext,
  person: Person,
  content: ProfileContent,
): JsonObject {
  const { uris, handleHost } = context;
  const movedTo = content.movedTo && uris.ofPerson(content.movedTo);
  const username = usernameOf(person);
  const id = uris.actor(username);
  const { profile } = person;
  const isSuspended = person.state === "shut_out";
  const { bio } = detailsFor(profile, "stranger");
  const { html } = renderText(uris, bio, content.linked);
  const actor = buildActor({
    id,
    ...(profile.kind === "bot" && { type: "Service" }),
    preferredUsername: username,
    ...(isSuspended ? { suspended: true } : {}),
    name: givenName(person),
    ...(bio === "" ? {} : { summaryHtml: html }),
    url: uris.profilePage(username),
    inbox: `${id}/inbox`,
    outbox: `${id}/outbox`,
    followers: `${id}/followers`,
    following: `${id}/following`,
    featured: uris.featured(username),
    sharedInbox: uris.sharedInbox,
    publicKey: { id: uris.key(username), pem: person.publicKeyPem },
    ...renderProofKey(context, person, content),
    acceptsRfc9421: true,
    guid: person.guid,
    ...(profile.imageUrl === "" ? {} : { icon: { url: profile.imageUrl } }),
    ...(profile.headerUrl !== "" && { image: { url: profile.headerUrl } }),
    published: person.createdAt,
    ...renderFields(context, person, content),
    manuallyApprovesFollowers: profile.locked,
    discoverable: profile.searchable,
    ...(profile.indexable && { indexable: true }),
    webfinger: `${username}@${handleHost}`,
    ...(person.alsoKnownAs.length === 0
      ? {}
      : { alsoKnownAs: [...person.alsoKnownAs] }),
    ...(movedTo === null ? {} : { movedTo }),
  });
  // The profile of a suspended person is shown to no one.
  return isSuspended ? reduceActor(actor) : actor;
}

function renderFields(
  { uris }: RenderContext,
  { profile }: Person,
  { linked }: ProfileContent,
): Pick<ActorInput, "fields"> {
  const fields = fieldsFor(profile, "stranger");
  if (fields.length === 0) return {};
  return {
    fields: fields.map(({ name, value }) => ({
      name,
      valueHtml: unwrapped(renderText(uris, value, linked).html),
    })),
  };
}

/** A single line needs no paragraph: peers show it inline. */
function unwrapped(html: string): string {
  const [, inner = html] = /^<p>((?:(?!<p>)[^])*)<\/p>$/.exec(html) ?? [];
  return inner;
}

const REDUCED = [
  "id",
  "type",
  "preferredUsername",
  "inbox",
  "outbox",
  "endpoints",
  "publicKey",
  "assertionMethod",
  "suspended",
] as const;

/** The members of an actor that everyone must see: its inboxes and its keys. */
export function reduceActor(actor: JsonObject): JsonObject {
  return Object.fromEntries(
    REDUCED.flatMap((name) => {
      const value = actor[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The key by which others verify the person's integrity proofs (FEP-521a). */
function renderProofKey(
  { uris }: RenderContext,
  person: Person,
  { proofKey }: ProfileContent,
): Pick<ActorInput, "assertionKeys"> {
  if (proofKey === null) return {};
  const id = uris.proofKey(usernameOf(person));
  return {
    assertionKeys: [{ id, publicKeyMultibase: encodeMultikey(proofKey) }],
  };
}
