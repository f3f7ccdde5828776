import {
  MAX_ANSWERS,
  MAX_POLL_TEXT_LENGTH,
} from "../../features/polls/index.ts";
import { MAX_POLL_DURATION_S } from "../../features/drafts/index.ts";
import { MAX_FEATURED_TAGS } from "../../features/featured-tags/index.ts";
import { MAX_PINS } from "../../features/pins/index.ts";
import {
  pathOfPicture,
  type ShownServer,
} from "../../features/server-profile/index.ts";
import { MAX_TEXT_LENGTH } from "../../features/posts/index.ts";
import { DEFAULT_HEADER_PATH } from "../../lib/images/default-avatar.ts";
import {
  MAX_FRAME_PIXELS,
  MAX_FRAMES_PER_SECOND,
} from "../../lib/recordings/recording.ts";
import type { Entity } from "../kit/wire.ts";

/** The data of this server that clients are shown. */
export type Instance = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** `host[:port]` of local handles. */
  readonly host: string;
  /** Of Kith. */
  readonly version: string;
  readonly languages: readonly string[];
  /** Of one sound or video. */
  readonly maxRecordingBytes: number;
};

/** The server, as its admins describe it. */
export type DescribedInstance = Instance & {
  readonly server: Pick<
    ShownServer,
    | ("contactMail" | "description" | "name" | "picture")
    | ("minAge" | "rules" | "signUp" | "terms")
  >;
  /** The account of the contact. */
  readonly contact?: Entity | undefined;
  /** HTML, read before somebody signs up. */
  readonly joining?: string;
  /** In base64url. */
  readonly pushKey: string;
};

export type InstanceUsage = {
  readonly users: number;
  readonly statuses: number;
  readonly hosts: number;
};

/** A part of this version of the API is served: clients look at the first three characters. */
const SPOKEN = "4.3.0";

/**
 * The calls that apps expect by this number: 2 grouped notifications, 3 to 6 those of Mastodon 4.4,
 * 7 quotes.
 */
const API_VERSION = 7;

const MAX_MEDIA = 16;
const IMAGE_BYTES = 20 * 1024 * 1024;
const IMAGE_PIXELS = 50_000_000;
const IMAGE_TYPES = [
  ...["image/jpeg", "image/png", "image/gif", "image/webp", "image/avif"],
];

const RECORDING_TYPES = [
  ...["video/mp4", "video/webm", "video/quicktime", "audio/mpeg", "audio/mp3"],
  ...["audio/ogg", "audio/mp4", "audio/m4a", "audio/x-m4a", "audio/webm"],
  ...["audio/flac", "audio/wav", "audio/x-wav"],
];

const SOURCE_URL = "https://www.npmjs.com/package/kith";

const STATUSES = {
  max_characters: MAX_TEXT_LENGTH,
  max_media_attachments: MAX_MEDIA,
  characters_reserved_per_url: 23,
};

export const POLLS = {
  max_options: MAX_ANSWERS,
  max_characters_per_option: MAX_POLL_TEXT_LENGTH,
  min_expiration: 60,
  max_expiration: MAX_POLL_DURATION_S,
};

const presentMediaLimits = ({ maxRecordingBytes }: Instance): Entity => ({
  supported_mime_types: [...IMAGE_TYPES, ...RECORDING_TYPES],
  description_limit: MAX_TEXT_LENGTH,
  image_size_limit: IMAGE_BYTES,
  image_matrix_limit: IMAGE_PIXELS,
  video_size_limit: maxRecordingBytes,
  video_frame_rate_limit: MAX_FRAMES_PER_SECOND,
  video_matrix_limit: MAX_FRAME_PIXELS,
});

const ACCOUNTS = {
  max_featured_tags: MAX_FEATURED_TAGS,
  max_pinned_statuses: MAX_PINS,
  max_profile_fields: 20,
  profile_field_name_limit: 255,
  profile_field_value_limit: 2_047,
  max_display_name_length: 65,
  max_note_length: 65_535,
};

const AUTHENTICATED = { local: "authenticated", remote: "authenticated" };

const versionOf = ({ version }: Instance): string =>
  `${SPOKEN}+kith-${version}`;

