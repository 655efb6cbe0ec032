import { globalAgent, type Agent } from 'node:http'

import type { Logger } from 'pino'

import type { Config } from '../config'

/** What to do about proxies that the environment names; undefined when it names none. */
type UnusedProxies = { text: string; advice: string }

/** With what Node's types leave out. */
const agent = globalAgent as Agent & { options: { proxyEnv?: unknown } }

const ADVICE =
  'Let this machine reach them itself, also through a firewall or NAT, and remove the variables.'

/**
 * Says that the product does not use the proxies for outgoing connections that are named in the
 * environment: it checks each address that it connects to, which a proxy would hide.
 * @param isFollowedByNode whether Node was told to use them (NODE_USE_ENV_PROXY), for what is asked with `fetch`
 */
export function describeUnusedProxies(
  { proxyVariables }: Pick<Config, 'proxyVariables'>,
  isFollowedByNode = agent.options.proxyEnv !== undefined,
): UnusedProxies | undefined {
  if (proxyVariables.length === 0) return undefined
  const names = proxyVariables.join(', ')
  const verb = proxyVariables.length === 1 ? 'is' : 'are'
  const exception = isFollowedByNode ? '; only the identity provider is asked through it' : ''
  const text = `${names} ${verb} set, but servers of suppliers, webhooks and all others are reached without a proxy`
  return { text: text + exception, advice: ADVICE }
}

export function warnOfUnusedProxies(logger: Logger, config: Config): void {
  const unused = describeUnusedProxies(config)
  if (unused) logger.warn(`${unused.text}. ${unused.advice}`)
}
