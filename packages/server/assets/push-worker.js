// Shows what the server pushes, and opens it. Its scope is the folder of assets, so that it sees
// no request of a page and caches nothing.

self.addEventListener("push", (event) => {
  event.waitUntil(show(event.data));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.url));
});

async function show(data) {
  const { title, body, icon, lang, tag, url } = data.json();
  const shown = { body, icon, lang, tag, data: { url } };
  await self.registration.showNotification(title, shown);
}

/** Pages of this server alone. */
async function open(url) {
  if (new URL(url).origin !== self.location.origin) return;
  const windows = await self.clients.matchAll({
    type: "window",
    includeUncontrolled: true,
  });
  const shown = windows.find((it) => it.url === url);
  await (shown ? shown.focus() : self.clients.openWindow(url));
}
