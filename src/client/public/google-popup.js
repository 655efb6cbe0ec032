// The last page of the sign-in's window tells the page that opened it how the sign-in ended. It speaks
// over a channel, because the provider's pages may have cut the ties to the opener.
const { channel: name = '', report = '' } = document.body.dataset
const channel = new BroadcastChannel(name)
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
channel.postMessage(JSON.parse(report))
// That page closes this window; where it cannot any more, the window does so itself.
setTimeout(() => window.close(), 500)
