import { useParams } from '@tanstack/react-router'

import { LoadError } from '../components/feedback/message-state'
import { BackLink } from '../components/layout/links'
import { PageHeader } from '../components/layout/page-header'
import { Panel } from '../components/layout/panel'
import { CompanyPeople } from '../features/people/company-people'
import { errorStatus } from '../lib/error-message'
import { readId } from '../lib/read-id'
import { usePageTitle } from '../session/page-title'
import { trpc } from '../trpc'
import { NotFoundPage } from './not-found.page'

/** Who signs in for a retailer, for administrators. */
export function RetailerPeoplePage() {
  const { supplierId, userId } = useParams({
    from: '/super_admin/dashboard/super-admin/suppliers/$supplierId/retailers/$userId/people',
  })
  const id = readId(userId)
  const query = trpc.users.username.useQuery({ userId: id ?? 0 }, { enabled: id !== null })
  const title = query.data ? `People of ${query.data.username}` : 'People of a retailer'
  usePageTitle(title)
  if (id === null || errorStatus(query.error) === 404) return <NotFoundPage />
  return (
    <>
      <BackLink to="/dashboard/super-admin/suppliers/$supplierId" params={{ supplierId }}>
        Supplier
      </BackLink>
      <PageHeader title={title} subtitle="Who signs in for this retailer, and what each may do" />
      {query.isError ? (
        <Panel>
          <LoadError title="The retailer could not be loaded" query={query} />
        </Panel>
      ) : (
        <CompanyPeople kind="RETAILER" companyId={id} />
      )}
    </>
  )
}
