import type { RequiredFactors } from '../stored-json'

/** What the installation asks of all who sign in: one row, or none as long as nothing was changed. */
export type SignInRulesTable = {
  id: number
  requiredFactors: RequiredFactors
  passwordMinLength: number
  /** Whether a new password may not be a common one, or have a name of its account in it. */
  refusesGuessable: boolean
}
