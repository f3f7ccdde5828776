import type { englishRepeats } from "../en/repeats.ts";

export const germanRepeats: typeof englishRepeats = {
  legend: "Wiederholung",
  repeats: (rule) => `Wiederholt sich ${rule}.`,
  frequency: {
    once: "Keine",
    daily: "Jeden Tag",
    weekly: "Jede Woche",
    monthly: "Jeden Monat",
    yearly: "Jedes Jahr",
    other: "Wie bisher",
  },
  how: "Wie oft",
  more: "Abstand, Tage und Ende",
  interval: "Alle wie viele Tage, Wochen, Monate oder Jahre",
  weekdays: "An diesen Tagen, wenn sie wöchentlich ist",
  until: "Bis",
  untilHint: "Der letzte Tag. Leer bedeutet: ohne Ende.",
  count: "Oder so viele Male",
  coming: "Nächste Termine",
  change: "Diesen Termin ändern",
  cancelled: "abgesagt",
  one: "Einen Termin ändern",
  oneAbout: (date) =>
    `Nur der Termin am ${date} ändert sich. Die anderen der Reihe bleiben, wie sie sind.`,
  isCancelled: "Er findet nicht statt",
  faults: {
    interval: "Gib den Abstand als Zahl von 1 bis 10000 an.",
    until: "Gib den letzten Tag der Reihe an, nicht vor dem ersten.",
    count: "Gib die Zahl der Termine an, von 1 bis 2000.",
    both: "Gib entweder den letzten Tag oder die Zahl der Termine an.",
    moved:
      "Einzelne Termine dieser Reihe wurden geändert oder gestrichen. Nur ein Kalenderprogramm kann sie auf eine andere Zeit legen.",
  },
};
