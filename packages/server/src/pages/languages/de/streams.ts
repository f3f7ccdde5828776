import type { englishStreams } from "../en/streams.ts";

/** The German texts of streams that a user defines. */
export const germanStreams: typeof englishStreams = {
  title: "Deine Streams",
  about:
    "Ein Stream sammelt Beiträge mit einem seiner Tags, von einer seiner Personen, oder mit einem Text, der zu seinem Muster passt. Niemand sonst sieht ihn.",
  none: "Du hast noch keine Streams.",
  create: "Neuer Stream",
  name: "Name",
  tags: "Tags",
  tagsHint: "Mit Kommas dazwischen, etwa wandern, karten",
  people: "Personen",
  peopleHint: "Ihre Adressen, mit Kommas dazwischen",
  expression: "Muster",
  expressionHint:
    "Ein regulärer Ausdruck (RE2), etwa (?i)wandern|karten. Er durchsucht die neuesten Beiträge, die du sehen darfst.",
  save: "Stream speichern",
  delete: "Diesen Stream löschen",
  back: "Alle deine Streams",
  empty: "Noch passen keine Beiträge zu diesem Stream.",
  faults: {
    name: "Ein Stream braucht einen Namen.",
    noCondition:
      "Ein Stream braucht Tags, Personen oder ein Muster: Ohne sie bliebe er leer.",
    noTag: (names) => `Das ist kein Tag: ${names}`,
    nobody: (names) =>
      `Hier ist niemand als ${names} bekannt. Schreib ganze Adressen wie name@host, und such die Person zuerst.`,
    refused:
      "Der Stream wurde nicht gespeichert. Der Name darf 255 Zeichen haben, es dürfen je 100 Tags und Personen sein, das Muster muss ein regulärer Ausdruck sein, und du kannst 100 Streams haben.",
  },
};