/** Without a path: clients append it. The scheme follows that of the server. */
const streamingOf = ({ baseUrl }: Instance): string =>
  baseUrl.replace(/^http/, "ws");

const descriptionOf = ({ host, server }: DescribedInstance): string =>
  server.description ||
  `Kith on ${host}: posts, conversations and calendars, federated over diaspora* and ActivityPub.`;

/** One rule per line. */
export function presentRules({ rules }: Pick<ShownServer, "rules">): Entity[] {
  const lines = rules.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .map((text, index) => ({
      ...{ id: String(index + 1), text, hint: "", translations: {} },
    }));
}

function pictureUrl(
  { baseUrl, server }: DescribedInstance,
  size: "full" | "scaled_full",
): string {
  const { picture } = server;
  return (
    baseUrl + (picture ? pathOfPicture(picture, size) : DEFAULT_HEADER_PATH)
  );
}

function presentThumbnail(instance: DescribedInstance): Entity {
  const url = pictureUrl(instance, "full");
  return {
    ...{ url, blurhash: null, description: "" },
    versions: { "@1x": pictureUrl(instance, "scaled_full"), "@2x": url },
  };
}

export function presentInstance(
  instance: DescribedInstance,
  activeMonth: number,
): Entity {
  const { baseUrl, host, server, languages, pushKey } = instance;
  const { contact, joining } = instance;
  return {
    domain: host,
    title: server.name || host,
    version: versionOf(instance),
    source_url: SOURCE_URL,
    description: descriptionOf(instance),
    usage: { users: { active_month: activeMonth } },
    thumbnail: presentThumbnail(instance),
    icon: [],
    languages,
    configuration: {
      urls: {
        streaming: streamingOf(instance),
        status: baseUrl,
        about: `${baseUrl}/about`,
        privacy_policy: `${baseUrl}/about/privacy`,
        terms_of_service: server.terms === "" ? null : `${baseUrl}/about/terms`,
      },
      vapid: { public_key: pushKey },
      accounts: ACCOUNTS,
      statuses: STATUSES,
      media_attachments: presentMediaLimits(instance),
      polls: POLLS,
      translation: { enabled: false },
      timelines_access: {
        live_feeds: AUTHENTICATED,
        hashtag_feeds: { local: "public", remote: "public" },
        trending_link_feeds: { local: "public", remote: "public" },
      },
      limited_federation: false,
    },
    registrations: {
      enabled: server.signUp !== "closed",
      approval_required: server.signUp === "approval",
      reason_required: server.signUp === "approval",
      message: joining ?? null,
      min_age: server.minAge === 0 ? null : server.minAge,
      url: `${baseUrl}/users/sign_up`,
    },
    api_versions: { mastodon: API_VERSION },
    contact: { email: server.contactMail, account: contact ?? null },
    rules: presentRules(server),
  };
}

/** The first version of the same, which some clients alone read. */
export function presentOldInstance(
  instance: DescribedInstance,
  usage: InstanceUsage,
): Entity {
  const { host, server, languages } = instance;
  return {
    uri: host,
    title: server.name || host,
    short_description: descriptionOf(instance),
    description: descriptionOf(instance),
    email: server.contactMail,
    version: versionOf(instance),
    urls: { streaming_api: streamingOf(instance) },
    stats: {
      user_count: usage.users,
      status_count: usage.statuses,
      domain_count: usage.hosts,
    },
    thumbnail: pictureUrl(instance, "full"),
    languages,
    registrations: server.signUp !== "closed",
    approval_required: server.signUp === "approval",
    invites_enabled: false,
    configuration: {
      accounts: {
        max_featured_tags: MAX_FEATURED_TAGS,
        max_pinned_statuses: MAX_PINS,
      },
      statuses: STATUSES,
      media_attachments: presentMediaLimits(instance),
      polls: POLLS,
    },
    contact_account: instance.contact ?? null,
    rules: presentRules(server),
    max_toot_chars: MAX_TEXT_LENGTH,
    poll_limits: {
      max_options: MAX_ANSWERS,
      max_option_chars: MAX_POLL_TEXT_LENGTH,
      min_expiration: POLLS.min_expiration,
      max_expiration: POLLS.max_expiration,
    },
  };
}
