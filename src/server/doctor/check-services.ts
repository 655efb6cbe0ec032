import { once } from 'node:events'
import { connect } from 'node:net'

import type { Deps } from '../domain/deps'
import { parseEgressProxy, type EgressProxy } from '../files/fetch/egress-proxy'
import { inspectRedis } from '../queue/inspect-redis'
import { judgeRedisVersion, OLDEST_REDIS } from '../queue/redis-version'
import { describeUnusedProxies } from '../start/unused-proxies'
import { ANSWER_WITHIN_MS, compareClocks, explain, type Finding } from './finding'

const MAX_ANSWER_BYTES = 64 * 1024

export async function checkRedis({ config, clock }: Deps): Promise<Finding[]> {
  const part = 'queue'
  if (!config.redisUrl) {
    return [{ part, state: 'ok', text: 'embedded; processes find their work in the database' }]
  }
  try {
    const { version, evictionPolicy, now } = await inspectRedis(config.redisUrl, ANSWER_WITHIN_MS)
    const old = checkRedisVersion(version)
    const others = [...old, ...compareClocks(part, now, clock.now())]
    if (evictionPolicy === 'noeviction') {
      return old.length > 0 ? others : [{ part, state: 'ok', text: `Redis ${version}` }, ...others]
    }
    const text = `Redis ${version} may drop work when it is full (maxmemory-policy ${evictionPolicy})`
    const advice = 'Set its maxmemory-policy to noeviction.'
    return [{ part, state: 'warning', text, advice }, ...others]
  } catch (error) {
    const text = `Redis does not answer: ${explain(error)}`
    const advice = 'Start Redis, or correct REDIS_URL. Until then each worker finds its own work.'
    return [{ part, state: 'problem', text, advice }]
  }
}

function checkRedisVersion(version: string): Finding[] {
  const old = judgeRedisVersion(version)
  if (!old) return []
  const state = old.isUsed ? 'warning' : 'problem'
  return [{ part: 'queue', state, text: old.text, advice: `Use Redis ${OLDEST_REDIS} or newer.` }]
}

export async function checkMail({ mail }: Deps): Promise<Finding[]> {
  const part = 'mail'
  if (!mail) {
    const text = 'not configured: alerts are in the product and by webhook only'
    return [{ part, state: 'ok', text }]
  }
  try {
    await mail.check()
    return [{ part, state: 'ok', text: 'the server takes our sign-in' }]
  } catch (error) {
    const advice = 'Correct SMTP_URL, or ask who runs the mail server.'
    return [{ part, state: 'problem', text: explain(error), advice }]
  }
}

/** Whether the proxy answers by which others are reached; otherwise only told of when the environment names one. */
export async function checkProxies({ config }: Deps): Promise<Finding[]> {
  const part = 'network'
  const unused = describeUnusedProxies(config)
  const proxy = parseEgressProxy(config.fetchProxy ?? '')
  if (!proxy) return unused ? [{ part, state: 'warning', ...unused }] : []
  const name = `the proxy ${proxy.host}:${proxy.port}`
  try {
    await askProxy(proxy)
    return [{ part, state: 'ok', text: `files and webhooks go through ${name}` }]
  } catch (error) {
    const text = `files and webhooks go through ${name}, which does not answer: ${explain(error)}`
    return [{ part, state: 'problem', text, advice: 'Start it, or correct FETCH_PROXY.' }]
  }
}

/** Connects to the proxy, and says nothing. */
async function askProxy({ host, port }: EgressProxy): Promise<void> {
  const socket = connect({ host, port })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  } finally {
    socket.on('error', () => undefined).destroy()
  }
}

/** Whether what people are told to open leads here. */
export async function checkPublicAddress({ config }: Deps): Promise<Finding[]> {
  const part = 'address'
  const { publicUrl } = config
  if (publicUrl === undefined) {
    const text = 'PUBLIC_URL is not set: links in mails lead to this machine only'
    return [{ part, state: config.smtp ? 'warning' : 'ok', text }]
  }
  try {
    const answer = await fetchText(new URL('/healthz', publicUrl))
    if (answer === '{"status":"ok"}') return [{ part, state: 'ok', text: publicUrl }]
    const advice = 'Let the proxy pass on all paths of this host unchanged.'
    return [{ part, state: 'problem', text: `${publicUrl} is answered by another program`, advice }]
  } catch (error) {
    const advice = 'Start the product and its proxy, or correct PUBLIC_URL.'
    const text = `${publicUrl} cannot be opened from here: ${explain(error)}`
    return [{ part, state: 'warning', text, advice }]
  }
}

export async function checkIdentityProvider({ config }: Deps): Promise<Finding[]> {
  const part = 'sign-in'
  if (!config.oidc) return [{ part, state: 'ok', text: 'with passwords only' }]
  const { issuer } = config.oidc
  try {
    const path = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const { issuer: stated } = JSON.parse(await fetchText(new URL(path))) as { issuer?: string }
    if (stated === issuer) return [{ part, state: 'ok', text: `with passwords, and by ${issuer}` }]
    const text = `${issuer} calls itself ${String(stated).slice(0, 200)}`
    return [{ part, state: 'problem', text, advice: 'Set OIDC_ISSUER to that.' }]
  } catch (error) {
    const advice = 'Correct OIDC_ISSUER. Until then nobody can sign in through it.'
    const text = `${issuer} does not answer: ${explain(error)}`
    return [{ part, state: 'problem', text, advice }]
  }
}

async function fetchText(url: URL): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
  if (!response.ok) throw new Error(`it answers with status ${response.status}`)
  const text = await response.text()
  return text.slice(0, MAX_ANSWER_BYTES)
}
