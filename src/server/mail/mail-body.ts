import type { Deps } from '../domain/deps'

/** A heading with lines below it, and the page that has more. */
export type MailSection = { heading: string; lines: string[]; link?: string | undefined }

type Content = {
  title: string
  text: string
  link?: string | undefined
  /** What the text says more of, below it. */
  sections?: readonly MailSection[]
  appName: string
  /** Where such mails are chosen. */
  preferencesUrl?: string
  /** What can be done there, instead of choosing what is sent. */
  preferencesText?: string
  unsubscribeUrl?: string
}

/** The two forms of a mail: plain text, and simple HTML without images or styles from elsewhere. */
export function toMailBody(content: Content) {
  const { title, text, link, sections = [], appName, preferencesUrl, unsubscribeUrl } = content
  const { preferencesText = `Choose what ${appName} sends you` } = content
  const choose = preferencesUrl && `${preferencesText}: ${preferencesUrl}`
  const stop = unsubscribeUrl && `Stop these e-mails: ${unsubscribeUrl}`
  const parts = sections.map(({ heading, lines, link: page }) => [heading, ...lines, page])
  const listed = parts.map((lines) => lines.filter(Boolean).join('\n'))
  const paragraphs = [title, text, link, ...listed, choose, stop].filter(Boolean)
  const html = [
    `<p><strong>${escape(title)}</strong></p>`,
    text && `<p>${escape(text)}</p>`,
    link && `<p><a href="${escape(link)}">${escape(link)}</a></p>`,
    ...sections.map(toHtml),
    preferencesUrl &&
      `<p style="color:#666;font-size:13px"><a href="${escape(preferencesUrl)}">${escape(preferencesText)}</a></p>`,
    unsubscribeUrl &&
      `<p style="color:#666;font-size:13px"><a href="${escape(unsubscribeUrl)}">Stop these e-mails</a></p>`,
  ]
  return { text: `${paragraphs.join('\n\n')}\n`, html: html.filter(Boolean).join('\n') }
}

function toHtml({ heading, lines, link }: MailSection): string {
  const title = `<strong>${escape(heading)}</strong>`
  const linked = link && `<a href="${escape(link)}">See all of it</a>`
  return `<p>${[title, ...lines.map(escape), linked].filter(Boolean).join('<br>\n')}</p>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string) => text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)

/** The address of a page, for people who are not in the product. */
export function productUrl({ config }: Deps, path: string): string {
  const { publicUrl, port } = config
  return new URL(path, publicUrl ?? `http://localhost:${port}`).href
}
