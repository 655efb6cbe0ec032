import { ROLES, type Role } from '../../../../shared/constants'
import { DAY_MS } from '../../../../shared/durations'
import { formatCountOf } from '../../../../shared/format'
import type { ChangeSignInRulesInput, SignInRules } from '../../../../shared/schemas/sign-in-rules'
import { inTransaction, type WriteTransaction } from '../../../db/open'
import type { SignInRulesRow } from '../../../db/schema'
import type { RequiredFactors } from '../../../db/stored-json'
import type { Deps } from '../../../domain/deps'
import { toInstantOrNull } from '../../../domain/instant'
import type { AuditedState } from '../audit/audited-changes'
import { recordAudit } from '../audit/record-audit'
import {
  countPeopleByRole,
  findSignInRules,
  listPeopleWithoutFactor,
  saveSignInRules,
} from './sign-in-rules.queries'

/** What is asked of all who sign in, and of how many. */
export async function getSignInRules({ db }: Pick<Deps, 'db'>): Promise<SignInRules> {
  const { requiredFactors, passwordMinLength, isCommonRefused } = await findSignInRules(db)
  const counts = await countPeopleByRole(db)
  const requirements = ROLES.map((role) => {
    const { graceDays = null, since = null } = requiredFactors[role] ?? {}
    const { count: people = 0, without: peopleWithout = 0 } =
      counts.find((row) => row.role === role) ?? {}
    return { role, graceDays, since: toInstantOrNull(since), people, peopleWithout }
  })
  return { requirements, passwordMinLength, isCommonRefused }
}

/**
 * Changes what is asked of all who sign in. Whom a second factor is newly asked of is told until when; a period that
 * is changed begins anew, so that none is over before anybody was told.
 */
export async function changeSignInRules(
  deps: Deps,
  { graceDays, ...passwordRules }: ChangeSignInRulesInput,
): Promise<void> {
  const since = deps.clock.now()
  await inTransaction(deps.db, async (trx) => {
    const before = await findSignInRules(trx)
    const known = before.requiredFactors
    const isKept = (role: Role) => known[role]?.graceDays === graceDays[role]
    const requiredFactors: RequiredFactors = {}
    for (const role of ROLES) {
      const days = graceDays[role]
      if (days === null) continue
      requiredFactors[role] = (isKept(role) && known[role]) || { since, graceDays: days }
    }
    const after = { requiredFactors, ...passwordRules }
    await saveSignInRules(trx, after)
    await recordAudit(trx, deps, {
      action: 'installation.change-sign-in-rules',
      before: toAudited(before),
      after: toAudited(after),
    })
    for (const role of ROLES) {
      const days = requiredFactors[role]?.graceDays
      if (days !== undefined && !isKept(role))
        await tellOfRole(trx, deps, role, since + days * DAY_MS)
    }
  })
}

function toAudited({
  requiredFactors,
  passwordMinLength,
  isCommonRefused,
}: Omit<SignInRulesRow, 'id'>): AuditedState {
  const tell = (role: Role) => {
    const days = requiredFactors[role]?.graceDays
    return days === undefined ? null : `required, after ${formatCountOf(days, 'day')}`
  }
  return {
    secondFactorOfAdministrators: tell('SUPER_ADMIN'),
    secondFactorOfSuppliers: tell('SUPPLIER'),
    secondFactorOfRetailers: tell('RETAILER'),
    passwordMinLength,
    commonPasswords: isCommonRefused ? 'refused' : 'allowed',
  }
}

const TOLD_AT_ONCE = 500

async function tellOfRole(trx: WriteTransaction, deps: Deps, role: Role, until: number) {
  const notice = { kind: 'account.second-factor-required', details: { until } } as const
  let afterId: number | undefined = 0
  while (afterId !== undefined) {
    const people: number[] = await listPeopleWithoutFactor(trx, role, {
      afterId,
      limit: TOLD_AT_ONCE,
    })
    await deps.tellPeople(trx, deps, people, notice)
    afterId = people.at(-1)
  }
}
