import { PageHeader } from '../components/layout/page-header'
import { CompanyPeople } from '../features/people/company-people'
import { OwnRole } from '../features/people/own-role'
import { useSignedInUser } from '../session/current-user'
import { memberRoleOf } from '../session/may'
import { usePageTitle } from '../session/page-title'
import { ForbiddenPage } from './forbidden.page'

import classes from './panels.module.css'

/** Who signs in for the company, and what the own role includes. */
export function PeoplePage() {
  usePageTitle('People')
  const user = useSignedInUser()
  if (user.role === 'SUPER_ADMIN') return <ForbiddenPage />
  const role = memberRoleOf(user)
  return (
    <>
      <PageHeader
        title="People"
        subtitle={
          user.role === 'SUPPLIER'
            ? `Who signs in for ${user.companyName ?? 'your company'}, and what each may do`
            : 'Who signs in for your store, and what each may do'
        }
      />
      <div className={classes.panels}>
        <CompanyPeople kind={user.role} />
        {role !== 'OWNER' && <OwnRole kind={user.role} role={role} />}
      </div>
    </>
  )
}
