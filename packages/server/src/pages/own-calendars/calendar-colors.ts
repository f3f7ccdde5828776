import { COLORS, type ColorName } from "../../lib/icalendar/color-names.ts";
import { text } from "../../http/input/input.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import { calendarTexts } from "../languages/texts.ts";

const texts = calendarTexts.colors;

/** Its value stands for the colour of the field beside it. */
const OTHER = "other";

/** The parameters of `colorField`. */
export const COLOR_INPUT = {
  color: text("A colour, blank for none, or “other”"),
  other: text("The other colour"),
};

/** @returns `#RRGGBB`; blank for none, undefined where the form has no such field */
export function chosenColor({
  color,
  other,
}: {
  readonly color?: string;
  readonly other?: string;
}): string | undefined {
  return color === OTHER ? other : color;
}

/** A small dot; the name is beside it. An attribute, since no page has styles of its own. */
export function swatchView(color: string | null): HtmlValue {
  return (
    color !== null &&
    html`<svg class="swatch" viewBox="0 0 12 12" aria-hidden="true">
      <circle cx="6" cy="6" r="5" fill="${color}" />
    </svg> `
  );
}

/** The choice of a colour: none, one with a name, or any other. */
export function colorField(id: string, current: string | null): Html {
  const names = Object.keys(COLORS) as ColorName[];
  const isNamed = names.some((name) => COLORS[name] === current);
  const isOther = current !== null && !isNamed;
  return html`<fieldset class="colors">
    <legend>${texts.legend}</legend>
    ${choiceView("", current === null, texts.none)}
    ${names.map((name) =>
      choiceView(
        COLORS[name],
        current === COLORS[name],
        html`${swatchView(COLORS[name])}${texts.names[name]}`,
      ),
    )}
    ${choiceView(OTHER, isOther, texts.other)}
    <input
      type="color"
      name="other"
      id="${id}-other"
      value="${isOther ? current : COLORS.dodgerblue}"
      aria-label="${texts.otherColor}"
    />
  </fieldset>`;
}

function choiceView(value: string, isChosen: boolean, label: HtmlValue): Html {
  return html`<label class="choice">
    <input
      type="radio"
      name="color"
      value="${value}"
      ${isChosen && html`checked`}
    />
    <span>${label}</span>
  </label>`;
}
