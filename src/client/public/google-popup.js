// Runs on the last page of the sign-in window and reports the result to the page that opened it. It
// uses a BroadcastChannel because the provider's pages may have severed `window.opener`.
const { channel: name = '', report = '' } = document.body.dataset
const channel = new BroadcastChannel(name)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
channel.postMessage(JSON.parse(report))
// The opener closes this window; if it no longer can, the window closes itself.
setTimeout(() => window.close(), 500)
