/** Texts that programs write about a thing, by the name of the property. */
type Properties = Readonly<Record<string, string>>;

/** Changes of some of them; null removes one. */
export type PropertyChanges = Readonly<Record<string, string | null>>;

export function withChanges(
  properties: Properties,
  changes: PropertyChanges,
): Record<string, string> {
  const all = Object.entries({ ...properties, ...changes });
  return Object.fromEntries(
    all.flatMap(([name, text]) => (text === null ? [] : [[name, text]])),
  );
}
