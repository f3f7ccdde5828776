import {
  contrastOfAccent,
  MIN_CONTRAST,
  pathOfPicture,
  showContrast,
  StyleRefused,
  type StyleFault,
} from "../../../features/server-profile/index.ts";
import { readInput, text } from "../../../http/input/input.ts";
import { UploadedFile } from "../../../http/input/multipart.ts";
import { KithError } from "../../../lib/errors.ts";
import { Type } from "../../../lib/json-schema.ts";
import { csrfField } from "../../kit/csrf.ts";
import {
  actForm,
  choiceField,
  lineField,
  textAreaField,
} from "../../kit/form-fields.ts";
import { html, type Html } from "../../kit/html.ts";
import { setupTexts as texts } from "../../languages/texts.ts";
import type { AdminVisit, Outcome } from "../admin-page.ts";

export const SERVER_PICTURE_FIELD = "picture";
export const LOOK_FIELDS = [
  ...(["language", "accent_light", "accent_dark", "style"] as const),
] as const;

const FORM = Type.Object({
  language: text("The usual language"),
  accent_light: text("The accent on light ground"),
  accent_dark: text("The accent on dark ground"),
  style: text("A style sheet"),
});

/** The forms for the picture of the server, its language, colours and style sheet. */
export async function lookView(visit: AdminVisit): Promise<Html> {
  return html`<h2>${texts.look}</h2>
    ${await pictureForms(visit)} ${await lookForm(visit)}`;
}

async function pictureForms({ context, session }: AdminVisit): Promise<Html> {
  const { picture } = await context.serverProfile.get();
  return html`<form
      method="post"
      action="/admin/server/picture"
      class="stacked"
      enctype="multipart/form-data"
    >
      ${csrfField(session)}
      ${
        picture &&
        html`<img
          class="server-picture"
          src="${pathOfPicture(picture, "scaled_full")}"
          width="${picture.width}"
          height="${picture.height}"
          alt="${texts.picture}"
        />`
      }
      <p>
        <label for="picture">${texts.picture}</label>
        <input
          id="picture"
          name="${SERVER_PICTURE_FIELD}"
          type="file"
          required
          accept="image/jpeg,image/png,image/gif,image/webp,image/avif"
          aria-describedby="picture-hint"
        />
        <small id="picture-hint">${texts.pictureHint}</small>
      </p>
      <p class="actions"><button>${texts.savePicture}</button></p>
    </form>
    ${
      picture &&
      actForm(
        session,
        "/admin/server/remove_picture",
        undefined,
        texts.removePicture,
      )
    }`;
}

async function lookForm({
  context,
  session,
  typed,
}: AdminVisit): Promise<Html> {
  const stored = await context.serverProfile.get();
  const kept = typed("look");
  return html`<form method="post" action="/admin/server/look" class="stacked">
    ${csrfField(session)}
    <p>
      ${choiceField(
        "language",
        texts.usualLanguage,
        texts.languages,
        kept["language"] ?? stored.language,
      )}
      <small>${texts.usualLanguageHint}</small>
    </p>
    ${colorField("accent_light", kept["accent_light"] ?? stored.accentLight)}
    ${colorField("accent_dark", kept["accent_dark"] ?? stored.accentDark)}
    ${textAreaField("style", kept["style"] ?? stored.style, {
      ...{ label: texts.style, hint: texts.styleHint, rows: 8 },
    })}
    <p class="actions"><button>${texts.saveLook}</button></p>
  </form>`;
}

function colorField(name: "accent_dark" | "accent_light", value: string): Html {
  return lineField(name, value, {
    ...{ label: texts[name], hint: texts.accentHint },
    attributes: html`maxlength="7" dir="ltr" spellcheck="false"`,
  });
}

export async function saveLook({
  context: { serverProfile },
  by,
  request,
}: AdminVisit): Promise<Outcome> {
  const input = readInput(FORM, request.parameters);
  const { accent_light: accentLight = "", accent_dark: accentDark = "" } =
    input;
  const { language = "", style = "" } = input;
  for (const [accent, scheme] of [
    [accentLight, "light"],
    [accentDark, "dark"],
  ] as const) {
    const fault = faultOfAccent(accent.trim(), scheme);
    if (fault !== undefined) return { fault };
  }
  try {
    const look = { language, accentLight, accentDark, style };
    await serverProfile.save(by, look);
    return { done: "saved" };
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== "bad_request")
      throw error;
    const why =
      error instanceof StyleRefused ? wordsOf(error.fault) : error.message;
    return { fault: `${texts.nothingSaved} ${why}` };
  }
}

function wordsOf(fault: StyleFault): string {
  const { forbidden, unreadable, ...others } = texts.styleFaults;
  switch (fault.kind) {
    case "forbidden":
      return forbidden(fault.what);
    case "unreadable":
      return unreadable(fault.line);
    default:
      return others[fault.kind];
  }
}

function faultOfAccent(
  accent: string,
  scheme: "dark" | "light",
): string | undefined {
  if (accent === "") return undefined;
  if (!/^#[0-9a-f]{6}$/i.test(accent)) return texts.noColour;
  const measured = contrastOfAccent(accent, scheme);
  return measured < MIN_CONTRAST
    ? texts.lowContrast[scheme](showContrast(measured), MIN_CONTRAST)
    : undefined;
}

export async function savePicture({
  context: { serverProfile },
  by,
  request,
}: AdminVisit): Promise<Outcome> {
  const picture = request.parameters[SERVER_PICTURE_FIELD];
  if (!(picture instanceof UploadedFile))
    return { fault: texts.pictureRefused };
  try {
    await serverProfile.setPicture(by, picture.bytes);
    return { done: "saved" };
  } catch (error) {
    const isRefused =
      error instanceof KithError &&
      ["bad_request", "too_large", "unsupported_media_type"].includes(
        error.code,
      );
    if (!isRefused) throw error;
    return { fault: texts.pictureRefused };
  }
}

export async function endPicture({
  context: { serverProfile },
  by,
}: AdminVisit): Promise<Outcome> {
  await serverProfile.removePicture(by);
  return { done: "saved" };
}
