import { domainToASCII } from 'node:url'

/** Providers that deliver to the same mailbox with and without dots, by domain. */
const WITHOUT_DOTS = new Set(['gmail.com'])
/** Labels below a country's that registries sell names under, like `co` in `x.co.uk`. */
const REGISTRY_LABELS = new Set('co com net org ac gov edu or ne go'.split(' '))
/** Where so many people have their mailboxes that none of them owns the domain. */
const MAIL_PROVIDERS = new Set(
  [
    'gmail.com outlook.com hotmail.com live.com yahoo.com icloud.com me.com aol.com',
    'gmx.de gmx.net web.de proton.me protonmail.com mail.ru yandex.ru qq.com 163.com',
  ].flatMap((domains) => domains.split(' ')),
)
/** No longer name can be looked up. */
const MAX_DOMAIN_LENGTH = 253
/** Other names of the same provider. */
const SAME_PROVIDER: Record<string, string> = { 'googlemail.com': 'gmail.com' }

/**
 * The mailbox that most providers deliver an e-mail address to, the same for all of its spellings: of
 * another case, Unicode form or tag (`v+1@x`), and with other dots where they do not matter. To count
 * by, not to send to.
 */
export function mailboxOf(address: string): string {
  const { local, domain } = splitAddress(address)
  const [name = ''] = local.split('+', 1)
  const untagged = name === '' ? local : name
  return `${WITHOUT_DOTS.has(domain) ? untagged.replaceAll('.', '') : untagged}@${domain}`
}

/**
 * The domain that receives the mail to an address, without the subdomains that its owner can make up:
 * `x.example` for `v@a.b.x.example`, and `x.co.uk` for `v@a.x.co.uk`.
 */
export function mailDomainOf(address: string): string {
  const labels = splitAddress(address).domain.split('.')
  const [second = '', top = ''] = labels.slice(-2)
  const isBelowCountry = top.length === 2 && REGISTRY_LABELS.has(second)
  return labels.slice(isBelowCountry ? -3 : -2).join('.')
}

/**
 * Whether anybody gets a mailbox at a domain: it belongs to a well-known provider.
 * @param domain as `mailDomainOf` returns it
 */
export function isMailProvider(domain: string): boolean {
  return MAIL_PROVIDERS.has(domain)
}

function splitAddress(address: string): { local: string; domain: string } {
  const at = address.lastIndexOf('@')
  const written = address.slice(at + 1).toLowerCase()
  const isName = written.length <= MAX_DOMAIN_LENGTH
  const domain = ((isName && domainToASCII(written)) || written).replace(/\.$/, '')
  const local = address.slice(0, Math.max(at, 0)).normalize('NFKC').toLowerCase()
  return { local, domain: SAME_PROVIDER[domain] ?? domain }
}
