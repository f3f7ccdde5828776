import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { hashSync } from "bcryptjs";
import type { GanggoDatabase } from "./ganggo-database.ts";

/** The password of everybody there; too short for a new one here. */
export const GANGGO_PASSWORD = "ppppp";

const guid = (name: string) =>
  Buffer.from(name.padEnd(16, "_")).toString("hex");

/** The Guid of a person or a thing there, by its name. */
export const ganggoGuid = guid;

/** As GangGo writes private keys: PKCS#1 below the title of PKCS#8. */
function privatePemOf(key: KeyObject): string {
  const pem = String(key.export({ type: "pkcs1", format: "pem" }));
  return pem.replaceAll("RSA PRIVATE KEY", "PRIVATE KEY");
}

const publicPemOf = (key: KeyObject) =>
  String(key.export({ type: "spki", format: "pem" }));

const newKeys = () => generateKeyPairSync("rsa", { modulusLength: 2048 });

const EARLY = "2018-03-01 09:30:00.123456789+02:00";
const LATE = "2018-09-01 12:00:00+00:00";
const ON_POST = { shareable_type: "Post" };

/**
 * Fills a database of GangGo: people here are alice and bob, and some who cannot come; carol and
 * dave are on a pod, pam speaks ActivityPub.
 */
export async function fillGanggo(
  { add }: GanggoDatabase,
  host: string,
): Promise<{ readonly alice: KeyObject }> {
  const keys = newKeys();
  const others = newKeys();
  const encrypted_password = hashSync(GANGGO_PASSWORD, 4);
  const account = (id: number, username: string, more = {}) => ({
    ...{ id, username, encrypted_password, person_id: id },
    serialized_private_key: privatePemOf(keys.privateKey),
    ...more,
  });
  const person = (id: number, author: string, more = {}) => ({
    ...{ id, author, guid: guid(author.split("@")[0] ?? "") },
    ...{ user_id: 0, closed_account: 0 },
    serialized_public_key: publicPemOf(keys.publicKey),
    ...more,
  });
  const here = (id: number, name: string, more = {}) =>
    person(id, `${name}@${host}`, { user_id: id, ...more });
  await add({
    users: [
      account(1, "Alice", { created_at: "2017-12-24 18:00:00+00:00" }),
      account(2, "bob"),
      account(3, "gone", { deleted_at: LATE }),
      account(4, "news"),
      account(5, "wrongkey", {
        serialized_private_key: privatePemOf(others.privateKey),
      }),
      account(6, "abroad"),
    ],
    people: [
      ...[here(1, "Alice"), here(2, "bob"), here(3, "gone")],
      ...[here(4, "news"), here(5, "wrongkey")],
      person(6, "abroad@elsewhere.example", { user_id: 6 }),
      ...[person(7, "carol@pod.example"), person(8, "dave@pod.example")],
      person(9, "https://mast.example/users/pam", { guid: guid("pam") }),
    ],
    profiles: [
      {
        ...{ id: 1, person_id: 1, first_name: "Alice", bio: "*gardens*" },
        ...{ full_name: "Alice Ahorn", public: false, searchable: true },
        ...{ birthday: "1990-12-31 00:00:00+00:00", nsfw: false },
      },
      { id: 2, person_id: 2, birthday: "0001-01-01 00:00:00+00:00" },
      { id: 7, person_id: 7, first_name: "Carol", image_url: "/x.png" },
    ],
    user_settings: [{ id: 1, user_id: 1, setting_key: 0, value: "de" }],
    aspects: [
      { id: 1, user_id: 1, name: "Friends", default: true },
      { id: 2, user_id: 1, name: "Work", default: false },
      { id: 3, user_id: 2, name: "Friends", default: true },
    ],
    aspect_memberships: [
      { id: 1, aspect_id: 1, person_id: 2, created_at: EARLY },
      { id: 2, aspect_id: 1, person_id: 7, created_at: EARLY },
      { id: 3, aspect_id: 1, person_id: 8, created_at: LATE },
      { id: 4, aspect_id: 2, person_id: 9, created_at: EARLY },
    ],
    contacts: [
      { id: 1, user_id: 1, person_id: 7, sharing: true },
      { id: 2, user_id: 1, person_id: 9, sharing: true },
      { id: 3, user_id: 2, person_id: 7, sharing: false },
    ],
    posts: POSTS,
    photos: [
      {
        ...{ id: 1, guid: guid("photo"), post_id: 5, person_id: 7 },
        ...{ remote_path: "https://pod.example/p.jpg", public: true },
        ...{ text: "a pond", height: 10, width: 20 },
      },
    ],
    aspect_visibilities: [
      { id: 1, shareable_id: 2, ...ON_POST, aspect_id: 1 },
      { id: 2, shareable_id: 3, ...ON_POST, aspect_id: 99 },
    ],
    shareables: [
      { id: 1, shareable_id: 2, ...ON_POST, user_id: 1, hidden: false },
      { id: 2, shareable_id: 2, ...ON_POST, user_id: 2, hidden: false },
      { id: 3, shareable_id: 3, ...ON_POST, user_id: 2, hidden: false },
      { id: 4, shareable_id: 7, ...ON_POST, user_id: 1, hidden: false },
    ],
    comments: COMMENTS,
    likes: LIKES,
    tags: [{ id: 1, name: "gardening" }],
    user_taggings: [{ id: 1, tag_id: 1, user_id: 1 }],
    user_streams: [
      {
        ...{ id: 1, user_id: 1, name: "green", tags: "gardening,trees" },
        ...{ people: "", expression: "" },
      },
    ],
  });
  return { alice: keys.privateKey };
}

const post = (id: number, person_id: number, text: string, more = {}) => ({
  ...{ id, person_id, text, guid: guid(`post${id}`), type: "StatusMessage" },
  ...{ public: true, root_guid: null, root_person_id: 0 },
  ...more,
});

const POSTS = [
  post(1, 1, "for all, with a #tag", { created_at: EARLY }),
  post(2, 1, "for friends", { public: false }),
  post(3, 1, "for an aspect that is gone", { public: false }),
  post(4, 1, "   "),
  post(5, 7, "of carol, reshared by alice"),
  post(6, 1, "", { type: "Reshare", root_guid: guid("post5") }),
  post(7, 7, "for alice alone", { public: false }),
  post(8, 7, "of no concern here"),
  post(9, 7, "", { type: "Reshare", root_guid: guid("post1") }),
  post(10, 3, "of somebody who is gone"),
  post(11, 7, "for nobody here", { public: false }),
  post(12, 1, "", { type: "Reshare", root_guid: guid("post99") }),
];

const comment = (id: number, on: number, person_id: number, text: string) => ({
  ...{ id, shareable_id: on, ...ON_POST, person_id, text },
  guid: guid(`comment${id}`),
});

const COMMENTS = [
  comment(1, 1, 7, "carol on alice's"),
  comment(2, 2, 2, "bob among friends"),
  comment(3, 1, 9, "pam on alice's"),
  comment(4, 8, 8, "dave on what does not come"),
  comment(5, 9, 1, "alice on a reshare of unknown author"),
  comment(6, 5, 1, "alice on carol's"),
];

const like = (id: number, on: number, person_id: number, more = {}) => ({
  ...{ id, shareable_id: on, ...ON_POST, person_id, positive: true },
  ...{ guid: guid(`like${id}`), ...more },
});

const LIKES = [
  like(1, 1, 7),
  like(2, 5, 2, { positive: false }),
  like(3, 1, 2, { shareable_type: "Comment" }),
  like(4, 8, 8),
];
