import { emptyListView } from "../kit/components/notices-view.ts";
import { tabLinks } from "../kit/components/tabs-view.ts";
import { html } from "../kit/html.ts";
import { paginationView, tableView } from "../kit/list-view.ts";
import { peopleView } from "../people/people-view.ts";
import { personTabsView } from "../people/person-tabs.ts";
import type { KitComponent } from "./kit-component.ts";
import { ALL_SAMPLES, SAMPLES } from "./samples/sample-people.ts";

/** The parts of lists. */
export function listComponents(): KitComponent[] {
  return [
    {
      ...{ id: "person-row", name: "Person row" },
      states: {
        "Names of every kind": html`${peopleView(ALL_SAMPLES, "")}`,
        Nobody: html`${peopleView([], "Nobody is in Family yet.")}`,
      },
    },
    { id: "tabs", name: "Tabs", states: tabs() },
    {
      ...{ id: "empty-state", name: "Empty state" },
      states: {
        "With the next steps": emptyListView(
          "Nothing is here yet. Posts of people whom you follow will be.",
          [
            ["/welcome", "First steps"],
            ["/people", "Find people"],
          ],
        ),
      },
    },
    { id: "pagination", name: "Pagination", states: paginations() },
    {
      ...{ id: "table", name: "Table as cards" },
      states: { "Short and long cells": table() },
    },
  ];
}

function tabs(): KitComponent["states"] {
  const names = ["Home", "Family", "أصدقاء", "Everybody who helps", "Tags"];
  return {
    Few: personTabsView(SAMPLES.short, "replies"),
    "More than a phone has room for": tabLinks(
      "Streams",
      [...names, "This server", "Everything known"].map((name, at) => ({
        path: `/home?tab=${at}`,
        label: html`<bdi>${name}</bdi>`,
        isChosen: at === 1,
      })),
    ),
  };
}

function paginations(): KitComponent["states"] {
  const [previous, next] = ["?after=1", "?before=1"];
  const of = (links: { previous?: string; next?: string }) =>
    html`${paginationView({ items: [], previous: undefined, next: undefined, ...links })}`;
  return {
    "Both ways": of({ previous, next }),
    "On the first page": of({ next }),
    "On the last page": of({ previous }),
  };
}

function table() {
  return tableView(
    ["Server", "Delivered", "Failed", "Last error"],
    [
      ["far.example", "12,345", "0", ""],
      [
        "a-very-long-name-of-a-server-in-a-country.example",
        ...[
          "1",
          "678",
          "The certificate has expired; the next try is on Friday.",
        ],
      ],
    ],
  );
}
