import type { ImapSettings } from './settings'

export type ImapPlace = Omit<ImapSettings, 'tokens' | 'doneFolder'>

const PORTS = { 'imaps:': 993, 'imap:': 143 }

/** Reads `imaps://user:password@host:993/folder`; undefined for what is none. */
export function parseImapUrl(text: string): ImapPlace | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const { protocol, hostname, port, search, hash } = url
  if ((protocol !== 'imaps:' && protocol !== 'imap:') || hostname === '' || search + hash !== '') {
    return undefined
  }
  try {
    const [username, password, folder] = [url.username, url.password, url.pathname.slice(1)].map(
      decodeURIComponent,
    )
    if (!username) return undefined
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    return {
      host,
      port: port === '' ? PORTS[protocol] : Number(port),
      security: protocol === 'imaps:' ? 'tls' : isLoopback(host) ? 'none' : 'starttls',
      username,
      password: password || null,
      folder: folder || 'INBOX',
    }
  } catch {
    // What is escaped is no text.
    return undefined
  }
}

const isLoopback = (host: string) => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(host)
