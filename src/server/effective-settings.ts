import type { EffectiveSetting } from '../shared/schemas/system'
import { environmentSchema, type SettingFacts, type SettingPrivacy } from './settings'

/** Longer values are cut. */
const SHOWN_CHARACTERS = 300

/**
 * All settings of this process. Of a secret nothing is told but that it is set: no length, no end, no hash.
 * @param values of all variables, those in files read
 * @param inDotEnv the variables that have the value of `.env`
 */
export function listEffectiveSettings(
  values: NodeJS.ProcessEnv,
  inDotEnv: ReadonlySet<string>,
): EffectiveSetting[] {
  return Object.entries(environmentSchema.shape).map(([name, schema]) => {
    const { purpose, privacy } = schema.meta() as SettingFacts
    const initial = String(schema.parse(undefined) ?? '')
    const given = values[name]
    if (!given) return { name, purpose, value: initial, source: 'default' }
    const own = inDotEnv.has(name) ? 'dotenv' : 'environment'
    const source = values[`${name}_FILE`] ? 'file' : own
    return { name, purpose, value: toShown(given, privacy), source }
  })
}

function toShown(value: string, privacy: SettingPrivacy): string | null {
  if (privacy === 'secret') return null
  const shown = privacy === 'login' ? withoutLogin(value) : value
  return shown === null ? null : shown.slice(0, SHOWN_CHARACTERS)
}

/** An address without user, password, query and fragment; null when it cannot be told what of it is which. */
function withoutLogin(text: string): string | null {
  if (!URL.canParse(text)) return null
  const { protocol, host, pathname, username, password } = new URL(text)
  const hasLogin = username !== '' || password !== ''
  // A sign in the wrong place may have made something else of a password.
  if (pathname.includes('@') || (text.includes('@') && !hasLogin)) return null
  return host === '' ? `${protocol}${pathname}` : `${protocol}//${host}${pathname}`
}
