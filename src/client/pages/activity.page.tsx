import { DownloadLink } from '../components/layout/download-link'
import { PageHeader } from '../components/layout/page-header'
import { toAuditFilter } from '../features/audit/audit-filter'
import { AuditPanel } from '../features/audit/audit-panel'
import { toExportHref } from '../lib/export-href'
import { useAuditView } from '../lib/use-audit-view'
import { usePageTitle } from '../session/page-title'

/** What was done to a supplier's account, its connection and its retailers. */
export function ActivityPage() {
  usePageTitle('Activity')
  const [view, setView] = useAuditView()
  return (
    <>
      <PageHeader
        title="Activity"
        subtitle="What was done to your account, your connection and your retailers, and by whom"
        actions={
          <DownloadLink
            variant="default"
            href={toExportHref('/api/activity.csv', toAuditFilter(view))}
          >
            Export CSV
          </DownloadLink>
        }
      />
      <AuditPanel view={view} isAdministrator={false} onViewChange={setView} />
    </>
  )
}
