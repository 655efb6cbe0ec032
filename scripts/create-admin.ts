import { randomBytes } from 'node:crypto'

import { readConfig } from '../src/server/config'
import { saveAdmin } from '../src/server/features/people/accounts/administrators'
import { readPasswordMinLength } from '../src/server/features/people/accounts/new-password'
import { usernameSchema } from '../src/shared/schemas/primitives'
import { runCommand, UsageError, withDeps } from './command-line'

const HELP = `Creates an administrator, or sets a new password for an existing one.

Usage: npm run create-admin -- USERNAME [--turn-off-second-factor]

The password is read from ADMIN_PASSWORD; without it, one is generated and printed.
Existing sessions of the account end. Its second factor and its passkeys stay: --turn-off-second-factor turns
it off and removes them, for an administrator who has lost both the authenticator app and the recovery codes.

Exit codes: 0 success, 1 the username belongs to another account, 2 invalid arguments.`

const OPTIONS = { 'turn-off-second-factor': { type: 'boolean' } } as const

await runCommand(HELP, OPTIONS, async ({ positionals, values }) => {
  const username = usernameSchema.safeParse(positionals[0])
  if (!username.success)
    throw new UsageError(username.error.issues[0]?.message ?? 'Specify a username')
  const given = readConfig().adminPassword
  const { result, password } = await withDeps(async (deps) => {
    const chosen = given ?? generate(await readPasswordMinLength(deps))
    const isWithoutSecondFactor = values['turn-off-second-factor'] === true
    const saved = await saveAdmin(deps, username.data, chosen, { isWithoutSecondFactor })
    return { result: saved, password: chosen }
  })
  console.log(`Administrator ${username.data} ${result}`)
  if (!given) console.log(`Password: ${password}`)
  return 0
})

/** At least 96 random bits. */
function generate(minLength: number): string {
  return randomBytes(Math.max(12, Math.ceil((minLength * 3) / 4))).toString('base64url')
}
