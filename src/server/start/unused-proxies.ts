import { globalAgent, type Agent } from 'node:http'

import type { Logger } from 'pino'

import type { Config } from '../config'

/** What to do about proxies that the environment names; undefined when it names none. */
type UnusedProxies = { text: string; advice: string }

/** With what Node's types leave out. */
const agent = globalAgent as Agent & { options: { proxyEnv?: unknown } }

const ADVICE =
  'Set FETCH_PROXY to have files fetched and sent, and webhooks called, through it. All others are reached without: let a firewall or NAT admit them.'

/**
 * Says that the product does not use the proxies for outgoing connections that are named in the
 * environment, because they are those of other programs: it has a setting of its own, and says nothing where that is set.
 * @param isFollowedByNode whether Node was told to use them (NODE_USE_ENV_PROXY), for what is asked with `fetch`
 */
export function describeUnusedProxies(
  { proxyVariables, fetchProxy }: Pick<Config, 'proxyVariables' | 'fetchProxy'>,
  isFollowedByNode = agent.options.proxyEnv !== undefined,
): UnusedProxies | undefined {
  if (proxyVariables.length === 0 || fetchProxy !== undefined) return undefined
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
