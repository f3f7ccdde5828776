type Fields = Readonly<Record<string, unknown>>;

const AUTHOR = "ann@old.pod.example";

/** An entity as diaspora* writes it into an archive. */
export const entity = (type: string, data: Fields): Fields => ({
  entity_type: type,
  entity_data: data,
});

/** A public post of 2016, unless `fields` differ. */
export const oldStatus = (name: string, fields: Fields = {}): Fields => ({
  ...entity("status_message", {
    ...{ author: AUTHOR, guid: guidOf(name), text: name, public: true },
    ...{ created_at: "2016-03-04T05:06:07Z", photos: [] },
    ...fields,
  }),
  subscribed_pods_uris: [],
});

export const guidOf = (name: string): string =>
  Buffer.from(name).toString("hex").padEnd(32, "0").slice(0, 32);

/** One of the relayables, by its parent. */
export const oldRelayable = (
  type: string,
  name: string,
  parent: string,
  fields: Fields = {},
): Fields =>
  entity(type, {
    ...{ author: AUTHOR, guid: guidOf(name), parent_guid: guidOf(parent) },
    ...fields,
  });

/** A contact of the owner. */
export const oldContact = (
  handle: string,
  aspects: readonly string[],
  followed = true,
): Fields => ({
  ...{ sharing: true, receiving: followed, following: true, followed },
  ...{ account_id: handle, contact_groups_membership: aspects },
  ...{ person_guid: guidOf(handle), person_name: "", public_key: "" },
});

/** The whole archive, of version 2.0. */
export function diasporaArchive(
  user: Fields,
  relayables: readonly Fields[] = [],
) {
  return JSON.stringify({
    user: {
      ...{ username: "ann", email: "ann@example.org", language: "en" },
      private_key: "-----BEGIN RSA PRIVATE KEY-----",
      profile: entity("profile", { author: AUTHOR, first_name: "Ann" }),
      contact_groups: [{ name: "Friends" }],
      ...user,
    },
    others_data: { relayables, posts: [], non_contact_authors: [] },
    version: "2.0",
  });
}
