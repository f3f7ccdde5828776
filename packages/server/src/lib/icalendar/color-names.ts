/** Colours that people choose among, as `#RRGGBB`, by their names in CSS (RFC 7986, section 5.9). */
export const COLORS = {
  crimson: "#DC143C",
  darkorange: "#FF8C00",
  gold: "#FFD700",
  yellowgreen: "#9ACD32",
  forestgreen: "#228B22",
  lightseagreen: "#20B2AA",
  dodgerblue: "#1E90FF",
  royalblue: "#4169E1",
  darkorchid: "#9932CC",
  hotpink: "#FF69B4",
  sienna: "#A0522D",
  slategray: "#708090",
} as const;

export type ColorName = keyof typeof COLORS;

/** The name of a colour, if it has one here. */
export function colorName(color: string): ColorName | undefined {
  const names = Object.keys(COLORS) as ColorName[];
  return names.find((name) => COLORS[name] === color.toUpperCase());
}
