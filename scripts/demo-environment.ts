import { environmentSchema } from '../src/server/settings'

/** What whoever starts the demo may choose. */
const CHOSEN = new Set(['HOST', 'PORT', 'SFTP_PORT'])

/**
 * The environment without the settings of a real installation, whose database, bucket and mail server the demo must not
 * use, wherever they are set.
 */
export function toDemoEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.keys(environmentSchema.shape).filter((name) => !CHOSEN.has(name))
  const left = new Set(others.flatMap((name) => [name, `${name}_FILE`]))
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !left.has(name)))
}
