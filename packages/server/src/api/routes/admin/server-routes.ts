import {
  pathOfPicture,
  type ServerProfiles,
  type ShownServer,
} from "../../../features/server-profile/index.ts";
import { file, flag, text, uint } from "../../../http/input/input.ts";
import { Type } from "../../../lib/json-schema.ts";
import { apiRoute, NO_INPUT, type ApiRoute } from "../../kit/route.ts";
import type { WireRecord } from "../../schemas/records.ts";
import { one } from "../../schemas/schemas.ts";

export type ServerRoutesDeps = {
  readonly serverProfile: ServerProfiles;
  /** Without a trailing slash. */
  readonly baseUrl: string;
};

const CHANGE = Type.Object({
  name: text("The name of the server, at most 100 characters"),
  description: text("What it is for, in Markdown, at most 1,000 characters"),
  rules: text("Its rules, in Markdown, at most 5,000 characters"),
  joining: text(
    "Read before somebody signs up, in Markdown, at most 2,000 characters",
  ),
  terms: text("The terms of use, in Markdown, at most 20,000 characters"),
  privacy: text(
    "What the admins say about privacy, in Markdown, at most 20,000 characters",
  ),
  contact: text("The username of the contact, an account here"),
  mail: text("A mail address for people, and for security reports"),
  language: text(
    "The language of pages and mails where nothing else decides, such as de; blank for English",
  ),
  accent_light: text(
    "The accent on light ground, such as #0b6157, with a contrast of at least 4.5; blank for the usual one",
  ),
  accent_dark: text(
    "The accent on dark ground, such as #7dd3c2, with a contrast of at least 4.5; blank for the usual one",
  ),
  style: text(
    "A style sheet of at most 20 KiB, which loads nothing from elsewhere; not used by the administration and the sign-in",
  ),
  newcomer_days: uint(
    "For how many days an account is new, at most 365; 0 for no limits",
  ),
  newcomer_posts: uint(
    "How many posts and comments a new account may write a day; 0 for no limit",
  ),
  newcomer_follows: uint(
    "How many people a new account may follow a day; 0 for no limit",
  ),
  newcomer_links: flag("Whether new accounts may write links"),
  min_age: uint(
    "The age in years from which people may sign up, at most 120; 0 for any",
  ),
  registration: Type.Optional(
    Type.String({
      enum: ["open", "approval", "closed", "configured"],
      description:
        "Who may sign up; configured for what the configuration says",
    }),
  ),
});

const REGISTRATIONS = ["open", "approval", "closed"] as const;

/** The description of the server, by its admins. */
export function serverRoutes({
  serverProfile,
  baseUrl,
}: ServerRoutesDeps): ApiRoute[] {
  const present = async () => presentServer(await serverProfile.get(), baseUrl);
  return [
    apiRoute({
      method: "GET",
      limit: "read",
      scope: "read:accounts",
      name: "showServer",
      path: "/server",
      summary: "Shows what this server says about itself.",
      input: NO_INPUT,
      output: one("Server"),
      handle: present,
    }),
    apiRoute({
      method: "PUT",
      forRole: "admin",
      limit: "write",
      scope: "admin:write",
      name: "describeServer",
      path: "/admin/server",
      summary: "Changes what this server says about itself, and who signs up.",
      description: "What is left out stays as it is.",
      input: CHANGE,
      example: { name: "Our neighbourhood" },
      output: one("Server"),
      handle: async ({ user, input }) => {
        const { registration, mail, ...given } = input;
        const { accent_light, accent_dark, ...more } = given;
        const { newcomer_days, newcomer_posts, newcomer_follows, ...rest } =
          more;
        const { newcomer_links, min_age, ...texts } = rest;
        await serverProfile.save(user, {
          ...texts,
          ...givenOf({
            ...{ newcomerDays: newcomer_days, newcomerPosts: newcomer_posts },
            newcomerFollows: newcomer_follows,
            ...{ newcomerLinks: newcomer_links, minAge: min_age },
          }),
          ...(accent_light !== undefined && { accentLight: accent_light }),
          ...(accent_dark !== undefined && { accentDark: accent_dark }),
          ...(mail !== undefined && { contactMail: mail }),
          ...(registration !== undefined && {
            registration:
              REGISTRATIONS.find((it) => it === registration) ?? null,
          }),
        });
        return present();
      },
    }),
    ...pictureRoutes(serverProfile, present),
  ];
}

/** Without what was left out. */
function givenOf<T extends Readonly<Record<string, unknown>>>(
  values: T,
): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as { [K in keyof T]?: NonNullable<T[K]> };
}

const PICTURE = Type.Object({
  image: file("A picture: JPEG, PNG, GIF, WebP or AVIF, at most 20 MiB"),
});

function pictureRoutes(
  serverProfile: ServerProfiles,
  present: () => Promise<WireRecord>,
): ApiRoute[] {
  return [
    apiRoute({
      method: "POST",
      forRole: "admin",
      limit: "costly",
      scope: "admin:write",
      name: "setServerPicture",
      path: "/admin/server/picture",
      summary: "Gives this server a picture, in place of the one before.",
      description: "Nothing of the metadata is kept.",
      errors: [503],
      input: PICTURE,
      needs: ["image"],
      output: one("Server"),
      handle: async ({ user, input }) => {
        await serverProfile.setPicture(user, input.image.bytes);
        return present();
      },
    }),
    apiRoute({
      method: "DELETE",
      forRole: "admin",
      limit: "write",
      scope: "admin:write",
      name: "removeServerPicture",
      path: "/admin/server/picture",
      summary: "Removes the picture of this server.",
      input: NO_INPUT,
      output: one("Server"),
      handle: async ({ user }) => {
        await serverProfile.removePicture(user);
        return present();
      },
    }),
  ];
}

function presentServer(server: ShownServer, baseUrl: string): WireRecord {
  const { picture } = server;
  return {
    Name: server.name,
    Description: server.description,
    Rules: server.rules,
    Registration: server.signUp,
    Joining: server.joining,
    Terms: server.terms,
    Privacy: server.privacy,
    Contact: server.contact,
    ContactMail: server.contactMail,
    Language: server.language,
    AccentLight: server.accentLight,
    AccentDark: server.accentDark,
    Style: server.style,
    NewcomerDays: server.newcomerDays,
    NewcomerPosts: server.newcomerPosts,
    NewcomerFollows: server.newcomerFollows,
    NewcomerLinks: server.newcomerLinks,
    MinAge: server.minAge,
    Picture: picture ? baseUrl + pathOfPicture(picture) : "",
  };
}
