import type { RequiredFactors } from '../stored-json'

/** What the installation asks of all who sign in: one row, or none as long as nothing was changed. */
export type SignInRulesTable = {
  id: number
  requiredFactors: RequiredFactors
  passwordMinLength: number
  isCommonRefused: boolean
}
