import type { JsonSchema } from "../../http/api-document.ts";
import { RECORDS } from "../schemas/schemas.ts";

const PICTURE = "https://kith.example/media/5f3c7a90b1d24e68_thumb_large.jpg";
const GUID = "01a20889db837cc8ab0394843cb01d7b";
const SIGNATURE = "MEUCIQDkJ0rTq1o5c2V4YW1wbGU=";

/**
 * Examples of parameters and fields, by name, or by record and name. The others
 * follow from their schemas.
 */
const VALUES: Readonly<Record<string, unknown>> = {
  access_token: "0123456789abcdef".repeat(4),
  Address: "Alexanderplatz, Berlin",
  aliases: "alice@elsewhere.example",
  Aliases: ["https://elsewhere.example/users/alice"],
  answer: [GUID],
  aspect_name: "Family",
  Author: "alice@kith.example",
  author: { id: 12, guid: GUID },
  Bio: "I like hiking and old maps.",
  Birthday: "1990-05-17",
  Blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj",
  By: "alice",
  Categories: ["COMMUNITY"],
  client_id: "my-program",
  ClientID: "my-program",
  color: "#1E90FF",
  Color: "#1E90FF",
  comment: "What a lovely picture!",
  ContentWarning: "Spoilers",
  content_warning: "Spoilers",
  current_password: "correct horse",
  Description: "Bring something to share.",
  description: "Bring something to share.",
  detail: "The parameter limit must be a whole number from 1 to 100.",
  "Emoji.Url": "https://social.example/emojis/blobcat.png",
  end: "2027-07-04T21:00",
  End: "2027-07-04T19:00:00.000Z",
  error: "Bad request",
  Evidence: "Buy now!",
  ends_at: "2027-07-11T20:00:00Z",
  expression: "(?i)hiking|maps",
  Expression: "(?i)hiking|maps",
  fields: "ID,Guid,Person(ID:Author)",
  FieldName: ["Pronouns"],
  FieldValue: ["she/her"],
  FirstName: "Alice",
  from: "2027-07-01",
  FullName: "Alice Adams",
  Gender: "female",
  guid: GUID,
  handle: "bob@social.example",
  Host: "social.example",
  HeaderUrl: PICTURE,
  host: "social.example",
  id: "1234",
  image: "(the bytes of a picture)",
  ImageUrl: PICTURE,
  ImageUrlMedium: PICTURE,
  ImageUrlSmall: PICTURE,
  kind: "deliver",
  Kind: "deliver",
  Language: "pt-BR",
  language: "pt-BR",
  LastName: "Adams",
  Lat: 52.5219,
  limit: 10,
  Lng: 13.4132,
  Locale: "en",
  location: "Tiergarten, Berlin",
  Location: "Tiergarten, Berlin",
  location_address: "Alexanderplatz, Berlin",
  location_lat: "52.5219",
  location_lng: "13.4132",
  name: "Family",
  Name: "Family",
  NewHandle: "alice@elsewhere.example",
  OldHandle: "alice@kith.example",
  offset: 0,
  openapi: "3.1.0",
  otp: "492039",
  parent_guid: GUID,
  "NewAppPassword.Password": "k3vd-2mqx-7pzs-ab5n-w4hc-t6yr",
  password: "correct horse battery",
  people: "bob@social.example",
  People: "bob@social.example",
  "ProfileField.Name": "Pronouns",
  poll_answer: ["Tea", "Coffee"],
  poll_ends_at: "2027-07-11T12:00:00Z",
  poll_question: "Tea or coffee?",
  post: "Hello, #world!",
  post_type: "StatusMessage",
  provider_display_name: "Kith",
  ProviderName: "Kith",
  Question: "Tea or coffee?",
  reason: "It sends nothing but spam.",
  Reason: "It sends nothing but spam.",
  SerializedPublicKey:
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkq…\n-----END PUBLIC KEY-----\n",
  Signature: SIGNATURE,
  Shortcode: "blobcat",
  signature: SIGNATURE,
  start: "2027-07-04T18:30",
  Start: "2027-07-04T16:30:00.000Z",
  starts_at: "2027-07-11T18:00:00Z",
  subject: "Saturday",
  Subject: "Saturday",
  summary: "Picnic",
  Summary: "Picnic",
  tag: "hiking",
  tags: "hiking,maps",
  Tags: "hiking,maps",
  Target: "bob@social.example",
  Text: "Hello, #world!",
  text: "Hello, #world!",
  ThumbnailUrl: PICTURE,
  timezone: "Europe/Berlin",
  Timezone: "Europe/Berlin",
  TimeZone: "Europe/Berlin",
  to: "2027-08-01",
  Uid: `${GUID}@kith.example`,
  url: "https://relay.example/inbox",
  Url: `https://kith.example/posts/${GUID}`,
  username: "alice",
  Value: "she/her",
  X: -0.42,
  Y: 0.69,
  Username: "alice",
  uses: 5,
};

type Read = {
  readonly $ref?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
};

/**
 * A realistic value that a schema allows. Records nested in a record of their
 * own kind are left out where possible.
 * @param name of the field or parameter
 */
export function exampleOf(schema: JsonSchema, name = ""): unknown {
  return make(schema, name, []);
}

function make(
  schema: JsonSchema,
  name: string,
  within: readonly string[],
): unknown {
  const it: Read = schema;
  if (it.$ref !== undefined) return makeRecord(it.$ref, within);
  if (it.enum) return it.enum[0];
  if (it.anyOf) return makeOneOf(it.anyOf, name, within);
  if (it.pattern?.startsWith("^[0-9a-f]")) return VALUES["access_token"];
  const known = knownValue(name, within.at(-1));
  if (known !== undefined && fits(it, known)) return known;
  switch (it.type) {
    case "array": {
      const { items = {} } = it;
      return isWithin(items, within) ? [] : [make(items, name, within)];
    }
    case "object":
      return makeObject(it, within);
    case "integer":
    case "number":
      return Math.max(it.minimum ?? 1, 1);
    case "boolean":
      return false;
    case "null":
      return null;
    default:
      return makeText(it, name);
  }
}

function knownValue(name: string, record = ""): unknown {
  return VALUES[`${record}.${name}`] ?? VALUES[name];
}

function fits({ type }: Read, value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "integer" || type === "number") return typeof value === "number";
  if (type === "object") return typeof value === "object";
  return typeof value === type;
}

function makeText({ format }: Read, name: string): string {
  if (format === "date-time") return "2027-06-28T09:15:00.000Z";
  if (format === "date") return "1990-05-17";
  return /guid/i.test(name) ? GUID : GUID.slice(0, 16);
}

function recordOf({ $ref = "" }: Read): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

function isWithin(schema: Read, within: readonly string[]): boolean {
  return within.includes(recordOf(schema));
}

function makeRecord(ref: string, within: readonly string[]): unknown {
  const name = recordOf({ $ref: ref });
  const record = RECORDS[name];
  if (!record) throw new Error(`There is no record ${name}`);
  return make({ ...record }, "", [...within, name]);
}

/**
 * The alternative itself, unless it is the enclosing record: then undefined.
 */
function makeOneOf(
  schemas: readonly JsonSchema[],
  name: string,
  within: readonly string[],
): unknown {
  const chosen = schemas.find((it) => !isWithin(it, within)) ?? {};
  return make(chosen, name, within);
}

function makeObject({ properties = {} }: Read, within: readonly string[]) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, it]) => [
      name,
      make(it, name, within),
    ]),
  );
}
