import { errorSummary, noticeView } from "../kit/components/notices-view.ts";
import {
  alertView,
  choiceField,
  choicesField,
  fieldView,
  lineField,
  textAreaField,
  textField,
} from "../kit/form-fields.ts";
import { html, type Html, type HtmlValue } from "../kit/html.ts";
import type { KitComponent } from "./kit-component.ts";

const LONG =
  "A hint may be as long as a sentence that explains to somebody in a hurry what is wanted here, and why it is asked.";
const FAULT = "Write a name of at most 50 characters.";

/** Fields stand in a form with its button. */
export function sampleForm(fields: HtmlValue): Html {
  return html`<form method="get" action="/dev/kit" class="stacked write">
    ${fields}
    <p class="actions"><button>Send</button></p>
  </form>`;
}

export function fieldComponents(): KitComponent[] {
  return [
    { id: "field", name: "Field with its fault", states: fields() },
    { id: "error-summary", name: "Error summary", states: summaries() },
    {
      ...{ id: "notice", name: "Notice" },
      states: {
        Done: html`${noticeView("The draft is saved.")}`,
        "A long one": html`${noticeView(LONG.repeat(3))}`,
        "Of a fault": html`${alertView(["The password is wrong."])}`,
      },
    },
    { id: "progress", name: "Progress", states: progress() },
    { id: "button", name: "Button", states: buttons() },
  ];
}

function fields(): KitComponent["states"] {
  const choices = {
    one: "The old tree",
    two: "The tall tree, of which nobody knows who planted it, or when",
  };
  return {
    Lines: sampleForm([
      lineField("plain", "", { label: "Name" }),
      lineField("hinted", "Ann", { label: "Name", hint: LONG }),
      lineField("wrong", "x".repeat(80), {
        ...{ label: "Name", hint: "As others see it.", fault: FAULT },
      }),
      fieldView("needed", {
        ...{ label: "Address", hint: LONG, isFaulty: true },
        attributes: html`type="email" autocomplete="email"`,
      }),
    ]),
    Texts: sampleForm([
      textAreaField("text", "Ladders.", { label: "Text", rows: 3 }),
      textAreaField("wrong-text", "", {
        ...{ label: "Text", rows: 3, hint: LONG, fault: "Write something." },
      }),
    ]),
    Choices: sampleForm([
      choicesField({
        ...{ name: "tree", legend: "Tree", labels: choices, hint: LONG },
        chosen: ["one"],
      }),
      choicesField({
        ...{ name: "trees", legend: "Trees", labels: choices, several: true },
        chosen: ["one", "two"],
      }),
    ]),
    "In one line": html`<form method="get" action="/dev/kit" class="act">
      ${textField("name", "Name", {})}
      ${choiceField("kind", "Tree", choices, "two")}
      <button>Search</button>
    </form>`,
  };
}

function summaries(): KitComponent["states"] {
  const faulty = lineField("name", "", { label: "Name", fault: FAULT });
  const faults = [
    { field: "name", words: FAULT },
    { field: "day", words: "Give a day, such as 31 January 2027." },
  ];
  return {
    "With links to the fields": sampleForm([
      errorSummary("The event was not saved.", faults),
      ...[faulty, lineField("day", "", { label: "Day", fault: "Give a day." })],
    ]),
    "Without links": html`${alertView(["The form was out of date.", LONG])}`,
  };
}

/** The script puts it above the buttons while files are sent. */
function progress(): KitComponent["states"] {
  return {
    "Some of it": html`<progress
      aria-label="Sending"
      value="30"
      max="100"
    ></progress>`,
    "Nobody knows how much": html`<progress aria-label="Waiting"></progress>`,
  };
}

function buttons(): KitComponent["states"] {
  return {
    Kinds: html`<form method="get" action="/dev/kit" class="actions">
      <button>Publish to 7 people</button>
      <button class="second" name="act" value="save">Save</button>
      <button class="plain" name="act" value="like">Like</button>
      <a class="button" href="/dev/kit">Plan an event</a>
    </form>`,
  };
}
