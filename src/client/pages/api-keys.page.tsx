import { PageHeader } from '../components/layout/page-header'
import { OwnApiKeys } from '../features/people/own-api-keys'
import { usePageTitle } from '../session/page-title'

/** The keys by which programs call for the user. */
export function ApiKeysPage() {
  usePageTitle('API keys')
  return (
    <>
      <PageHeader
        title="API keys"
        subtitle="For programs that call in your name, with no more than you give them"
      />
      <OwnApiKeys />
    </>
  )
}
