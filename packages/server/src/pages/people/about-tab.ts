import {
  detailsFor,
  type Nearness,
  type Person,
} from "../../features/people/index.ts";
import { html, type Html } from "../kit/html.ts";
import { currentLanguage } from "../languages/reader.ts";
import { photoTexts as texts } from "../languages/texts.ts";

/** Before this year a birthday has none: diaspora* fills in another. */
const FIRST_YEAR = 1900;

/** The details of a person that the visitor may see. */
export function aboutTab({ profile, handle }: Person, near: Nearness): Html {
  const { location, gender, birthday } = detailsFor(profile, near);
  const facts: readonly (readonly [name: string, value: string])[] = [
    [texts.address, handle],
    [texts.livesIn, location],
    [texts.gender, gender],
    [texts.birthday, birthday ? birthdayInWords(birthday) : ""],
  ];
  return html`<dl class="facts fields">
    ${facts
      .filter(([, value]) => value !== "")
      .map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd dir="auto">${value}</dd>
          </div>`,
      )}
  </dl>`;
}

function birthdayInWords(birthday: string): string {
  const date = new Date(birthday);
  if (Number.isNaN(date.getTime())) return birthday;
  const format = new Intl.DateTimeFormat(currentLanguage(), {
    ...{ day: "numeric", month: "long", timeZone: "UTC" },
    ...(date.getUTCFullYear() >= FIRST_YEAR && { year: "numeric" }),
  });
  return format.format(date);
}
