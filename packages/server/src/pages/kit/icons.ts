import { html, type Html } from "./html.ts";

/** The drawings, each a path on a ground of 24 × 24. */
const PATHS = {
  home: "M3 11 12 4l9 7v9h-6v-6H9v6H3z",
  event: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  write: "M4 20h4L20 8l-4-4L4 16zM14 6l4 4",
  bell: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4zM10 21h4",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0",
  people:
    "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 20a6 6 0 0 1 12 0M16 5.5a3 3 0 0 1 0 5.5M18 14.5a6 6 0 0 1 3 5.5",
  circles:
    "M9 16a6 6 0 1 0 0-12 6 6 0 0 0 0 12zM15 20a6 6 0 1 0 0-12 6 6 0 0 0 0 12z",
  tag: "M9 4 7 20M17 4l-2 16M4 9h16M3 15h16",
  letter: "M3 6h18v13H3zM3 7l9 7 9-7",
  bookmark: "M6 4h12v16l-6-4-6 4z",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
  shield: "M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z",
  leave: "M14 4h6v16h-6M3 12h11M10 8l4 4-4 4",
  comment: "M4 5h16v11H9l-5 4z",
  reshare:
    "M17 3l3 3-3 3M4 11V9a3 3 0 0 1 3-3h13M7 21l-3-3 3-3M20 13v2a3 3 0 0 1-3 3H4",
  like: "M12 20S4 15 4 9.5A4.2 4.2 0 0 1 12 8a4.2 4.2 0 0 1 8 1.5C20 15 12 20 12 20z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  globe:
    "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  lock: "M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3",
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: words are beside it, or name its button. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" aria-hidden="true">
    <use href="#i-${name}" />
  </svg>`;
}

/** All drawings, once in each page, for its icons to refer to. */
export function iconSprite(): Html {
  return html`<svg hidden>
    ${Object.entries(PATHS).map(
      ([name, path]) =>
        html`<symbol id="i-${name}" viewBox="0 0 24 24">
          <path d="${path}" />
        </symbol> `,
    )}
  </svg>`;
}
