import { useContext } from 'react'

import { AREAS_OF, type CallArea } from '../../shared/constants'
import type { CurrentUser } from '../../shared/schemas/user'
import { SignedInUserContext } from './current-user'

/** Which of a company's people it is who is signed in: another one may come under the same company. */
export const personIdOf = ({ id, member }: CurrentUser): number => member?.id ?? id

/** The first login of a company is an owner; so is, in what it may do, an administrator. */
export const memberRoleOf = ({ member }: CurrentUser) => member?.role ?? 'OWNER'

/** Whether the role of whoever is signed in includes an area: docs/rules.md#people-of-a-company */
export function useMay(area: CallArea): boolean {
  const user = useContext(SignedInUserContext)
  return !user || AREAS_OF[memberRoleOf(user)].includes(area)
}
