type Content = {
  title: string
  text: string
  link: string
  appName: string
  preferencesUrl?: string
}

/** The two forms of a mail: plain text, and simple HTML without images or styles from elsewhere. */
export function toMailBody({ title, text, link, appName, preferencesUrl }: Content) {
  const choose = preferencesUrl && `Choose what ${appName} sends you: ${preferencesUrl}`
  const paragraphs = [title, text, link, choose].filter(Boolean)
  const html = [
    `<p><strong>${escape(title)}</strong></p>`,
    text && `<p>${escape(text)}</p>`,
    `<p><a href="${escape(link)}">${escape(link)}</a></p>`,
    preferencesUrl &&
      `<p style="color:#666;font-size:13px"><a href="${escape(preferencesUrl)}">Choose what ${escape(appName)} sends you</a></p>`,
  ]
  return { text: `${paragraphs.join('\n\n')}\n`, html: html.filter(Boolean).join('\n') }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
