/** The English texts of notifications on a device. */
export const englishPush = {
  title: "Notifications on this device",
  about:
    "This browser can show new notifications while no page is open. They are encrypted for it: the push service of its maker learns only that there is one.",
  isOn: "This browser shows new notifications, until you sign out here.",
  turnOn: "Show notifications",
  turnOff: "Show no more notifications",
  missing:
    "This browser cannot show notifications, or does not run the script that asks for them.",
  fault:
    "The browser does not allow notifications from this site, or cannot reach its push service.",
  refused: "The browser named a push service that cannot be used.",
};
