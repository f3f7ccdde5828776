import type { englishPush } from "../../en/settings/push.ts";

/** The German texts of notifications on a device. */
export const germanPush: typeof englishPush = {
  title: "Mitteilungen auf diesem Gerät",
  about:
    "Dieser Browser kann neue Mitteilungen zeigen, auch wenn keine Seite offen ist. Sie sind für ihn verschlüsselt: Der Push-Dienst seines Herstellers erfährt nur, dass es eine gibt.",
  isOn: "Dieser Browser zeigt neue Mitteilungen, bis du dich hier abmeldest.",
  turnOn: "Mitteilungen zeigen",
  turnOff: "Keine Mitteilungen mehr zeigen",
  missing:
    "Dieser Browser kann keine Mitteilungen zeigen oder führt das Skript nicht aus, das nach ihnen fragt.",
  fault:
    "Der Browser erlaubt dieser Seite keine Mitteilungen oder erreicht seinen Push-Dienst nicht.",
  refused:
    "Der Browser hat einen Push-Dienst genannt, der nicht benutzt werden kann.",
};
